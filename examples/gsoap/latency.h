/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often each latency was seen, in microseconds to three digits. */
#ifndef LATENCY_H
#define LATENCY_H

#include <stdint.h>
#include <stdio.h>

/*
 * One counter for each microsecond up to 2,047; from there on 1,024 counters
 * for each doubling, up to the 26 bits of a minute. The memory stays the same
 * however many requests are measured.
 */
enum { LATENCY_EXACT = 2048, LATENCY_HALF = 1024, LATENCY_DOUBLINGS = 15 };

struct latencies {
	uint32_t counts[LATENCY_EXACT + LATENCY_DOUBLINGS * LATENCY_HALF];
};

void latency_record(struct latencies *latencies, int64_t nanoseconds);
/* Writes [[microseconds,count],...], as JSON. */
void latency_write(const struct latencies *latencies, FILE *out);

#endif
