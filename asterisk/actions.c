/* SPDX-License-Identifier: GPL-2.0-only */
/* The same for programs, over the manager; asterism-en_US.xml describes the actions. */
#include "asterisk.h"

#include "asterisk/compiler.h"
#include "asterisk/manager.h"
#include "asterisk/module.h"
#include "asterisk/strings.h"
#include "asterisk/utils.h"

#include "clock.h"
#include "commands.h"
#include "engine.h"

/* Begins a list of events; NULL after an error was sent. */
static struct client *begin(struct mansession *s, const struct message *m, char *what)
{
	struct client *client = client_hold();

	if (client)
		astman_send_listack(s, m, what, "start");
	else
		astman_send_error(s, m, "Asterism is not configured");
	return client;
}

static void event(struct mansession *s, const struct message *m, const char *name)
{
	const char *id = astman_get_header(m, "ActionID");

	astman_append(s, "Event: %s\r\n", name);
	if (!ast_strlen_zero(id))
		astman_append(s, "ActionID: %s\r\n", id);
}

static int end(struct mansession *s, const struct message *m, const char *name, int count)
{
	astman_send_list_complete_start(s, m, name, count);
	astman_send_list_complete_end(s);
	return 0;
}

static int send_servers(struct mansession *s, const struct message *m, struct client *client)
{
	struct servers *servers = client_servers(client);
	size_t count = servers_count(servers);

	for (size_t i = 0; i < count; i++) {
		struct server_stats stats;

		servers_stats(servers, i, &stats);
		event(s, m, "AsterismServer");
		astman_append(s, "Server: %s\r\nState: %s\r\nSeconds: %.1f\r\nOpen: %u\r\nIdle: %u\r\nCalls: %" PRIu64 "\r\nFailures: %" PRIu64 "\r\nRefusals: %" PRIu64 "\r\nWhy: %s\r\n\r\n",
			stats.url, stats.up ? "up" : "away", (double)stats.since / 1000, stats.open, stats.idle, stats.calls, stats.failures, stats.refusals, stats.why);
	}
	return (int)count;
}

static int send_summary(struct mansession *s, const struct message *m, const struct cache_stats *stats)
{
	event(s, m, "AsterismCache");
	astman_append(s, "Instance: %s\r\nRevision: %" PRIu64 "\r\nHeardSecondsAgo: %.1f\r\nAnswers: %zu\r\nBytes: %zu\r\nSize: %zu\r\nResets: %" PRIu64 "\r\nEvicted: %" PRIu64 "\r\n\r\n",
		stats->instance, stats->revision, stats->heard ? (double)(clock_milliseconds() - stats->heard) / 1000 : 0.0, stats->entries, stats->bytes, stats->limit,
		stats->resets, stats->evicted);
	return 1;
}

static int send_families(struct mansession *s, const struct message *m, const struct cache_stats *stats)
{
	int count = 0;

	for (size_t i = 0; i < stats->family_count; i++) {
		const struct cache_family_stats *f = &stats->families[i];

		if (!f->entries && !f->hits && !f->misses && !f->stale_hits && !f->refused)
			continue;
		event(s, m, "AsterismCacheFamily");
		astman_append(s, "Family: %s\r\nAnswers: %zu\r\nNegative: %zu\r\nBytes: %zu\r\nHits: %" PRIu64 "\r\nMisses: %" PRIu64 "\r\nStale: %" PRIu64 "\r\nFallen: %" PRIu64 "\r\nLate: %" PRIu64 "\r\n\r\n",
			f->name, f->entries, f->negative, f->bytes, f->hits, f->misses, f->stale_hits, f->fallen, f->refused);
		count++;
	}
	return count;
}

typedef int (*sender)(struct mansession *s, const struct message *m, const struct cache_stats *stats);

static int send_cache(struct mansession *s, const struct message *m, struct client *client, sender send)
{
	struct cache_stats stats;
	int count;

	if (!client_cache(client) || cache_stats(client_cache(client), &stats))
		return 0;
	count = send_summary(s, m, &stats);
	if (send)
		count += send(s, m, &stats);
	cache_stats_free(&stats);
	return count;
}

static int action_status(struct mansession *s, const struct message *m)
{
	struct client *client = begin(s, m, "Servers and a summary of the cache follow");
	int count;

	if (!client)
		return 0;
	count = send_servers(s, m, client);
	count += send_cache(s, m, client, NULL);
	client_let_go(client);
	return end(s, m, "AsterismStatusComplete", count);
}

static int action_servers(struct mansession *s, const struct message *m)
{
	struct client *client = begin(s, m, "Servers follow");
	int count;

	if (!client)
		return 0;
	count = send_servers(s, m, client);
	client_let_go(client);
	return end(s, m, "AsterismServersComplete", count);
}

static int action_cache(struct mansession *s, const struct message *m)
{
	struct client *client = begin(s, m, "The cache by family follows");
	int count;

	if (!client)
		return 0;
	count = send_cache(s, m, client, send_families);
	client_let_go(client);
	return end(s, m, "AsterismCacheComplete", count);
}

static int action_flush(struct mansession *s, const struct message *m)
{
	struct client *client = client_hold();
	char text[64];

	if (!client) {
		astman_send_error(s, m, "Asterism is not configured");
		return 0;
	}
	snprintf(text, sizeof text, "%zu answers forgotten", commands_flush(client, astman_get_header(m, "Family"), astman_get_header(m, "Key")));
	client_let_go(client);
	astman_send_ack(s, m, text);
	return 0;
}

static const struct {
	const char *name;
	int authority;
	int (*action)(struct mansession *s, const struct message *m);
} actions[] = {
	{ "AsterismStatus", EVENT_FLAG_SYSTEM | EVENT_FLAG_REPORTING, action_status },
	{ "AsterismServers", EVENT_FLAG_SYSTEM | EVENT_FLAG_REPORTING, action_servers },
	{ "AsterismCache", EVENT_FLAG_SYSTEM | EVENT_FLAG_REPORTING, action_cache },
	{ "AsterismFlushCache", EVENT_FLAG_SYSTEM, action_flush },
};

int actions_register(void)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(actions); i++)
		failed |= ast_manager_register_xml(actions[i].name, actions[i].authority, actions[i].action);
	return failed;
}

void actions_deregister(void)
{
	for (size_t i = 0; i < ARRAY_LEN(actions); i++)
		ast_manager_unregister(actions[i].name);
}
