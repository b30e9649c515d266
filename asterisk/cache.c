/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries: found by their question, in the order of their use, within the limit. */
#include "cache_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_match.h"

enum {
	FIRST_BUCKETS = 256,
	LARGEST_SHARE = 8, /* an answer of more than this part of the limit is not kept */
	MOST_KEY = 16,     /* columns of a key; one with more is never found by its key */
};

static size_t fixed_bytes(const struct cache *cache)
{
	return sizeof *cache + cache->bucket_count * sizeof *cache->buckets;
}

struct cache *cache_new(size_t limit, int64_t max_age)
{
	struct cache *cache = calloc(1, sizeof *cache);

	if (!cache)
		return NULL;
	cache->buckets = calloc(FIRST_BUCKETS, sizeof *cache->buckets);
	if (!cache->buckets) {
		free(cache);
		return NULL;
	}
	cache->bucket_count = FIRST_BUCKETS;
	cache->limit = limit;
	cache->max_age = max_age;
	cache->bytes = fixed_bytes(cache);
	pthread_mutex_init(&cache->lock, NULL);
	return cache;
}

void cache_free(struct cache *cache)
{
	if (!cache)
		return;
	while (cache->oldest)
		entry_remove(cache, cache->oldest);
	families_free(cache->families, cache->family_count);
	free(cache->by_name);
	free(cache->buckets);
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

/* Frees what was used least until the rest is within the limit. */
static void make_room(struct cache *cache)
{
	while (cache->bytes > cache->limit && cache->oldest) {
		entry_remove(cache, cache->oldest);
		cache->evicted++;
	}
}

void cache_configure(struct cache *cache, size_t limit, int64_t max_age)
{
	pthread_mutex_lock(&cache->lock);
	cache->limit = limit;
	cache->max_age = max_age;
	make_room(cache);
	pthread_mutex_unlock(&cache->lock);
}

static uint64_t question_hash(const struct family *family, const struct cache_question *question)
{
	uint64_t hash = match_hash(MATCH_HASH_START + question->kind, family->name);

	for (size_t i = 0; i < question->count; i++) {
		hash = match_hash(hash, question->conditions[i].column);
		hash = match_hash(hash, question->conditions[i].operator);
		hash = match_hash(hash, question->conditions[i].value);
	}
	return hash;
}

struct cache_condition entry_condition(const char **at)
{
	struct cache_condition condition;

	condition.column = *at;
	condition.operator = condition.column + strlen(condition.column) + 1;
	condition.value = condition.operator + strlen(condition.operator) + 1;
	*at = condition.value + strlen(condition.value) + 1;
	return condition;
}

/* Letter case counts here: another spelling is another question. */
static int is_same(const struct entry *entry, const struct family *family, const struct cache_question *question)
{
	const char *at = entry->texts;

	if (entry->family != family || entry->kind != question->kind || entry->count != question->count)
		return 0;
	for (size_t i = 0; i < entry->count; i++) {
		struct cache_condition mine = entry_condition(&at);
		const struct cache_condition *theirs = &question->conditions[i];

		if (strcmp(mine.column, theirs->column) || strcmp(mine.operator, theirs->operator) || strcmp(mine.value, theirs->value))
			return 0;
	}
	return 1;
}

static struct entry **bucket_of(struct cache *cache, uint64_t hash)
{
	return &cache->buckets[hash & (cache->bucket_count - 1)];
}

static struct entry *find(struct cache *cache, struct family *family, const struct cache_question *question, uint64_t hash)
{
	struct entry *entry = *bucket_of(cache, hash);

	while (entry && !(entry->hash == hash && is_same(entry, family, question)))
		entry = entry->in_bucket;
	return entry;
}

static void unuse(struct cache *cache, struct entry *entry)
{
	*(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
	*(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void use(struct cache *cache, struct entry *entry)
{
	entry->newer = NULL;
	entry->older = cache->newest;
	*(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
	cache->newest = entry;
}

static void push(struct entry **list, struct entry *entry)
{
	entry->peer = *list;
	entry->peer_place = list;
	if (entry->peer)
		entry->peer->peer_place = &entry->peer;
	*list = entry;
}

void entry_hang(struct cache *cache, struct entry *entry)
{
	struct family *family = entry->family;

	push(entry->reach == REACH_KEY ? &slot_of(cache, entry->key_hash)->entries : &family->others, entry);
	entry->sibling = family->entries;
	entry->sibling_place = &family->entries;
	if (entry->sibling)
		entry->sibling->sibling_place = &entry->sibling;
	family->entries = entry;
}

void entry_unhang(struct entry *entry)
{
	*entry->peer_place = entry->peer;
	if (entry->peer)
		entry->peer->peer_place = entry->peer_place;
	*entry->sibling_place = entry->sibling;
	if (entry->sibling)
		entry->sibling->sibling_place = entry->sibling_place;
}

void entry_remove(struct cache *cache, struct entry *entry)
{
	struct entry **place = bucket_of(cache, entry->hash);

	while (*place != entry)
		place = &(*place)->in_bucket;
	*place = entry->in_bucket;
	unuse(cache, entry);
	entry_unhang(entry);
	cache->bytes -= entry->bytes;
	cache->entry_count--;
	answer_drop(entry->answer);
	free(entry);
}

void entry_fall(struct cache *cache, struct entry *entry)
{
	if (entry->fallen)
		return;
	entry->family->fallen++;
	if (entry->family->policy == CACHE_AND_STALE)
		entry->fallen = 1;
	else
		entry_remove(cache, entry);
}

static struct answer *hit(struct cache *cache, struct entry *entry)
{
	unuse(cache, entry);
	use(cache, entry);
	return answer_keep(entry->answer);
}

static struct answer *get_fresh(struct cache *cache, struct family *family, struct entry *entry, int64_t now)
{
	if (!entry || entry->fallen || now - cache->heard > cache->max_age) {
		family->misses += family->policy != CACHE_NOT;
		return NULL;
	}
	family->hits++;
	return hit(cache, entry);
}

struct answer *cache_get(struct cache *cache, const struct cache_question *question, enum cache_freshness freshness, int64_t now)
{
	struct answer *answer = NULL;
	struct family *family;

	pthread_mutex_lock(&cache->lock);
	family = family_named(cache, question->family);
	if (family && family->policy != CACHE_NOT) {
		struct entry *entry = find(cache, family, question, question_hash(family, question));

		if (freshness == CACHE_FRESH) {
			answer = get_fresh(cache, family, entry, now);
		} else if (entry && family->policy == CACHE_AND_STALE) {
			family->stale_hits++;
			answer = hit(cache, entry);
		}
	}
	pthread_mutex_unlock(&cache->lock);
	return answer;
}

/* A question for all rows, whose answer may change with another family. */
static int is_listing(const struct cache_question *question)
{
	for (size_t i = 0; i < question->count; i++)
		if (strcasecmp(question->conditions[i].operator, "LIKE") || !match_is_everything(question->conditions[i].value))
			return 0;
	return 1;
}

/* Whether only key columns are asked for, by = and LIKE. */
static int is_about_keys(const struct family *family, const struct cache_question *question)
{
	for (size_t i = 0; i < question->count; i++) {
		const struct cache_condition *condition = &question->conditions[i];
		int equal = !strcmp(condition->operator, "=");

		if (key_place(family, condition->column) < 0 || (equal && match_is_loose(condition->value)))
			return 0;
		if (!equal && strcasecmp(condition->operator, "LIKE"))
			return 0;
	}
	return question->count > 0 && !is_listing(question);
}

static enum reach reach_of(const struct family *family, const struct cache_question *question, uint64_t *hash)
{
	const char *key[MOST_KEY];

	if (family->key_count <= MOST_KEY && find_key(family, question->conditions, question->count, NOTHING_BEYOND, key)) {
		*hash = key_hash(family, key);
		return REACH_KEY;
	}
	return is_about_keys(family, question) ? REACH_PATTERN : REACH_FAMILY;
}

static char *add(char *to, const char *text)
{
	size_t size = strlen(text) + 1;

	memcpy(to, text, size);
	return to + size;
}

static size_t texts_size(const struct cache_question *question)
{
	size_t size = 0;

	for (size_t i = 0; i < question->count; i++) {
		const struct cache_condition *c = &question->conditions[i];

		size += strlen(c->column) + strlen(c->operator) + strlen(c->value) + 3;
	}
	return size;
}

static void grow(struct cache *cache)
{
	size_t count = 2 * cache->bucket_count;
	struct entry **buckets = calloc(count, sizeof *buckets), *entry;

	if (!buckets)
		return; /* longer chains then */
	for (entry = cache->newest; entry; entry = entry->older) {
		struct entry **place = &buckets[entry->hash & (count - 1)];

		entry->in_bucket = *place;
		*place = entry;
	}
	free(cache->buckets);
	cache->bytes += (count - cache->bucket_count) * sizeof *buckets;
	cache->buckets = buckets;
	cache->bucket_count = count;
}

/* An entry without its answer; without memory NULL. */
static struct entry *insert(struct cache *cache, struct family *family, const struct cache_question *question, uint64_t hash)
{
	size_t size = sizeof(struct entry) + texts_size(question);
	struct entry *entry = calloc(1, size);
	char *to;

	if (!entry)
		return NULL;
	if (cache->entry_count >= cache->bucket_count)
		grow(cache);
	entry->family = family;
	entry->hash = hash;
	entry->kind = question->kind;
	entry->count = question->count;
	to = entry->texts;
	for (size_t i = 0; i < question->count; i++)
		to = add(add(add(to, question->conditions[i].column), question->conditions[i].operator), question->conditions[i].value);
	entry->bytes = size;
	entry->in_bucket = *bucket_of(cache, hash);
	*bucket_of(cache, hash) = entry;
	cache->entry_count++;
	cache->bytes += size;
	return entry;
}

/* The revision below which an answer may be older than a change that it should show. */
static uint64_t least_revision(struct cache *cache, const struct family *family, enum reach reach, uint64_t hash)
{
	uint64_t changed = reach == REACH_KEY ? slot_of(cache, hash)->changed : family->changed;
	uint64_t least = family->whole > cache->reset_revision ? family->whole : cache->reset_revision;

	return changed > least ? changed : least;
}

static void fill(struct cache *cache, struct entry *entry, struct answer *answer)
{
	size_t old = entry->answer ? answer_bytes(entry->answer) : 0;

	cache->bytes += answer_bytes(answer) - old;
	entry->bytes += answer_bytes(answer) - old;
	answer_drop(entry->answer);
	entry->answer = answer_keep(answer);
}

static int put(struct cache *cache, struct family *family, const struct cache_question *question, struct answer *answer, uint64_t revision)
{
	uint64_t hash = question_hash(family, question), of_key = 0;
	struct entry *entry = find(cache, family, question, hash);
	enum reach reach = reach_of(family, question, &of_key);

	if (revision < least_revision(cache, family, reach, of_key) || (entry && !entry->fallen && entry->revision > revision)) {
		family->refused++;
		return 0;
	}
	if (entry) {
		unuse(cache, entry);
		entry_unhang(entry);
	} else {
		entry = insert(cache, family, question, hash);
		if (!entry)
			return 0;
	}
	entry->reach = reach;
	entry->key_hash = of_key;
	entry->revision = revision;
	entry->fallen = 0;
	fill(cache, entry, answer);
	use(cache, entry);
	entry_hang(cache, entry);
	make_room(cache);
	return 1;
}

int cache_put(struct cache *cache, const struct cache_question *question, struct answer *answer, const char *instance, uint64_t revision)
{
	struct family *family;
	int kept = 0;

	pthread_mutex_lock(&cache->lock);
	family = family_named(cache, question->family);
	if (family && family->policy != CACHE_NOT && *cache->instance && !strcmp(cache->instance, instance) &&
		answer_bytes(answer) + texts_size(question) <= cache->limit / LARGEST_SHARE && (family->listing || !is_listing(question)))
		kept = put(cache, family, question, answer, revision);
	pthread_mutex_unlock(&cache->lock);
	return kept;
}
