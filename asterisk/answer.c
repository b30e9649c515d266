/* SPDX-License-Identifier: GPL-2.0-only */
/* For each row: how many fields, in four bytes; then name and value of each, ended by zeros. */
#include "answer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct answer {
	atomic_uint references;
	unsigned rows;
	size_t bytes; /* with this head */
	char data[];
};

enum { FIRST_SIZE = 512 };

/* Makes room for so many bytes more; the head's are taken first of all. */
static int reserve(struct answer_builder *builder, size_t length)
{
	size_t need, size = builder->size ? builder->size : FIRST_SIZE;
	char *block;

	if (builder->failed)
		return -1;
	if (!builder->used)
		builder->used = sizeof(struct answer);
	need = builder->used + length;
	while (size < need)
		size *= 2;
	if (size == builder->size)
		return 0;
	block = realloc(builder->block, size);
	if (!block) {
		builder->failed = 1;
		return -1;
	}
	builder->block = block;
	builder->size = size;
	return 0;
}

static void put(struct answer_builder *builder, const void *bytes, size_t length)
{
	if (reserve(builder, length))
		return;
	memcpy(builder->block + builder->used, bytes, length);
	builder->used += length;
}

void answer_row(struct answer_builder *builder)
{
	const uint32_t none = 0;

	if (reserve(builder, sizeof none))
		return;
	builder->row = builder->used;
	builder->rows++;
	put(builder, &none, sizeof none);
}

void answer_field(struct answer_builder *builder, const char *name, const char *value)
{
	uint32_t fields;

	put(builder, name, strlen(name) + 1);
	put(builder, value ? value : "", value ? strlen(value) + 1 : 1);
	if (builder->failed)
		return;
	memcpy(&fields, builder->block + builder->row, sizeof fields);
	fields++;
	memcpy(builder->block + builder->row, &fields, sizeof fields);
}

struct answer *answer_finish(struct answer_builder *builder)
{
	struct answer *answer;
	char *block;

	if (reserve(builder, 0)) {
		answer_abandon(builder);
		return NULL;
	}
	/* A kept answer holds no more than it needs. */
	block = realloc(builder->block, builder->used);
	answer = (struct answer *)(block ? block : builder->block);
	atomic_init(&answer->references, 1);
	answer->rows = builder->rows;
	answer->bytes = builder->used;
	*builder = (struct answer_builder){ 0 };
	return answer;
}

void answer_abandon(struct answer_builder *builder)
{
	free(builder->block);
	*builder = (struct answer_builder){ 0 };
}

struct answer *answer_keep(struct answer *answer)
{
	atomic_fetch_add_explicit(&answer->references, 1, memory_order_relaxed);
	return answer;
}

void answer_drop(struct answer *answer)
{
	if (answer && atomic_fetch_sub_explicit(&answer->references, 1, memory_order_acq_rel) == 1)
		free(answer);
}

unsigned answer_rows(const struct answer *answer)
{
	return answer->rows;
}

size_t answer_bytes(const struct answer *answer)
{
	return answer->bytes;
}

struct answer_cursor answer_start(const struct answer *answer)
{
	return (struct answer_cursor){ answer->data, (const char *)answer + answer->bytes, 0 };
}

int answer_next_row(struct answer_cursor *cursor)
{
	const char *name, *value;

	while (answer_next_field(cursor, &name, &value))
		;
	if (cursor->at == cursor->end)
		return 0;
	memcpy(&cursor->fields, cursor->at, sizeof cursor->fields);
	cursor->at += sizeof cursor->fields;
	return 1;
}

int answer_next_field(struct answer_cursor *cursor, const char **name, const char **value)
{
	if (!cursor->fields)
		return 0;
	cursor->fields--;
	*name = cursor->at;
	*value = *name + strlen(*name) + 1;
	cursor->at = *value + strlen(*value) + 1;
	return 1;
}
