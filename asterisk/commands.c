/* SPDX-License-Identifier: GPL-2.0-only */
/* What a person types: asterism show status, show servers, show cache, flush cache. */
#include "asterisk.h"

#include "asterisk/cli.h"
#include "asterisk/compiler.h"
#include "asterisk/strings.h"
#include "asterisk/utils.h"

#include "clock.h"
#include "commands.h"
#include "engine.h"

static double seconds(int64_t milliseconds)
{
	return (double)milliseconds / 1000;
}

static void show_server(int fd, const struct server_stats *s, const char *mark)
{
	ast_cli(fd, "%1s %-48s %-5s %9.1f %5u %5u %12" PRIu64 " %9" PRIu64 " %9" PRIu64 "  %s\n", mark, s->url, s->up ? "up" : "away",
		seconds(s->since), s->open, s->idle, s->calls, s->failures, s->refusals, s->why);
}

static void show_servers(int fd, struct client *client)
{
	struct servers *servers = client_servers(client);
	int first = servers_first(servers);

	ast_cli(fd, "%1s %-48s %-5s %9s %5s %5s %12s %9s %9s  %s\n", "", "server", "state", "seconds", "open", "idle", "calls", "failures", "refusals", "why");
	for (size_t i = 0; i < servers_count(servers); i++) {
		struct server_stats stats;

		servers_stats(servers, i, &stats);
		show_server(fd, &stats, (int)i == first ? "*" : "");
	}
}

static const char *policy_name(enum cache_policy policy)
{
	return policy == CACHE_NOT ? "no" : policy == CACHE_PLAIN ? "yes" : "stale";
}

static int is_used(const struct cache_family_stats *f)
{
	return f->entries || f->hits || f->misses || f->stale_hits || f->refused;
}

static void show_families(int fd, const struct cache_stats *stats)
{
	ast_cli(fd, "%-28s %-5s %9s %9s %11s %12s %12s %9s %9s %9s\n", "family", "kept", "answers", "of none", "bytes", "hits", "misses", "stale", "fallen", "late");
	for (size_t i = 0; i < stats->family_count; i++) {
		const struct cache_family_stats *f = &stats->families[i];

		if (is_used(f))
			ast_cli(fd, "%-28s %-5s %9zu %9zu %11zu %12" PRIu64 " %12" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "\n", f->name, policy_name(f->policy),
				f->entries, f->negative, f->bytes, f->hits, f->misses, f->stale_hits, f->fallen, f->refused);
	}
}

static void show_summary(int fd, const struct cache_stats *stats)
{
	ast_cli(fd, "Follows instance %s at revision %" PRIu64 ", heard %.1f seconds ago\n", S_OR(stats->instance, "none yet"), stats->revision,
		stats->heard ? seconds(clock_milliseconds() - stats->heard) : 0.0);
	ast_cli(fd, "%zu answers in %zu of %zu bytes; emptied %" PRIu64 " times, %" PRIu64 " answers gave way to others\n", stats->entries, stats->bytes, stats->limit,
		stats->resets, stats->evicted);
}

/* How much a person wants to see of the cache. */
enum detail { SUMMARY, FAMILIES };

static void show_cache(int fd, struct client *client, enum detail detail)
{
	struct cache_stats stats;

	if (!client_cache(client)) {
		ast_cli(fd, "No cache: size = 0 in [cache] of asterism.conf\n");
		return;
	}
	if (cache_stats(client_cache(client), &stats))
		return;
	show_summary(fd, &stats);
	if (detail == FAMILIES)
		show_families(fd, &stats);
	cache_stats_free(&stats);
}

static void show_status(int fd, struct client *client)
{
	show_servers(fd, client);
	show_cache(fd, client, SUMMARY);
}

static void show_whole_cache(int fd, struct client *client)
{
	show_cache(fd, client, FAMILIES);
}

static char *show(const struct ast_cli_entry *e, const struct ast_cli_args *a, void (*what)(int fd, struct client *client))
{
	struct client *client;

	if (a->argc != e->args)
		return CLI_SHOWUSAGE;
	client = client_hold();
	if (!client)
		return CLI_FAILURE;
	what(a->fd, client);
	client_let_go(client);
	return CLI_SUCCESS;
}

static char *describe(struct ast_cli_entry *e, char *command, const char *usage)
{
	e->command = command;
	e->usage = usage;
	return NULL;
}

static char *cli_status(struct ast_cli_entry *e, int command, struct ast_cli_args *a)
{
	if (command == CLI_INIT)
		return describe(e, "asterism show status", "Usage: asterism show status\n       Which servers answer, and what the cache holds.\n");
	return command == CLI_GENERATE ? NULL : show(e, a, show_status);
}

static char *cli_servers(struct ast_cli_entry *e, int command, struct ast_cli_args *a)
{
	if (command == CLI_INIT)
		return describe(e, "asterism show servers", "Usage: asterism show servers\n       The servers in order of preference; * is asked first.\n");
	return command == CLI_GENERATE ? NULL : show(e, a, show_servers);
}

static char *cli_cache(struct ast_cli_entry *e, int command, struct ast_cli_args *a)
{
	if (command == CLI_INIT)
		return describe(e, "asterism show cache",
			"Usage: asterism show cache\n"
			"       The cache by family: answers kept and how many of them say that there is nothing,\n"
			"       hits and misses, answers given while no server answered (stale), answers that fell\n"
			"       because of a change, and answers that came too late to be kept.\n");
	return command == CLI_GENERATE ? NULL : show(e, a, show_whole_cache);
}

size_t commands_flush(struct client *client, const char *family, const char *key)
{
	const char *texts[8];
	struct cache_change what = { .family = S_OR(family, NULL), .key = texts };
	char *rest = ast_strdupa(S_OR(key, "")), *text;

	while (!ast_strlen_zero(key) && what.key_count < ARRAY_LEN(texts) && (text = strsep(&rest, ",")))
		texts[what.key_count++] = text;
	return client_cache(client) ? cache_flush(client_cache(client), &what) : 0;
}

static char *cli_flush(struct ast_cli_entry *e, int command, struct ast_cli_args *a)
{
	struct client *client;

	if (command == CLI_INIT)
		return describe(e, "asterism flush cache",
			"Usage: asterism flush cache [family [key]]\n"
			"       Forgets all answers, those of a family, or those about one row; the texts of a key are joined by commas.\n");
	if (command == CLI_GENERATE)
		return NULL;
	if (a->argc < e->args || a->argc > e->args + 2)
		return CLI_SHOWUSAGE;
	client = client_hold();
	if (!client)
		return CLI_FAILURE;
	ast_cli(a->fd, "%zu answers forgotten\n", commands_flush(client, a->argc > 3 ? a->argv[3] : NULL, a->argc > 4 ? a->argv[4] : NULL));
	client_let_go(client);
	return CLI_SUCCESS;
}

static struct ast_cli_entry commands[] = {
	AST_CLI_DEFINE(cli_status, "Show Asterism's servers and cache"),
	AST_CLI_DEFINE(cli_servers, "Show Asterism's servers"),
	AST_CLI_DEFINE(cli_cache, "Show the cache of Asterism's answers"),
	AST_CLI_DEFINE(cli_flush, "Forget Asterism's answers"),
};

int commands_register(void)
{
	return ast_cli_register_multiple(commands, ARRAY_LEN(commands)) || actions_register() ? -1 : 0;
}

void commands_deregister(void)
{
	actions_deregister();
	ast_cli_unregister_multiple(commands, ARRAY_LEN(commands));
}
