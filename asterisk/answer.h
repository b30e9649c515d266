/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An answer: rows of name and value, one block of memory that never changes once
 * it is made and is shared by counting references. What a server says is turned
 * into one, the cache keeps it, and what Asterisk gets is copied out of it.
 */
#ifndef ASTERISM_ANSWER_H
#define ASTERISM_ANSWER_H

#include <stddef.h>
#include <stdint.h>

struct answer;

/* Builds an answer; all zero is an empty one. */
struct answer_builder {
	char *block;
	size_t used, size;
	size_t row; /* where the present row's count of fields stands */
	unsigned rows;
	int failed; /* out of memory: answer_finish gives NULL */
};

void answer_row(struct answer_builder *builder);
/* Adds a field to the present row; NULL counts as empty. */
void answer_field(struct answer_builder *builder, const char *name, const char *value);
/* Gives the answer with one reference, or NULL without memory; the builder is empty again. */
struct answer *answer_finish(struct answer_builder *builder);
/* Gives up what was built. */
void answer_abandon(struct answer_builder *builder);

struct answer *answer_keep(struct answer *answer); /* one more reference */
void answer_drop(struct answer *answer);           /* one less; NULL is fine */
unsigned answer_rows(const struct answer *answer);
size_t answer_bytes(const struct answer *answer); /* all memory of it */

/*
 * Reads an answer from its start: a row, then its fields, then the next row.
 * struct answer_cursor at = answer_start(answer);
 * while (answer_next_row(&at))
 *	while (answer_next_field(&at, &name, &value))
 */
struct answer_cursor {
	const char *at, *end;
	uint32_t fields; /* left in the present row */
};

struct answer_cursor answer_start(const struct answer *answer);
int answer_next_row(struct answer_cursor *cursor); /* skips what is left of the present one */
int answer_next_field(struct answer_cursor *cursor, const char **name, const char **value);

#endif
