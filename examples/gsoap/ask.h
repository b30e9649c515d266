/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One question by gSOAP, timed and checked. */
#ifndef ASK_H
#define ASK_H

#include <stdint.h>

#include "options.h"

struct soap;

struct asking {
	struct soap *soap;
	const struct options *options;
	int64_t answered;  /* when gSOAP ended the connection of this call, or 0 */
	int64_t took;      /* nanoseconds of the latest call */
	char fault[512];   /* what was wrong with the latest answer */
};

/* Returns 0, or -1 when there is no memory. */
int ask_open(struct asking *asking, const struct options *options);
/* Asks for the codecs of a number. Returns 0 when the answer came and is right;
 * codecs is NULL when any answer is. */
int ask(struct asking *asking, const char *number, const char *codecs);
void ask_close(struct asking *asking);

/* Nanoseconds of the clock, wall or monotonic. */
int64_t clock_now(int clock);

#endif
