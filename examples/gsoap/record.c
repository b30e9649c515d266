/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record.h"

#include <stdlib.h>
#include <string.h>

/* A line that is longer is no line of a directory. */
enum { RECORD_MOST = 1 << 20 };

static int append(struct record *record, int c)
{
	if (record->used == record->room) {
		size_t room = record->room ? 2 * record->room : 256;
		char *text = room > RECORD_MOST ? NULL : realloc(record->text, room);
		if (!text)
			return -1;
		record->text = text;
		record->room = room;
	}
	record->text[record->used++] = (char)c;
	return 0;
}

/* Reads up to the closing quote and returns what follows it; a quote inside is
 * written twice. */
static int quoted(struct record *record, FILE *file)
{
	int c;

	while ((c = getc(file)) != EOF) {
		if (c == '"' && (c = getc(file)) != '"')
			return c;
		if (append(record, c))
			return EOF;
	}
	return EOF;
}

/* Reads a field that begins with c, and stores the character that ended it. */
static int field(struct record *record, FILE *file, int c, int *end)
{
	if (record->fields == RECORD_FIELDS)
		return -1;
	record->starts[record->fields++] = record->used;
	if (c == '"')
		c = quoted(record, file);
	for (; c != ',' && c != '\n' && c != EOF; c = getc(file)) {
		if (c != '\r' && append(record, c))
			return -1;
	}
	*end = c;
	return append(record, '\0');
}

enum record_state record_next(struct record *record, FILE *file)
{
	int c;

	record->used = 0;
	record->fields = 0;
	do
		c = getc(file);
	while (c == '\n' || c == '\r');
	if (c == EOF)
		return ferror(file) ? RECORD_BROKEN : RECORD_END;
	for (;;) {
		if (field(record, file, c, &c))
			return RECORD_BROKEN;
		if (c != ',')
			return ferror(file) ? RECORD_BROKEN : RECORD_READ;
		c = getc(file);
	}
}

const char *record_field(const struct record *record, int field)
{
	return field < record->fields ? record->text + record->starts[field] : "";
}

int record_find(const struct record *record, const char *text)
{
	for (int i = 0; i < record->fields; i++) {
		if (!strcmp(record_field(record, i), text))
			return i;
	}
	return -1;
}
