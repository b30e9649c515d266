/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of which every change is remembered, asked through the cache by threads
 * while it changes: what the cache gives must have been true after all that had been
 * told of when it was asked. Rows say nothing but the revision that they were read at.
 */
#include "test.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { KEYS = 40, READERS = 4, WRITERS = 2, MOST_TOLD = 64 };

struct world {
	pthread_mutex_t lock; /* guards revision, changed and instance */
	uint64_t revision;
	unsigned char *changed; /* by revision: the key */
	const char *instance;
	uint64_t last; /* revision at which the test is over */

	atomic_uint_fast64_t told; /* up to here the cache has heard of everything */
	atomic_uint hits, fills, resets;
	struct cache *cache;
	unsigned seed;
};

enum question_kind { ONE_KEY, SOME_KEYS, LISTING, OTHER_COLUMN, QUESTION_KINDS };

struct asked {
	enum question_kind kind;
	unsigned key;
	char text[16];
	struct cache_condition condition;
	struct cache_question question;
};

static void ask(struct asked *asked, unsigned *seed)
{
	asked->kind = (unsigned)rand_r(seed) % 8 < 5 ? ONE_KEY : (unsigned)rand_r(seed) % QUESTION_KINDS;
	asked->key = (unsigned)rand_r(seed) % KEYS;
	snprintf(asked->text, sizeof asked->text, asked->kind == SOME_KEYS ? "k%u%%" : "k%02u", asked->kind == SOME_KEYS ? asked->key / 10 : asked->key);
	asked->condition = (struct cache_condition){ asked->kind == OTHER_COLUMN ? "host" : "id", asked->kind == SOME_KEYS ? "LIKE" : "=", asked->text };
	asked->question = (struct cache_question){ asked->kind == ONE_KEY ? CACHE_SINGLE : CACHE_MULTI, "phones", &asked->condition, asked->kind != LISTING };
}

static int concerns(const struct asked *asked, unsigned key)
{
	return asked->kind == ONE_KEY ? key == asked->key : asked->kind == SOME_KEYS ? key / 10 == asked->key / 10 : 1;
}

/* What was read at a revision must not have changed until another one. */
static void check_true(struct world *world, const struct asked *asked, uint64_t read, uint64_t until)
{
	pthread_mutex_lock(&world->lock);
	for (uint64_t at = read + 1; at <= until; at++) {
		if (concerns(asked, world->changed[at])) {
			fprintf(stderr, "%s %s: the cache gave what was read at %" PRIu64 ", which changed at %" PRIu64 " and was told up to %" PRIu64 "\n",
				asked->condition.column, asked->text, read, at, until);
			exit(1);
		}
	}
	pthread_mutex_unlock(&world->lock);
}

/* Changes a key, the caller holds the lock. */
static uint64_t change(struct world *world, unsigned key)
{
	if (world->revision < world->last)
		world->changed[++world->revision] = (unsigned char)key;
	return world->revision;
}

static int is_over(struct world *world)
{
	return atomic_load(&world->told) >= world->last;
}

static unsigned seed_of(struct world *world)
{
	static atomic_uint threads;

	return world->seed * 1000 + atomic_fetch_add(&threads, 1);
}

static void dawdle(unsigned *seed)
{
	for (int n = rand_r(seed) % 4 ? 0 : rand_r(seed) % 20; n > 0; n--)
		sched_yield();
}

static void *read_on(void *of)
{
	struct world *world = of;
	unsigned seed = seed_of(world);

	while (!is_over(world)) {
		struct asked asked;
		uint64_t told = atomic_load(&world->told), revision;
		const char *instance;
		struct answer *answer;

		ask(&asked, &seed);
		answer = cache_get(world->cache, &asked.question, CACHE_FRESH, 0);
		if (answer) {
			atomic_fetch_add(&world->hits, 1);
			check_true(world, &asked, value_of(answer), told);
			answer_drop(answer);
			continue;
		}
		pthread_mutex_lock(&world->lock);
		revision = world->revision;
		instance = world->instance;
		pthread_mutex_unlock(&world->lock);
		dawdle(&seed);
		answer = answer_of(1, revision);
		atomic_fetch_add(&world->fills, (unsigned)cache_put(world->cache, &asked.question, answer, instance, revision));
		answer_drop(answer);
	}
	return NULL;
}

/* Writes of our own, whose result is seen at once by who wrote. */
static void *write_on(void *of)
{
	struct world *world = of;
	unsigned seed = seed_of(world);
	const char *columns[] = { "state" };

	while (!is_over(world)) {
		struct asked asked;
		struct cache_write write = { .family = "phones", .count = 1, .columns = columns, .column_count = 1 };
		uint64_t revision;
		const char *instance;
		int64_t read;

		do
			ask(&asked, &seed);
		while (asked.kind != ONE_KEY);
		write.conditions = &asked.condition;
		cache_wrote(world->cache, &write, NULL, 0);
		dawdle(&seed);
		pthread_mutex_lock(&world->lock);
		revision = change(world, asked.key);
		instance = world->instance;
		pthread_mutex_unlock(&world->lock);
		dawdle(&seed);
		cache_wrote(world->cache, &write, instance, revision);
		read = held(world->cache, &asked.question, CACHE_FRESH, 0);
		if (read >= 0)
			check_true(world, &asked, (uint64_t)read, revision);
		for (int n = 0; n < 20; n++)
			sched_yield();
	}
	return NULL;
}

/* Tells the cache what changed since it heard last, or resets it. */
static void tell(struct world *world, unsigned *seed)
{
	struct cache_change told[MOST_TOLD];
	char texts[MOST_TOLD][8];
	const char *keys[MOST_TOLD];
	uint64_t from = atomic_load(&world->told), until;
	size_t count = 0;
	int reset = rand_r(seed) % 500 == 0;

	pthread_mutex_lock(&world->lock);
	if (rand_r(seed) % 3 == 0)
		change(world, (unsigned)rand_r(seed) % KEYS); /* another's */
	until = world->revision;
	if (reset)
		world->instance = strcmp(world->instance, "one") ? "one" : "two";
	else if (until > from + MOST_TOLD)
		until = from + MOST_TOLD;
	for (uint64_t at = from + 1; at <= until && !reset; at++, count++) {
		snprintf(texts[count], sizeof texts[count], "k%02u", (unsigned)world->changed[at]);
		keys[count] = texts[count];
		told[count] = (struct cache_change){ "phones", &keys[count], rand_r(seed) % 50 != 0 };
	}
	pthread_mutex_unlock(&world->lock);
	dawdle(seed);
	if (reset) {
		CHECK(!cache_reset(world->cache, world->instance, until, families, family_count, 0));
		atomic_fetch_add(&world->resets, 1);
	} else {
		cache_heard(world->cache, world->instance, until, told, count, 0);
	}
	atomic_store(&world->told, until);
}

void test_threads(unsigned seed, unsigned changes)
{
	struct world world = { .lock = PTHREAD_MUTEX_INITIALIZER, .revision = 1, .instance = "one", .last = changes, .told = 1, .seed = seed };
	pthread_t threads[READERS + WRITERS];

	world.changed = calloc(changes + 1, 1);
	CHECK(world.changed);
	world.cache = following();
	for (int i = 0; i < READERS + WRITERS; i++)
		CHECK(!pthread_create(&threads[i], NULL, i < READERS ? read_on : write_on, &world));
	while (!is_over(&world)) {
		tell(&world, &seed);
		sched_yield();
	}
	for (int i = 0; i < READERS + WRITERS; i++)
		pthread_join(threads[i], NULL);
	printf("%u changes, %u resets: %u answers kept, %u given\n", changes, atomic_load(&world.resets), atomic_load(&world.fills), atomic_load(&world.hits));
	CHECK(atomic_load(&world.hits) > 1000 && atomic_load(&world.fills) > 1000 && atomic_load(&world.resets) > 0);
	cache_free(world.cache);
	free(world.changed);
}

/* What happens between the reading of an answer and its coming to the cache. */
enum between { KEY_CHANGED, FAMILY_CHANGED, WRITTEN, ASKED_BY_LIKE, ASKED_BY_ANOTHER, WRITE_UNDER_WAY, WAYS };

void test_late_fills(unsigned rounds)
{
	struct cache *cache = following();
	const char *columns[] = { "state" };

	for (unsigned i = 0; i < rounds; i++) {
		enum between way = i % WAYS;
		char key[16];
		struct cache_condition exact = { "id", "=", key };
		struct cache_condition condition = { way == ASKED_BY_ANOTHER ? "host" : "id", way == ASKED_BY_LIKE ? "LIKE" : "=", way == ASKED_BY_LIKE ? "k%" : key };
		struct cache_question question = { i % 2 ? CACHE_MULTI : CACHE_SINGLE, "phones", &condition, 1 };
		struct cache_write write = { "phones", &exact, 1, columns, 1 };
		uint64_t read = 2 * (uint64_t)i + 1;

		snprintf(key, sizeof key, "k%u", i % 997);
		if (way == WRITE_UNDER_WAY) {
			cache_wrote(cache, &write, NULL, 0);
			put(cache, &question, 1, read); /* true until the write is done */
			cache_wrote(cache, &write, "one", read + 1);
		} else if (way == WRITTEN) {
			cache_wrote(cache, &write, NULL, 0);
			cache_wrote(cache, &write, "one", read + 1);
		} else {
			changed(cache, "phones", way == FAMILY_CHANGED ? NULL : key, read + 1, 0);
		}
		if (way != WRITE_UNDER_WAY)
			CHECK(!put(cache, &question, i % 3 != 0, read));
		CHECK(held(cache, &question, CACHE_FRESH, 0) == -1);
		CHECK(put(cache, &question, 1, read + 1));
		CHECK(held(cache, &question, CACHE_FRESH, 0) == (int64_t)read + 1);
	}
	printf("%u fills came too late, none stayed\n", rounds);
	cache_free(cache);
}
