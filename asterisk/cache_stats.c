/* SPDX-License-Identifier: GPL-2.0-only */
#include "cache_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	const struct cache_family_stats *first = a, *second = b;

	return strcmp(first->name, second->name);
}

/* The name is the caller's own, since a reset may come. */
static int describe(struct cache_family_stats *to, const struct family *from)
{
	*to = (struct cache_family_stats){ .name = strdup(from->name), .policy = from->policy, .hits = from->hits, .misses = from->misses,
		.stale_hits = from->stale_hits, .fallen = from->fallen, .refused = from->refused };
	for (const struct entry *entry = from->entries; entry; entry = entry->sibling) {
		to->entries++;
		to->bytes += entry->bytes;
		to->negative += answer_rows(entry->answer) == 0;
	}
	return to->name ? 0 : -1;
}

int cache_stats(struct cache *cache, struct cache_stats *stats)
{
	int failed;

	pthread_mutex_lock(&cache->lock);
	*stats = (struct cache_stats){ .revision = cache->revision, .heard = cache->heard, .limit = cache->limit, .bytes = cache->bytes,
		.entries = cache->entry_count, .resets = cache->resets, .evicted = cache->evicted };
	snprintf(stats->instance, sizeof stats->instance, "%s", cache->instance);
	stats->families = calloc(cache->family_count + 1, sizeof *stats->families);
	failed = !stats->families;
	for (size_t i = 0; !failed && i < cache->family_count; i++) {
		failed = describe(&stats->families[i], &cache->families[i]);
		stats->family_count = i + 1;
	}
	pthread_mutex_unlock(&cache->lock);
	if (failed)
		cache_stats_free(stats);
	else
		qsort(stats->families, stats->family_count, sizeof *stats->families, by_name);
	return failed ? -1 : 0;
}

void cache_stats_free(struct cache_stats *stats)
{
	for (size_t i = 0; i < stats->family_count; i++)
		free((char *)stats->families[i].name);
	free(stats->families);
	stats->families = NULL;
	stats->family_count = 0;
}
