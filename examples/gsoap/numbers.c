/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

/* How many of the latest lists of codecs a new one is compared with. A directory
 * has a handful of them, and a long search would cost more than it saves. */
enum { LISTS = 64 };

struct lists {
	uint32_t at[LISTS];
	size_t count;
};

/* Grows by a half: what is not used yet is not resident either. */
static void *grown(void *block, size_t *room, size_t needed, size_t size)
{
	size_t wanted = *room + *room / 2 + 1024;

	if (needed <= *room)
		return block;
	if (wanted < needed)
		wanted = needed;
	block = realloc(block, wanted * size);
	if (block)
		*room = wanted;
	return block;
}

static int append_text(struct numbers *numbers, const char *text, uint32_t *at)
{
	size_t length = strlen(text) + 1;
	char *block = grown(numbers->text, &numbers->room, numbers->used + length, 1);

	if (!block || numbers->used + length > UINT32_MAX)
		return -1;
	numbers->text = block;
	*at = (uint32_t)numbers->used;
	memcpy(numbers->text + numbers->used, text, length);
	numbers->used += length;
	return 0;
}

static int append_codecs(struct numbers *numbers, struct lists *lists, const char *text, uint32_t *at)
{
	size_t known = lists->count < LISTS ? lists->count : LISTS;

	for (size_t i = 0; i < known; i++) {
		if (!strcmp(numbers->text + lists->at[i], text)) {
			*at = lists->at[i];
			return 0;
		}
	}
	if (append_text(numbers, text, at))
		return -1;
	lists->at[lists->count++ % LISTS] = *at;
	return 0;
}

static int append_row(struct numbers *numbers, struct lists *lists, const char *number, const char *codecs)
{
	struct number_row row;
	struct number_row *rows = grown(numbers->rows, &numbers->rows_room, numbers->count + 1, sizeof *rows);

	if (!rows)
		return -1;
	numbers->rows = rows;
	if (append_text(numbers, number, &row.number) || append_codecs(numbers, lists, codecs, &row.codecs))
		return -1;
	rows[numbers->count++] = row;
	return 0;
}

static const char *read_rows(struct numbers *numbers, FILE *file, struct record *record)
{
	struct lists lists = { .count = 0 };
	enum record_state state;
	int number, codecs;

	if (record_next(record, file) != RECORD_READ)
		return "has no header; the first line must be like number,codecs";
	/* Spreadsheets put a byte order mark before the first name. */
	if (!strncmp(record->text, "\xEF\xBB\xBF", 3))
		record->starts[0] += 3;
	number = record_find(record, "number");
	codecs = record_find(record, "codecs");
	if (number < 0)
		return "has no column number; the first line must be like number,codecs";
	numbers->checked = codecs >= 0;
	while ((state = record_next(record, file)) == RECORD_READ) {
		if (!*record_field(record, number))
			return "has a line without a number; fill it in or remove the line";
		if (append_row(numbers, &lists, record_field(record, number), codecs < 0 ? "" : record_field(record, codecs)))
			return "does not fit into memory; ask for fewer numbers";
	}
	if (state == RECORD_BROKEN)
		return "cannot be read to its end, or has a line that is too long";
	return numbers->count ? NULL : "has no numbers below the header; add at least one line";
}

int numbers_load(struct numbers *numbers, const char *path)
{
	struct record record = { .text = NULL };
	const char *fault;
	FILE *file = fopen(path, "r");

	if (!file) {
		fprintf(stderr, "codecs: open the numbers file ");
		perror(path);
		return -1;
	}
	fault = read_rows(numbers, file, &record);
	fclose(file);
	free(record.text);
	if (!fault)
		return 0;
	fprintf(stderr, "codecs: numbers file %s %s\n", path, fault);
	return -1;
}

const char *numbers_number(const struct numbers *numbers, size_t row)
{
	return numbers->text + numbers->rows[row].number;
}

const char *numbers_codecs(const struct numbers *numbers, size_t row)
{
	return numbers->text + numbers->rows[row].codecs;
}
