/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks a server for the codecs of random numbers in a tight loop, one request in
 * flight, and reports how long that took: the test program of the first
 * experiment of 2004, with stubs that gSOAP makes from the server's WSDL.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "ask.h"
#include "latency.h"
#include "numbers.h"
#include "options.h"

/* How many requests in a row may run into their timeout before the server is
 * taken for gone and the rest counts as errors unasked. */
enum { PATIENCE = 3 };

struct report {
	uint64_t errors;
	char first_error[512];
	int64_t started, finished; /* of the wall clock, which all processes share */
	double cpu_seconds;
	struct latencies latencies;
};

/* Folds a seed into 16 bits. */
static unsigned short folded(uint64_t value)
{
	return (unsigned short)(value ^ value >> 16 ^ value >> 32 ^ value >> 48);
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* The largest resident memory in bytes. ru_maxrss is not it: that one also
 * counts what the parent had at the fork. */
static int64_t max_rss(void)
{
	char line[128];
	int64_t kibibytes = 0;
	FILE *status = fopen("/proc/self/status", "r");

	if (!status)
		return 0;
	while (fgets(line, sizeof line, status)) {
		if (sscanf(line, "VmHWM: %" SCNd64, &kibibytes) == 1)
			break;
	}
	fclose(status);
	return kibibytes << 10;
}

static void loop(struct asking *asking, const struct numbers *numbers, struct report *report)
{
	const struct options *options = asking->options;
	unsigned short chance[3] = { folded(options->stream), folded(options->seed >> 16), folded(options->seed) };
	int timeouts = 0;

	for (uint64_t done = 0; done < options->requests; done++) {
		size_t row = (size_t)nrand48(chance) % numbers->count;
		if (!ask(asking, numbers_number(numbers, row), numbers->checked ? numbers_codecs(numbers, row) : NULL)) {
			latency_record(&report->latencies, asking->took);
			timeouts = 0;
			continue;
		}
		if (!report->errors++)
			memcpy(report->first_error, asking->fault, sizeof report->first_error);
		timeouts = asking->took < (int64_t)options->timeout_ms * 1000000 ? 0 : timeouts + 1;
		if (timeouts == PATIENCE) {
			report->errors += options->requests - done - 1;
			return;
		}
	}
}

static void write_string(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static int write_report(const struct report *report, const struct options *options, FILE *out)
{
	fprintf(out, "{\"client\":\"gsoap\",\"requests\":%" PRIu64 ",\"errors\":%" PRIu64, options->requests, report->errors);
	if (report->errors) {
		fputs(",\"first_error\":", out);
		write_string(report->first_error, out);
	}
	fprintf(out, ",\"started_ns\":%" PRId64 ",\"finished_ns\":%" PRId64, report->started, report->finished);
	fprintf(out, ",\"cpu_seconds\":%.6f,\"max_rss_bytes\":%" PRId64 ",\"latencies_us\":", report->cpu_seconds, max_rss());
	latency_write(&report->latencies, out);
	fputs("}\n", out);
	if (!fflush(out) && !ferror(out))
		return 0;
	perror("codecs: write the report");
	return 1;
}

/* Says that all is ready and waits for any line. */
static int await_start(void)
{
	int c;

	puts("{\"ready\":true}");
	fflush(stdout);
	while ((c = getchar()) != EOF) {
		if (c == '\n')
			return 0;
	}
	fprintf(stderr, "codecs: wait for the start: the parent has gone\n");
	return 1;
}

int main(int argc, char **argv)
{
	static struct report report;
	static struct numbers numbers;
	struct options options;
	struct asking asking;

	if (options_parse(&options, argc, argv))
		return 2;
	if (numbers_load(&numbers, options.numbers))
		return 1;
	if (options.rows && options.rows != numbers.count) {
		fprintf(stderr, "codecs: numbers file %s has %zu numbers and not %" PRIu64 ": it changed while it was in use; start again\n",
			options.numbers, numbers.count, options.rows);
		return 1;
	}
	if (ask_open(&asking, &options)) {
		fprintf(stderr, "codecs: no memory for gSOAP\n");
		return 1;
	}
	if (options.wait && await_start())
		return 1;
	report.cpu_seconds = -cpu_seconds();
	report.started = clock_now(CLOCK_REALTIME);
	loop(&asking, &numbers, &report);
	report.finished = clock_now(CLOCK_REALTIME);
	report.cpu_seconds += cpu_seconds();
	ask_close(&asking);
	return write_report(&report, &options, stdout);
}
