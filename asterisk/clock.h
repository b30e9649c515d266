/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ASTERISM_CLOCK_H
#define ASTERISM_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Milliseconds of a clock that nobody sets. */
static inline int64_t clock_milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
