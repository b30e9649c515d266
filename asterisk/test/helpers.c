/* SPDX-License-Identifier: GPL-2.0-only */
#include "test.h"

#include <inttypes.h>

static const char *const phones_names[] = { "phones", "phones_alias" };
static const char *const plain_names[] = { "plain" };
static const char *const never_names[] = { "never" };
static const char *const pairs_names[] = { "pairs" };
static const char *const one_key[] = { "id" };
static const char *const two_keys[] = { "queue", "member" };

const struct cache_family families[] = {
	{ .name = "phones", .names = phones_names, .name_count = 2, .key = one_key, .key_count = 1, .policy = CACHE_AND_STALE, .listing = 1 },
	{ .name = "plain", .names = plain_names, .name_count = 1, .key = one_key, .key_count = 1, .policy = CACHE_PLAIN, .listing = 0 },
	{ .name = "never", .names = never_names, .name_count = 1, .key = one_key, .key_count = 1, .policy = CACHE_NOT, .listing = 1 },
	{ .name = "pairs", .names = pairs_names, .name_count = 1, .key = two_keys, .key_count = 2, .policy = CACHE_PLAIN, .listing = 1 },
};
const size_t family_count = sizeof families / sizeof *families;

struct cache *following(void)
{
	struct cache *cache = cache_new(LIMIT, MAX_AGE);

	CHECK(cache);
	CHECK(!cache_reset(cache, "one", 1, families, family_count, 0));
	return cache;
}

struct answer *answer_of(unsigned rows, uint64_t value)
{
	struct answer_builder builder = { 0 };
	struct answer *answer;
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, value);
	for (unsigned i = 0; i < rows; i++) {
		answer_row(&builder);
		answer_field(&builder, "value", text);
	}
	answer = answer_finish(&builder);
	CHECK(answer);
	return answer;
}

uint64_t value_of(const struct answer *answer)
{
	struct answer_cursor at = answer_start(answer);
	const char *name, *value;

	return answer_next_row(&at) && answer_next_field(&at, &name, &value) ? strtoull(value, NULL, 10) : 0;
}

int put(struct cache *cache, const struct cache_question *question, unsigned rows, uint64_t revision)
{
	struct answer *answer = answer_of(rows, revision);
	int kept = cache_put(cache, question, answer, "one", revision);

	answer_drop(answer);
	return kept;
}

int64_t held(struct cache *cache, const struct cache_question *question, enum cache_freshness freshness, int64_t now)
{
	struct answer *answer = cache_get(cache, question, freshness, now);
	int64_t value = answer ? (int64_t)value_of(answer) : -1;

	answer_drop(answer);
	return value;
}

void changed(struct cache *cache, const char *family, const char *key, uint64_t revision, int64_t now)
{
	struct cache_change change = { .family = family, .key = key ? &key : NULL, .key_count = key ? 1 : 0 };

	cache_heard(cache, "one", revision, &change, 1, now);
}
