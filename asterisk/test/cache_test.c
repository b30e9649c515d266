/* SPDX-License-Identifier: GPL-2.0-only */
/* The cache's rules, each by itself; then late fills and threads (threads.c). */
#include "test.h"

#define ASK(what, kind_of, ...)                                                          \
	const struct cache_condition what##_conditions[] = { __VA_ARGS__ };             \
	const struct cache_question what = { .kind = kind_of, .family = "phones", .conditions = what##_conditions, .count = sizeof what##_conditions / sizeof *what##_conditions }

static struct cache_question of(struct cache_question question, const char *family)
{
	question.family = family;
	return question;
}

static void test_what_is_kept(void)
{
	struct cache *cache = cache_new(LIMIT, MAX_AGE);
	struct answer *answer = answer_of(1, 7);
	struct cache_question other, listing = { .kind = CACHE_MULTI, .family = "phones" };
	ASK(single, CACHE_SINGLE, { "id", "=", "6001" });
	ASK(everything, CACHE_MULTI, { "id", "LIKE", "%" });

	CHECK(!cache_put(cache, &single, answer, "one", 1)); /* nobody is followed yet */
	CHECK(!cache_reset(cache, "one", 1, families, family_count, 0));
	CHECK(cache_put(cache, &single, answer, "one", 1));
	CHECK(held(cache, &single, CACHE_FRESH, 0) == 7);
	other = of(single, "PHONES_alias");
	CHECK(held(cache, &other, CACHE_FRESH, 0) == 7);
	other = single;
	other.kind = CACHE_MULTI;
	CHECK(held(cache, &other, CACHE_FRESH, 0) == -1);
	CHECK(put(cache, &other, 0, 1)); /* that there is nothing is an answer too */
	CHECK(held(cache, &other, CACHE_FRESH, 0) == 0);
	other = of(single, "plain");
	CHECK(!cache_put(cache, &other, answer, "two", 1)); /* of somebody who isn't followed */
	other = of(single, "never");
	CHECK(!put(cache, &other, 1, 1));
	other = of(single, "nobody_knows_it");
	CHECK(!put(cache, &other, 1, 1));
	CHECK(put(cache, &listing, 1, 1) && put(cache, &everything, 1, 1));
	listing.family = "plain"; /* its listings hang on another family */
	other = of(everything, "plain");
	CHECK(!put(cache, &listing, 1, 1) && !put(cache, &other, 1, 1));
	answer_drop(answer);
	cache_free(cache);
}

static void test_age(void)
{
	struct cache *cache = following();
	ASK(stale, CACHE_SINGLE, { "id", "=", "6001" });
	struct cache_question plain = of(stale, "plain");

	CHECK(put(cache, &stale, 1, 1) && put(cache, &plain, 1, 1));
	CHECK(held(cache, &stale, CACHE_FRESH, MAX_AGE) == 1 && held(cache, &plain, CACHE_FRESH, MAX_AGE) == 1);
	CHECK(held(cache, &stale, CACHE_FRESH, MAX_AGE + 1) == -1 && held(cache, &plain, CACHE_FRESH, MAX_AGE + 1) == -1);
	CHECK(held(cache, &stale, CACHE_STALE, MAX_AGE + 1) == 1); /* only what may be */
	CHECK(held(cache, &plain, CACHE_STALE, MAX_AGE + 1) == -1);
	cache_heard(cache, "two", 2, NULL, 0, MAX_AGE); /* of somebody who isn't followed */
	CHECK(held(cache, &stale, CACHE_FRESH, MAX_AGE + 1) == -1);
	cache_heard(cache, "one", 2, NULL, 0, MAX_AGE);
	CHECK(held(cache, &stale, CACHE_FRESH, 2 * MAX_AGE) == 1);
	CHECK(!cache_reset(cache, "two", 1, families, family_count, 2 * MAX_AGE));
	CHECK(held(cache, &stale, CACHE_FRESH, 2 * MAX_AGE) == -1 && held(cache, &plain, CACHE_FRESH, 2 * MAX_AGE) == -1);
	CHECK(held(cache, &stale, CACHE_STALE, 2 * MAX_AGE) == 1);
	cache_free(cache);
}

/* Whether an answer, of some rows, falls when a key changes. */
static int falls(const struct cache_question *question, unsigned rows, const char *key)
{
	struct cache *cache = following();
	int fell;

	CHECK(put(cache, question, rows, 1));
	changed(cache, question->family, key, 2, 1);
	fell = held(cache, question, CACHE_FRESH, 1) == -1;
	cache_free(cache);
	return fell;
}

static void test_what_falls(void)
{
	ASK(single, CACHE_SINGLE, { "id", "=", "bob" });
	ASK(number, CACHE_SINGLE, { "id", "=", "7" });
	ASK(spelled, CACHE_SINGLE, { "id", "=", "07" });
	ASK(like, CACHE_MULTI, { "id", "LIKE", "bo_;@%" });
	ASK(escaped, CACHE_MULTI, { "id", "LIKE", "a\\_%" });
	ASK(both, CACHE_MULTI, { "id", "LIKE", "b%" }, { "id", "LIKE", "%z" });
	ASK(another, CACHE_MULTI, { "host", "=", "192.0.2.1" });
	ASK(mixed, CACHE_MULTI, { "id", "=", "bob" }, { "host", "=", "192.0.2.1" });
	ASK(greater, CACHE_MULTI, { "id", ">", "bob" });

	for (unsigned rows = 0; rows < 2; rows++) {
		CHECK(falls(&single, rows, "bob") && falls(&single, rows, "BOB") && falls(&single, rows, NULL));
		CHECK(!falls(&single, rows, "bo") && !falls(&single, rows, "bobby") && !falls(&single, rows, "eve"));
		/* A key that is a number is told of as SQL writes it, but may be asked for in any spelling. */
		CHECK(falls(&number, rows, "7") && !falls(&number, rows, "8") && falls(&spelled, rows, "7") && falls(&spelled, rows, "8"));
		CHECK(falls(&like, rows, "bob;@x") && falls(&like, rows, "BOB;@") && !falls(&like, rows, "bob") && !falls(&like, rows, "bobb;@x"));
		CHECK(falls(&escaped, rows, "a_b") && !falls(&escaped, rows, "axb"));
		CHECK(falls(&both, rows, "buzz") && !falls(&both, rows, "bud") && !falls(&both, rows, "fuzz"));
		/* What names other columns, or compares otherwise, falls with anything. */
		CHECK(falls(&another, rows, "eve") && falls(&mixed, rows, "eve") && falls(&greater, rows, "eve"));
	}
}

static void test_other_families_stay(void)
{
	struct cache *cache = following();
	ASK(phone, CACHE_SINGLE, { "id", "=", "6001" });
	struct cache_question plain = of(phone, "plain");

	CHECK(put(cache, &phone, 1, 1) && put(cache, &plain, 1, 1));
	changed(cache, "plain", NULL, 2, 1);
	CHECK(held(cache, &phone, CACHE_FRESH, 1) == 1 && held(cache, &plain, CACHE_FRESH, 1) == -1);
	cache_free(cache);
}

static void test_key_of_two_columns(void)
{
	struct cache *cache = following();
	ASK(sales, CACHE_MULTI, { "queue", "=", "sales" });
	ASK(ann, CACHE_SINGLE, { "queue", "=", "sales" }, { "member", "=", "ann" });
	ASK(everywhere, CACHE_MULTI, { "member", "=", "ann" });
	struct cache_question of_sales = of(sales, "pairs"), of_ann = of(ann, "pairs"), of_everywhere = of(everywhere, "pairs");
	const char *key[] = { "sales", "bob" };
	struct cache_change change = { .family = "pairs", .key = key, .key_count = 2 };

	CHECK(put(cache, &of_sales, 1, 1) && put(cache, &of_ann, 1, 1) && put(cache, &of_everywhere, 1, 1));
	cache_heard(cache, "one", 2, &change, 1, 1);
	CHECK(held(cache, &of_sales, CACHE_FRESH, 1) == -1);
	CHECK(held(cache, &of_ann, CACHE_FRESH, 1) == 1 && held(cache, &of_everywhere, CACHE_FRESH, 1) == 1);
	key[0] = "support";
	key[1] = "ann";
	cache_heard(cache, "one", 3, &change, 1, 1);
	CHECK(held(cache, &of_ann, CACHE_FRESH, 1) == 1 && held(cache, &of_everywhere, CACHE_FRESH, 1) == -1);
	cache_free(cache);
}

static void test_own_writes(void)
{
	struct cache *cache = following();
	ASK(bob, CACHE_SINGLE, { "id", "=", "bob" });
	ASK(eve, CACHE_SINGLE, { "id", "=", "eve" });
	const char *state[] = { "state" }, *id[] = { "id" };
	struct cache_write write = { .family = "phones_alias", .conditions = bob_conditions, .count = 1, .columns = state, .column_count = 1 };

	CHECK(put(cache, &bob, 1, 1) && put(cache, &eve, 1, 1));
	cache_wrote(cache, &write, NULL, 0);
	CHECK(held(cache, &bob, CACHE_FRESH, 1) == -1 && held(cache, &eve, CACHE_FRESH, 1) == 1);
	cache_wrote(cache, &write, "one", 5);
	CHECK(!put(cache, &bob, 1, 4) && put(cache, &bob, 1, 5)); /* 4 was before the write */
	write.columns = id; /* the row gets another key, which may be anyone's */
	cache_wrote(cache, &write, NULL, 0);
	CHECK(held(cache, &bob, CACHE_FRESH, 1) == -1 && held(cache, &eve, CACHE_FRESH, 1) == -1);
	cache_free(cache);
}

static void test_bounds(void)
{
	struct cache *cache = following();
	struct cache_condition condition = { "id", "=", NULL };
	struct cache_question question = { .kind = CACHE_SINGLE, .family = "phones", .conditions = &condition, .count = 1 };
	struct cache_stats stats;
	char id[16];

	condition.value = id;
	for (int i = 0; i < 20000; i++) {
		snprintf(id, sizeof id, "%d", i);
		CHECK(put(cache, &question, 1, 1));
		CHECK(held(cache, &question, CACHE_FRESH, 1) == 1); /* the newest is never what gives way */
	}
	CHECK(!cache_stats(cache, &stats));
	CHECK(stats.bytes <= LIMIT && stats.evicted > 0 && stats.entries > 1000 && stats.entries + stats.evicted == 20000);
	cache_stats_free(&stats);
	CHECK(!put(cache, &question, LIMIT / 8, 1)); /* larger than all */
	cache_configure(cache, LIMIT / 4, MAX_AGE);
	CHECK(!cache_stats(cache, &stats));
	CHECK(stats.bytes <= LIMIT / 4 && stats.entries > 0);
	cache_stats_free(&stats);
	cache_free(cache);
}

static void test_flush(void)
{
	struct cache *cache = following();
	ASK(bob, CACHE_SINGLE, { "id", "=", "bob" });
	ASK(eve, CACHE_SINGLE, { "id", "=", "eve" });
	struct cache_question plain = of(bob, "plain");
	const char *key = "bob";
	struct cache_change what = { .family = "phones", .key = &key, .key_count = 1 };

	CHECK(put(cache, &bob, 1, 1) && put(cache, &eve, 1, 1) && put(cache, &plain, 1, 1));
	CHECK(cache_flush(cache, &what) == 1);
	CHECK(held(cache, &bob, CACHE_STALE, 1) == -1 && held(cache, &eve, CACHE_FRESH, 1) == 1);
	what.key = NULL;
	what.key_count = 0;
	CHECK(cache_flush(cache, &what) == 1 && held(cache, &plain, CACHE_FRESH, 1) == 1);
	what.family = NULL;
	CHECK(cache_flush(cache, &what) == 1 && held(cache, &plain, CACHE_FRESH, 1) == -1);
	cache_free(cache);
}

int main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;

	test_what_is_kept();
	test_age();
	test_what_falls();
	test_other_families_stay();
	test_key_of_two_columns();
	test_own_writes();
	test_bounds();
	test_flush();
	test_late_fills(10000);
	test_threads(seed, 20000);
	printf("the cache holds what it says\n");
	return 0;
}
