/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cache of answers, positive and negative, that is never wrong for long. It
 * follows one server ("instance") through what Watch says of it: every answer
 * carries the instance and the revision of the directory that it was made from, and
 * each answer to Watch names the keys that changed up to its revision.
 *
 * Safe for all threads. It knows nothing of Asterisk, nor of how servers are asked.
 */
#ifndef ASTERISM_CACHE_H
#define ASTERISM_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "answer.h"

/* What is asked for. Two kinds with the same conditions are two questions. */
enum cache_kind { CACHE_SINGLE, CACHE_MULTI, CACHE_CODECS };

struct cache_condition {
	const char *column;
	const char *operator; /* "=", "LIKE", "<=", ... */
	const char *value;
};

/* A question; the texts are the caller's and are copied where they are kept. */
struct cache_question {
	enum cache_kind kind;
	const char *family; /* table name or alias, as Asterisk asks; letter case doesn't matter */
	const struct cache_condition *conditions;
	size_t count;
};

/* Whether and how answers of a family are kept. */
enum cache_policy {
	CACHE_NOT,       /* never */
	CACHE_PLAIN,     /* while they hold */
	CACHE_AND_STALE, /* and the last one for when no server answers */
};

/* What the watched server says of a family, and the configuration. */
struct cache_family {
	const char *name;          /* table name; changes come under this one */
	const char *const *names;  /* all names that it is asked by, its own among them */
	size_t name_count;
	const char *const *key;    /* key columns, in order; none: every change is one of all */
	size_t key_count;
	enum cache_policy policy;
	/*
	 * Whole listings may be kept: a question without conditions, or with no condition
	 * but LIKEs of only %. Under some listing policies of the server they change with
	 * another family (listing "active"); such questions are not kept then.
	 */
	int listing;
};

/* A changed key, or with no texts the whole family. */
struct cache_change {
	const char *family;
	const char *const *key; /* texts in the order of the key columns */
	size_t key_count;
};

struct cache;

/* limit in bytes, of everything. max_age in milliseconds. NULL without memory. */
struct cache *cache_new(size_t limit, int64_t max_age);
void cache_free(struct cache *cache);
/* Changes both; entries over the limit go. */
void cache_configure(struct cache *cache, size_t limit, int64_t max_age);

/*
 * From now on this instance is followed, and all before this revision is known of it.
 * Empties the cache (stale families: marks). now, here and below: milliseconds of a
 * monotonic clock. -1 without memory: the cache is off then until the next reset.
 */
int cache_reset(struct cache *cache, const char *instance, uint64_t revision,
	const struct cache_family *families, size_t count, int64_t now);

/*
 * An answer of Watch: everything up to the revision is known now. Entries that the
 * changes touch fall, the revision is noted for them, and all entries are as young as
 * this answer. Does nothing when the instance is not the followed one.
 */
void cache_heard(struct cache *cache, const char *instance, uint64_t revision,
	const struct cache_change *changes, size_t count, int64_t now);

/*
 * A write of our own, before it is sent (revision 0) and once it was answered: what
 * it may have touched falls at once. conditions: which rows (update, destroy), or the
 * row itself as equalities (store). fields: columns that were given a value, or NULL.
 * A write whose conditions give the whole key by = and whose fields name no key
 * column touches that key, any other one the whole family.
 */
struct cache_write {
	const char *family;
	const struct cache_condition *conditions;
	size_t count;
	const char *const *columns;
	size_t column_count;
};
void cache_wrote(struct cache *cache, const struct cache_write *write, const char *instance, uint64_t revision);

enum cache_freshness {
	CACHE_FRESH, /* holds: the last Watch answer is at most max_age old and did not touch it */
	CACHE_STALE, /* any answer that is still there, of a family CACHE_AND_STALE only */
};

/* Gives the answer with a reference of its own, or NULL. */
struct answer *cache_get(struct cache *cache, const struct cache_question *question,
	enum cache_freshness freshness, int64_t now);

/*
 * Offers an answer; the cache takes a reference of its own if it keeps it. It is kept
 * only if it is the followed instance's, of a family with a policy, and no change
 * since its revision can have touched it. Returns whether it was kept.
 */
int cache_put(struct cache *cache, const struct cache_question *question, struct answer *answer,
	const char *instance, uint64_t revision);

/*
 * Forgets entries, stale ones too: all (family NULL), of a family (key NULL), or those
 * that a change of the key would touch; texts as in cache_change. Returns how many.
 */
size_t cache_flush(struct cache *cache, const struct cache_change *what);

/* What a family's part of the cache did. Counts since cache_new. */
struct cache_family_stats {
	const char *name;
	enum cache_policy policy;
	size_t entries, bytes, negative;
	uint64_t hits, misses, stale_hits, fallen, refused; /* refused: fills that came too late */
};

struct cache_stats {
	char instance[64];
	uint64_t revision;
	int64_t heard; /* when Watch was last answered; 0: not yet */
	size_t limit, bytes, entries;
	uint64_t resets, evicted;
	struct cache_family_stats *families; /* by name; free with cache_stats_free */
	size_t family_count;
};
int cache_stats(struct cache *cache, struct cache_stats *stats);
void cache_stats_free(struct cache_stats *stats);

#endif
