/* SPDX-License-Identifier: GPL-2.0-only */
/* What makes entries fall. */
#include "cache_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cache_match.h"

/* A change: of one key, or with key NULL of the whole family. */
struct touch {
	struct family *family;
	const char *const *key;
	uint64_t revision; /* 0: whatever the entries' are, and nothing is noted */
	size_t forgotten;
	void (*then)(struct cache *cache, struct entry *entry);
};

static void raise_to(uint64_t *revision, uint64_t to)
{
	if (*revision < to)
		*revision = to;
}

/* An entry that was made from a later revision shows the change already. */
static void touch_entry(struct cache *cache, struct touch *touch, struct entry *entry)
{
	if (touch->revision && entry->revision >= touch->revision)
		return;
	touch->forgotten++;
	touch->then(cache, entry);
}

static void touch_family(struct cache *cache, struct touch *touch)
{
	struct entry *entry, *next;

	raise_to(&touch->family->changed, touch->revision);
	raise_to(&touch->family->whole, touch->revision);
	for (entry = touch->family->entries; entry; entry = next) {
		next = entry->sibling;
		touch_entry(cache, touch, entry);
	}
}

static int matches(const struct entry *entry, const char *const *key)
{
	const char *at = entry->texts;

	for (size_t i = 0; i < entry->count; i++) {
		struct cache_condition condition = entry_condition(&at);
		const char *text = key[key_place(entry->family, condition.column)];
		int matches = strcmp(condition.operator, "=") ? match_like(condition.value, text) : match_text(condition.value, text);

		if (!matches)
			return 0;
	}
	return 1;
}

static void touch_key(struct cache *cache, struct touch *touch)
{
	uint64_t hash = key_hash(touch->family, touch->key);
	struct slot *slot = slot_of(cache, hash);
	struct entry *entry, *next;

	raise_to(&touch->family->changed, touch->revision);
	raise_to(&slot->changed, touch->revision);
	for (entry = slot->entries; entry; entry = next) {
		next = entry->peer;
		if (entry->key_hash == hash && entry->family == touch->family)
			touch_entry(cache, touch, entry);
	}
	for (entry = touch->family->others; entry; entry = next) {
		next = entry->peer;
		if (entry->reach == REACH_FAMILY || matches(entry, touch->key))
			touch_entry(cache, touch, entry);
	}
}

static void apply(struct cache *cache, struct touch *touch)
{
	if (touch->key)
		touch_key(cache, touch);
	else
		touch_family(cache, touch);
}

static void apply_change(struct cache *cache, const struct cache_change *change, uint64_t revision)
{
	struct touch touch = { .family = family_named(cache, change->family), .revision = revision, .then = entry_fall };

	if (!touch.family)
		return;
	/* A key of another shape than ours tells only that something changed. */
	if (change->key_count && change->key_count == touch.family->key_count)
		touch.key = change->key;
	apply(cache, &touch);
}

int cache_reset(struct cache *cache, const char *instance, uint64_t revision, const struct cache_family *families, size_t count, int64_t now)
{
	int failed;

	pthread_mutex_lock(&cache->lock);
	failed = families_replace(cache, families, count);
	snprintf(cache->instance, sizeof cache->instance, "%s", failed ? "" : instance);
	cache->revision = cache->reset_revision = revision;
	for (size_t i = 0; i < SLOTS; i++)
		cache->slots[i].changed = 0; /* another instance counts anew */
	cache->heard = now;
	cache->resets++;
	pthread_mutex_unlock(&cache->lock);
	return failed;
}

void cache_heard(struct cache *cache, const char *instance, uint64_t revision, const struct cache_change *changes, size_t count, int64_t now)
{
	pthread_mutex_lock(&cache->lock);
	if (*cache->instance && !strcmp(cache->instance, instance)) {
		for (size_t i = 0; i < count; i++)
			apply_change(cache, &changes[i], revision);
		raise_to(&cache->revision, revision);
		cache->heard = now;
	}
	pthread_mutex_unlock(&cache->lock);
}

static int names_key_column(const struct family *family, const struct cache_write *write)
{
	for (size_t i = 0; i < write->column_count; i++)
		if (key_place(family, write->columns[i]) >= 0)
			return 1;
	return 0;
}

void cache_wrote(struct cache *cache, const struct cache_write *write, const char *instance, uint64_t revision)
{
	struct touch touch = { .then = entry_fall };

	pthread_mutex_lock(&cache->lock);
	touch.family = family_named(cache, write->family);
	if (touch.family) {
		const char *key[touch.family->key_count + 1];

		if (!names_key_column(touch.family, write) && find_key(touch.family, write->conditions, write->count, MORE_BEYOND, key))
			touch.key = key;
		/* Another instance's revisions say nothing about the followed one's. */
		if (instance && !strcmp(instance, cache->instance))
			touch.revision = revision;
		apply(cache, &touch);
	}
	pthread_mutex_unlock(&cache->lock);
}

size_t cache_flush(struct cache *cache, const struct cache_change *what)
{
	struct touch touch = { .then = entry_remove };

	pthread_mutex_lock(&cache->lock);
	for (size_t i = 0; i < cache->family_count; i++) {
		if (what->family && &cache->families[i] != family_named(cache, what->family))
			continue;
		touch.family = &cache->families[i];
		touch.key = what->key_count && what->key_count == touch.family->key_count ? what->key : NULL;
		apply(cache, &touch);
	}
	pthread_mutex_unlock(&cache->lock);
	return touch.forgotten;
}
