/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of a CSV file. */
#ifndef RECORD_H
#define RECORD_H

#include <stddef.h>
#include <stdio.h>

enum { RECORD_FIELDS = 64 };

struct record {
	char *text;
	size_t used, room;
	size_t starts[RECORD_FIELDS];
	int fields;
};

enum record_state { RECORD_READ, RECORD_END, RECORD_BROKEN };

/* Reads the next line that is not empty. The fields are valid until the next
 * call. */
enum record_state record_next(struct record *record, FILE *file);

const char *record_field(const struct record *record, int field);
/* Which field has this text, -1 when none has. */
int record_find(const struct record *record, const char *text);

#endif
