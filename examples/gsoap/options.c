/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void options_usage(FILE *out)
{
	fputs("usage: codecs --numbers FILE [OPTION...]\n"
	      "Asks a server for the codecs of random numbers and reports as JSON how long it took.\n"
	      "  --numbers FILE      CSV, first line number,codecs; without codecs any answer is right\n"
	      "  --url URL           default http://127.0.0.1:8640/soap\n"
	      "  -2                  speak SOAP 1.2; default SOAP 1.1\n"
	      "  --requests N        default 5000\n"
	      "  --new-connections   a new TCP connection for each request; default keep-alive\n"
	      "  --seed N            start of the random choice; default 1\n"
	      "  --timeout-ms N      for one request; default 10000\n"
	      "for asterism bench, which starts several of these:\n"
	      "  --door soap         the protocol; there is no other here\n"
	      "  --host NAME         the header Host; default: as in the URL\n"
	      "  --rows N            how many numbers the file must have\n"
	      "  --stream N          another random choice for the same seed\n"
	      "  --wait              print that all is ready, begin at the next line of standard input\n",
	      out);
}

/* Options that stand for a number; long options have no letter. */
enum { URL = 256, NUMBERS, REQUESTS, TIMEOUT, SEED, STREAM, ROWS, HOST, DOOR, NEW, WAIT, HELP };

static int complain(const char *name, const char *value, const char *wanted)
{
	fprintf(stderr, "codecs: --%s %s: %s\n", name, value, wanted);
	return -1;
}

static int number(const char *name, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(optarg, &end, 10);
	/* strtoull takes a minus sign and blanks, too. */
	if (!isdigit((unsigned char)*optarg) || *end || errno)
		return complain(name, optarg, "is no number");
	return 0;
}

static int take(struct options *options, int letter, const char *name)
{
	switch (letter) {
	case URL: options->url = optarg; return 0;
	case HOST: options->host = optarg; return 0;
	case NUMBERS: options->numbers = optarg; return 0;
	case REQUESTS: return number(name, &options->requests);
	case TIMEOUT: return number(name, &options->timeout_ms);
	case SEED: return number(name, &options->seed);
	case STREAM: return number(name, &options->stream);
	case ROWS: return number(name, &options->rows);
	case NEW: options->new_connections = 1; return 0;
	case WAIT: options->wait = 1; return 0;
	case '2': options->soap = 2; return 0;
	case DOOR: return strcmp(optarg, "soap") ? complain(name, optarg, "this client speaks soap only") : 0;
	case HELP: options_usage(stdout); exit(0);
	}
	options_usage(stderr);
	return -1;
}

static int check(const struct options *options, int left)
{
	if (left) {
		options_usage(stderr);
		return -1;
	}
	if (!options->numbers) {
		fprintf(stderr, "codecs: no file of numbers; name one with --numbers\n");
		return -1;
	}
	if (options->requests < 1 || options->requests > OPTIONS_REQUESTS) {
		fprintf(stderr, "codecs: %" PRIu64 " requests are not between 1 and %d\n", options->requests, OPTIONS_REQUESTS);
		return -1;
	}
	if (options->timeout_ms < 1 || options->timeout_ms > OPTIONS_TIMEOUT_MS) {
		fprintf(stderr, "codecs: a timeout of %" PRIu64 " ms is not between 1 and %d\n", options->timeout_ms, OPTIONS_TIMEOUT_MS);
		return -1;
	}
	return 0;
}

int options_parse(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {
		{ "url", required_argument, NULL, URL },
		{ "numbers", required_argument, NULL, NUMBERS },
		{ "requests", required_argument, NULL, REQUESTS },
		{ "timeout-ms", required_argument, NULL, TIMEOUT },
		{ "seed", required_argument, NULL, SEED },
		{ "stream", required_argument, NULL, STREAM },
		{ "rows", required_argument, NULL, ROWS },
		{ "host", required_argument, NULL, HOST },
		{ "door", required_argument, NULL, DOOR },
		{ "new-connections", no_argument, NULL, NEW },
		{ "wait", no_argument, NULL, WAIT },
		{ "help", no_argument, NULL, HELP },
		{ NULL, 0, NULL, 0 }
	};
	int letter, at = 0;

	*options = (struct options){
		.url = "http://127.0.0.1:8640/soap",
		.requests = 5000,
		.timeout_ms = 10 * 1000,
		.seed = 1,
		.soap = 1,
	};
	while ((letter = getopt_long(argc, argv, "2", known, &at)) != -1) {
		if (take(options, letter, known[at].name))
			return -1;
	}
	return check(options, argc - optind);
}
