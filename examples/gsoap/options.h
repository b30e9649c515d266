/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line asks for. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>
#include <stdio.h>

enum {
	OPTIONS_REQUESTS = 10 * 1000 * 1000,
	OPTIONS_TIMEOUT_MS = 60 * 1000
};

struct options {
	const char *url;
	const char *host; /* for the header Host; NULL: as in the URL */
	const char *numbers;
	uint64_t rows; /* of the file of numbers; 0: not known */
	uint64_t requests;
	uint64_t timeout_ms; /* of one request */
	uint64_t seed;
	uint64_t stream; /* sets apart processes that share a seed */
	int new_connections;
	int soap; /* 1: SOAP 1.1, 2: SOAP 1.2 */
	int wait; /* say that all is ready, then wait for a line */
};

void options_usage(FILE *out);
/* Returns 0, or -1 after a complaint on standard error. */
int options_parse(struct options *options, int argc, char **argv);

#endif
