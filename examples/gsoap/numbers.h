/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers to ask for, and what a right answer to each of them is. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Offsets into the text of a directory. */
struct number_row {
	uint32_t number;
	uint32_t codecs;
};

/*
 * All text stands in one block and each list of codecs only once, so that the
 * list does not hide what gSOAP itself takes of the memory.
 */
struct numbers {
	char *text;
	size_t used, room;
	struct number_row *rows;
	size_t count, rows_room;
	int checked; /* whether the file has a column codecs */
};

/* Reads a CSV file whose header names the columns number and, if it likes,
 * codecs. Returns 0, or -1 after a complaint on standard error. */
int numbers_load(struct numbers *numbers, const char *path);

const char *numbers_number(const struct numbers *numbers, size_t row);
/* The codecs of a number, joined by commas. */
const char *numbers_codecs(const struct numbers *numbers, size_t row);

#endif
