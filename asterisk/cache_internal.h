/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the cache share; all of it is under the cache's lock. */
#ifndef ASTERISM_CACHE_INTERNAL_H
#define ASTERISM_CACHE_INTERNAL_H

#include <pthread.h>

#include "cache.h"

enum { SLOTS = 4096 };

/* What can make an entry fall. */
enum reach {
	REACH_KEY,     /* a change of the one key that it asks for */
	REACH_PATTERN, /* a change of a key that its conditions match */
	REACH_FAMILY,  /* any change of its family */
};

struct entry {
	struct entry *in_bucket;
	struct entry *newer, *older; /* in the order of use */
	struct entry *peer, **peer_place;     /* in its slot, or among its family's that aren't REACH_KEY */
	struct entry *sibling, **sibling_place; /* all of the family */
	struct family *family;
	struct answer *answer;
	uint64_t hash, key_hash, revision;
	enum cache_kind kind;
	enum reach reach;
	int fallen; /* kept for when no server answers */
	size_t bytes;
	size_t count;
	char texts[]; /* column, operator, value of each condition */
};

struct family {
	char *name;
	char **names;
	size_t name_count;
	char **key;
	size_t key_count;
	enum cache_policy policy;
	int listing;
	uint64_t changed, whole; /* revisions of the last change, and of the last one of all rows */
	struct entry *others;    /* entries that hang in no slot */
	struct entry *entries;   /* all */
	uint64_t hits, misses, stale_hits, fallen, refused;
};

struct slot {
	uint64_t changed; /* revision of the last change of a key here */
	struct entry *entries;
};

struct cache {
	pthread_mutex_t lock;
	size_t limit, bytes;
	int64_t max_age;
	char instance[64]; /* empty: none is followed */
	uint64_t revision, reset_revision;
	int64_t heard;
	struct entry **buckets;
	size_t bucket_count, entry_count;
	struct entry *newest, *oldest;
	struct family *families;
	size_t family_count;
	struct family **by_name; /* open hash over all names */
	size_t by_name_size;
	uint64_t resets, evicted;
	struct slot slots[SLOTS];
};

struct family *family_named(struct cache *cache, const char *name);
/* Replaces the families, keeping counts and the last answers of those CACHE_AND_STALE. */
int families_replace(struct cache *cache, const struct cache_family *families, size_t count);
void families_free(struct family *families, size_t count);

/* The hash of a key with texts in the order of the key columns. */
uint64_t key_hash(const struct family *family, const char *const *key);
struct slot *slot_of(struct cache *cache, uint64_t key_hash);
/*
 * Finds the one key that equalities give: all key columns once, and nothing but them
 * unless more is allowed. texts gets key_count texts. Returns whether there is one.
 */
enum beyond { NOTHING_BEYOND, MORE_BEYOND };
int find_key(const struct family *family, const struct cache_condition *conditions, size_t count, enum beyond beyond, const char **texts);
/* The place of a column in the key, or -1. */
int key_place(const struct family *family, const char *column);

void entry_remove(struct cache *cache, struct entry *entry);
/* The entry holds no longer. */
void entry_fall(struct cache *cache, struct entry *entry);
/* Hangs an entry where changes find it, and takes it from there. */
void entry_hang(struct cache *cache, struct entry *entry);
void entry_unhang(struct entry *entry);
/* The next condition's texts; at starts at entry->texts. */
struct cache_condition entry_condition(const char **at);

#endif
