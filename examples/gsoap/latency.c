/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "latency.h"

#include <inttypes.h>

/* The longest latency that is told apart; longer ones are counted as this. */
static const int64_t longest = 60 * 1000 * 1000;

void latency_record(struct latencies *latencies, int64_t nanoseconds)
{
	int64_t value = nanoseconds / 1000;
	int shift = 0;

	if (value < 0)
		value = 0;
	if (value > longest)
		value = longest;
	while (value >> shift >= LATENCY_EXACT)
		shift++;
	/* After the shift the value is at least LATENCY_HALF, unless there was none. */
	latencies->counts[shift * LATENCY_HALF + (value >> shift)]++;
}

/* The smallest value that a counter counts. */
static int64_t lowest(int at)
{
	int shift = at < LATENCY_EXACT ? 0 : at / LATENCY_HALF - 1;

	return (int64_t)(at - shift * LATENCY_HALF) << shift;
}

void latency_write(const struct latencies *latencies, FILE *out)
{
	const int counters = sizeof latencies->counts / sizeof *latencies->counts;
	const char *separator = "";

	putc('[', out);
	for (int at = 0; at < counters; at++) {
		if (!latencies->counts[at])
			continue;
		fprintf(out, "%s[%" PRId64 ",%" PRIu32 "]", separator, lowest(at), latencies->counts[at]);
		separator = ",";
	}
	putc(']', out);
}
