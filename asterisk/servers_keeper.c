/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to servers and connections while nobody asks. */
#include "servers_internal.h"

#include "clock.h"
#include "soapH.h"

enum { EVERY = 100 }; /* milliseconds */

/* The smallest question: anything that the server answers by itself will do. */
static int probe(struct soap *soap, const char *url, void *data)
{
	struct _ns1__GetCodecs question = { .number = "" };
	struct _ns1__GetCodecsResponse answer;

	(void)data;
	return soap_call___ns1__GetCodecs(soap, url, NULL, &question, &answer);
}

static int is_due(struct servers *servers, struct server *server)
{
	int due;

	pthread_mutex_lock(&servers->lock);
	due = server->doubted || (server->down && clock_milliseconds() >= server->probe_at);
	server->doubted = 0;
	pthread_mutex_unlock(&servers->lock);
	return due;
}

static void probe_lost(struct servers *servers)
{
	for (size_t i = 0; i < servers->count; i++) {
		struct servers_asking asking = { .call = probe, .server = (int)i };
		enum servers_outcome outcome;

		if (!is_due(servers, &servers->server[i]))
			continue;
		outcome = servers_ask(servers, &asking); /* notes by itself that it is still away */
		servers_done(servers, &asking);
		if (outcome == SERVERS_ANSWERED || outcome == SERVERS_REFUSED)
			server_back(servers, &servers->server[i]);
	}
}

/* Unlinks the connections of a server that were not used for a while. */
static struct connection *unlink_idle(struct servers *servers, struct server *server)
{
	int64_t now = clock_milliseconds();
	struct connection *old = NULL, **place = &server->idle;

	while (*place) {
		struct connection *connection = *place;

		if (now - connection->idle_since < servers->idle_time && !server->down) {
			place = &connection->next;
			continue;
		}
		*place = connection->next;
		connection->next = old;
		old = connection;
		server->open--;
	}
	return old;
}

/* Gives memory of connections back that are kept and weren't used just now. */
static void trim(struct server *server)
{
	int64_t now = clock_milliseconds();

	for (struct connection *idle = server->idle; idle; idle = idle->next)
		if (idle->untrimmed && now - idle->idle_since > 10 * EVERY)
			connection_trim(idle);
}

static void close_idle(struct servers *servers)
{
	for (size_t i = 0; i < servers->count; i++) {
		struct connection *old;

		pthread_mutex_lock(&servers->lock);
		old = unlink_idle(servers, &servers->server[i]);
		trim(&servers->server[i]);
		pthread_mutex_unlock(&servers->lock);
		while (old) {
			struct connection *next = old->next;

			connection_free(old);
			old = next;
		}
	}
}

/* Waits for the next round; tells whether there is one. */
static int wait_a_while(struct servers *servers)
{
	struct timespec end;
	int ended;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += EVERY * 1000000L;
	end.tv_sec += end.tv_nsec / 1000000000L;
	end.tv_nsec %= 1000000000L;
	pthread_mutex_lock(&servers->lock);
	while (!servers->ended && pthread_cond_timedwait(&servers->ending, &servers->lock, &end) == 0)
		;
	ended = servers->ended;
	pthread_mutex_unlock(&servers->lock);
	return !ended;
}

void *servers_keep(void *data)
{
	struct servers *servers = data;

	while (wait_a_while(servers)) {
		probe_lost(servers);
		close_idle(servers);
	}
	return NULL;
}
