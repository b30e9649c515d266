/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of the cache share: a family "phones" with the key "id", short names for calls. */
#ifndef ASTERISM_TEST_H
#define ASTERISM_TEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../cache.h"

/* Ends the program with the place and what didn't hold. */
#define CHECK(what)                                                            \
	do {                                                                   \
		if (!(what)) {                                                 \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
			exit(1);                                               \
		}                                                              \
	} while (0)

enum { MAX_AGE = 2000, LIMIT = 1 << 20 };

/* A cache that follows instance "one" from revision 1, heard at time 0. */
struct cache *following(void);
/* The families that all tests use: phones (aliases, stale), plain, never, pairs (two key columns). */
extern const struct cache_family families[];
extern const size_t family_count;

/* An answer of so many rows, each with a value; 0 rows: there is nothing. */
struct answer *answer_of(unsigned rows, uint64_t value);
/* The value in the first row; 0 without one. */
uint64_t value_of(const struct answer *answer);

/* Puts an answer made at a revision of "one"; whether it was kept. */
int put(struct cache *cache, const struct cache_question *question, unsigned rows, uint64_t revision);
/* The revision that the held answer was made at, 0 if it has no rows; -1: none is held. */
int64_t held(struct cache *cache, const struct cache_question *question, enum cache_freshness freshness, int64_t now);
/* Watch says that a key of one column changed; key NULL: the whole family. */
void changed(struct cache *cache, const char *family, const char *key, uint64_t revision, int64_t now);

void test_threads(unsigned seed, unsigned changes);
void test_late_fills(unsigned rounds);

#endif
