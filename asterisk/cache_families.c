/* SPDX-License-Identifier: GPL-2.0-only */
/* The families that the cache knows, by all their names. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cache_internal.h"
#include "cache_match.h"

struct family *family_named(struct cache *cache, const char *name)
{
	size_t at = match_hash(MATCH_HASH_START, name);

	if (!cache->by_name_size)
		return NULL;
	for (;; at++) {
		struct family *family = cache->by_name[at & (cache->by_name_size - 1)];

		if (!family)
			return NULL;
		for (size_t i = 0; i < family->name_count; i++)
			if (match_text(family->names[i], name))
				return family;
	}
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

static char **copy_texts(const char *const *from, size_t count)
{
	char **to = calloc(count + 1, sizeof *to);

	for (size_t i = 0; to && i < count; i++) {
		to[i] = strdup(from[i]);
		if (!to[i]) {
			free_texts(to, i);
			return NULL;
		}
	}
	return to;
}

void families_free(struct family *families, size_t count)
{
	for (size_t i = 0; families && i < count; i++) {
		free(families[i].name);
		free_texts(families[i].names, families[i].name_count);
		free_texts(families[i].key, families[i].key_count);
	}
	free(families);
}

static int copy_one(struct family *to, const struct cache_family *from)
{
	to->name = strdup(from->name);
	to->names = copy_texts(from->names, from->name_count);
	to->name_count = to->names ? from->name_count : 0;
	to->key = copy_texts(from->key, from->key_count);
	to->key_count = to->key ? from->key_count : 0;
	to->policy = from->policy;
	to->listing = from->listing;
	return to->name && to->names && to->key ? 0 : -1;
}

static struct family *copy_all(const struct cache_family *from, size_t count)
{
	struct family *to = calloc(count + 1, sizeof *to);

	for (size_t i = 0; to && i < count; i++)
		if (copy_one(&to[i], &from[i])) {
			families_free(to, count);
			return NULL;
		}
	return to;
}

/* A table of all names with room for as many again. */
static struct family **table_of(struct family *families, size_t count, size_t *size)
{
	struct family **table;
	size_t names = 1;

	for (size_t i = 0; i < count; i++)
		names += families[i].name_count;
	for (*size = 16; *size < 2 * names; *size *= 2)
		;
	table = calloc(*size, sizeof(struct family *));
	for (size_t i = 0; table && i < count; i++)
		for (size_t j = 0; j < families[i].name_count; j++) {
			size_t at = match_hash(MATCH_HASH_START, families[i].names[j]);

			while (table[at & (*size - 1)])
				at++;
			table[at & (*size - 1)] = &families[i];
		}
	return table;
}

/* What was counted of a family, and its last answers, are the new one's of that name. */
static void take_over(struct cache *cache, struct family *from, struct family *to)
{
	to->hits = from->hits;
	to->misses = from->misses;
	to->stale_hits = from->stale_hits;
	to->fallen = from->fallen;
	to->refused = from->refused;
	while (from->entries) {
		struct entry *entry = from->entries;

		if (to->policy != CACHE_AND_STALE) {
			entry_remove(cache, entry);
			continue;
		}
		entry_unhang(entry);
		entry->family = to;
		entry->fallen = 1;
		entry->reach = REACH_FAMILY; /* the key may be another */
		entry_hang(cache, entry);
	}
}

int families_replace(struct cache *cache, const struct cache_family *families, size_t count)
{
	struct family *old = cache->families, *new = copy_all(families, count);
	size_t size, old_count = cache->family_count;
	struct family **table = new ? table_of(new, count, &size) : NULL;

	if (!table) {
		families_free(new, count);
		new = NULL;
		size = count = 0;
	}
	for (size_t i = 0; i < count; i++) {
		struct family *before = family_named(cache, new[i].name);

		if (before)
			take_over(cache, before, &new[i]);
	}
	for (size_t i = 0; i < old_count; i++)
		while (old[i].entries)
			entry_remove(cache, old[i].entries);
	free(cache->by_name);
	cache->families = new;
	cache->family_count = count;
	cache->by_name = table;
	cache->by_name_size = size;
	families_free(old, old_count);
	return new ? 0 : -1;
}

int key_place(const struct family *family, const char *column)
{
	for (size_t i = 0; i < family->key_count; i++)
		if (match_text(family->key[i], column))
			return (int)i;
	return -1;
}

int find_key(const struct family *family, const struct cache_condition *conditions, size_t count, enum beyond beyond, const char **texts)
{
	size_t found = 0;

	memset(texts, 0, family->key_count * sizeof *texts);
	for (size_t i = 0; i < count; i++) {
		int place = key_place(family, conditions[i].column);

		if (place < 0 && beyond == MORE_BEYOND)
			continue;
		if (place < 0 || texts[place] || strcmp(conditions[i].operator, "=") || match_is_loose(conditions[i].value))
			return 0;
		texts[place] = conditions[i].value;
		found++;
	}
	return found > 0 && found == family->key_count;
}

uint64_t key_hash(const struct family *family, const char *const *key)
{
	uint64_t hash = match_hash(MATCH_HASH_START, family->name);

	for (size_t i = 0; i < family->key_count; i++)
		hash = match_hash(hash, key[i]);
	return hash;
}

struct slot *slot_of(struct cache *cache, uint64_t hash)
{
	return &cache->slots[(hash ^ hash >> 32) & (SLOTS - 1)];
}
