/* SPDX-License-Identifier: GPL-2.0-only */
#include "servers_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "say.h"
#include "soapH.h"

static void end_at(struct timespec *end, int milliseconds)
{
	clock_gettime(CLOCK_MONOTONIC, end);
	end->tv_sec += milliseconds / 1000;
	end->tv_nsec += milliseconds % 1000 * 1000000L;
	if (end->tv_nsec >= 1000000000L) {
		end->tv_nsec -= 1000000000L;
		end->tv_sec++;
	}
}

/* Lends a connection, or NULL: the server is down, or all were in use for too long. */
static struct connection *take(struct servers *servers, struct server *server)
{
	struct connection *connection = NULL;
	struct timespec end;
	int timed_out = 0;

	end_at(&end, dialer_settings(servers->dialer)->answer_timeout);
	pthread_mutex_lock(&servers->lock);
	while (!server->idle && server->open >= servers->connections && !server->down && !timed_out)
		timed_out = pthread_cond_timedwait(&servers->freed, &servers->lock, &end) != 0;
	if (server->idle) {
		connection = server->idle;
		server->idle = connection->next;
	} else if (server->open < servers->connections) {
		server->open++;
		pthread_mutex_unlock(&servers->lock);
		connection = connection_new(servers->dialer);
		pthread_mutex_lock(&servers->lock);
		if (!connection)
			server->open--;
	}
	if (connection)
		server->calls++;
	pthread_mutex_unlock(&servers->lock);
	return connection;
}

static void give(struct servers *servers, struct server *server, struct connection *connection)
{
	connection->idle_since = clock_milliseconds();
	pthread_mutex_lock(&servers->lock);
	connection->next = server->idle;
	server->idle = connection;
	pthread_cond_signal(&servers->freed);
	pthread_mutex_unlock(&servers->lock);
}

/* Notes that a server does not answer. */
void server_lost(struct servers *servers, struct server *server, const char *why)
{
	int64_t now = clock_milliseconds();
	int was_up;

	pthread_mutex_lock(&servers->lock);
	server->failures++;
	was_up = !server->down;
	if (was_up) {
		/* One that goes and comes all the time is not probed ever faster. */
		server->back_off = now - server->changed > STEADY ? BACK_OFF_LEAST : server->back_off;
		server->changed = now;
	}
	server->down = 1;
	snprintf(server->why, sizeof server->why, "%s", why);
	server->probe_at = now + server->back_off;
	server->back_off = server->back_off * 2 > BACK_OFF_MOST ? BACK_OFF_MOST : server->back_off * 2;
	pthread_cond_broadcast(&servers->freed);
	pthread_mutex_unlock(&servers->lock);
	if (was_up)
		say(SAY_WARNING, "asterism: server %s is away: %s", server->url, why);
}

/* Has the keeper look whether a server answers at all. */
static void server_doubted(struct servers *servers, struct server *server)
{
	pthread_mutex_lock(&servers->lock);
	server->doubted = 1;
	pthread_mutex_unlock(&servers->lock);
}

void server_back(struct servers *servers, struct server *server)
{
	int64_t now = clock_milliseconds(), away;
	int was_down;

	pthread_mutex_lock(&servers->lock);
	was_down = server->down;
	away = now - server->changed;
	if (was_down) {
		server->down = 0;
		server->changed = now;
	}
	pthread_mutex_unlock(&servers->lock);
	if (was_down)
		say(SAY_NOTICE, "asterism: server %s answers again, after %.1f seconds", server->url, (double)away / 1000);
}

/* How one attempt ended. */
enum attempt { ANSWERED, REFUSED, UNWILLING, LOST, STALE };

static void tell(struct connection *connection, char *why, size_t size)
{
	struct soap *soap = connection->soap;
	const char **text;
	size_t used;

	if (soap->error == SOAP_FAULT || soap->error == SOAP_CLI_FAULT || soap->error == SOAP_SVR_FAULT) {
		text = soap_faultstring(soap);
		snprintf(why, size, "%s", text && *text ? *text : "a fault without a reason");
		return;
	}
	if (soap->error == 401 || soap->error == 403) {
		snprintf(why, size, "HTTP %d: it refuses this client; see user and password_file in asterism.conf, and [clients] in the server's asterism.toml", soap->error);
		return;
	}
	soap_sprint_fault(soap, why, size);
	for (used = 0; why[used]; used++)
		if (why[used] == '\n' || why[used] == '\r')
			why[used] = ' ';
	if (!connection->opened && !connection->sent)
		return;
	if (soap->error == SOAP_EOF)
		snprintf(why, size, connection->received ? "it broke off in the middle of an answer" : "no answer in time, or none at all");
}

static int is_clients_fault(struct soap *soap)
{
	const char **code = soap_faultcode(soap);

	return code && *code && (strstr(*code, "Client") || strstr(*code, "Sender"));
}

static enum attempt try(struct servers *servers, struct server *server, struct servers_asking *asking)
{
	const struct dialing *dialing = dialer_settings(servers->dialer);
	struct connection *connection = asking->connection;
	int patience = asking->patience ? asking->patience : dialing->answer_timeout;
	int64_t begun = clock_milliseconds();
	struct soap *soap = connection->soap;
	int status;

	connection_ready(connection, dialing, patience);
	status = asking->call(soap, server->url, asking->data);
	if (status == SOAP_OK)
		return ANSWERED;
	tell(connection, asking->why, sizeof asking->why);
	if (status == SOAP_FAULT || status == SOAP_CLI_FAULT || status == SOAP_SVR_FAULT)
		return is_clients_fault(soap) ? REFUSED : UNWILLING;
	if (status == 503)
		return UNWILLING;
	connection_close(connection);
	/* A kept connection that ends at once says that it was old, not that the server is gone. */
	if (!connection->opened && clock_milliseconds() - begun < patience)
		return STALE;
	return LOST;
}

/* Asks one server, twice if the first connection was an old one. */
static enum attempt ask_one(struct servers *servers, struct server *server, struct servers_asking *asking)
{
	enum attempt attempt;

	asking->connection = take(servers, server);
	if (!asking->connection) {
		snprintf(asking->why, sizeof asking->why, "all %u connections to it are in use", servers->connections);
		return UNWILLING;
	}
	attempt = try(servers, server, asking);
	if (attempt == STALE && !(asking->once && asking->connection->sent)) {
		asking->repeated |= asking->connection->sent;
		attempt = try(servers, server, asking);
	}
	return attempt;
}

static enum servers_outcome ended(struct servers *servers, struct server *server, enum attempt attempt)
{
	if (attempt == ANSWERED)
		return SERVERS_ANSWERED;
	pthread_mutex_lock(&servers->lock);
	server->refusals++;
	pthread_mutex_unlock(&servers->lock);
	return SERVERS_REFUSED;
}

static int is_down(struct servers *servers, struct server *server)
{
	int down;

	pthread_mutex_lock(&servers->lock);
	down = server->down;
	pthread_mutex_unlock(&servers->lock);
	return down;
}

enum servers_outcome servers_ask(struct servers *servers, struct servers_asking *asking)
{
	enum servers_outcome outcome = SERVERS_AWAY;

	snprintf(asking->why, sizeof asking->why, "no server answers");
	asking->connection = NULL;
	asking->repeated = 0;
	for (size_t i = 0; i < servers->count; i++) {
		struct server *server = &servers->server[i];
		enum attempt attempt;
		int sent;

		if (asking->server >= 0 ? (size_t)asking->server != i : is_down(servers, server))
			continue;
		asking->asked = (int)i;
		attempt = ask_one(servers, server, asking);
		if (attempt == ANSWERED || attempt == REFUSED)
			return ended(servers, server, attempt);
		sent = asking->connection && asking->connection->sent;
		servers_done(servers, asking);
		if (attempt == UNWILLING) { /* and has not done it */
			outcome = ended(servers, server, attempt);
			continue;
		}
		if (asking->gently)
			server_doubted(servers, server);
		else
			server_lost(servers, server, asking->why);
		if (sent && asking->once)
			return SERVERS_UNKNOWN;
		asking->repeated |= sent;
	}
	return outcome;
}

void servers_done(struct servers *servers, struct servers_asking *asking)
{
	if (!asking->connection)
		return;
	connection_forget(asking->connection);
	give(servers, &servers->server[asking->asked], asking->connection);
	asking->connection = NULL;
}

int servers_first(struct servers *servers)
{
	int first = -1;

	pthread_mutex_lock(&servers->lock);
	for (size_t i = 0; i < servers->count && first < 0; i++)
		if (!servers->server[i].down)
			first = (int)i;
	pthread_mutex_unlock(&servers->lock);
	return first;
}

int servers_patience(struct servers *servers)
{
	return dialer_settings(servers->dialer)->answer_timeout;
}

size_t servers_count(const struct servers *servers)
{
	return servers->count;
}

void servers_stats(struct servers *servers, size_t number, struct server_stats *stats)
{
	struct server *server = &servers->server[number];

	pthread_mutex_lock(&servers->lock);
	*stats = (struct server_stats){ .url = server->url, .up = !server->down, .since = clock_milliseconds() - server->changed,
		.open = server->open, .calls = server->calls, .failures = server->failures, .refusals = server->refusals };
	for (struct connection *idle = server->idle; idle; idle = idle->next)
		stats->idle++;
	snprintf(stats->why, sizeof stats->why, "%s", server->down ? server->why : "");
	pthread_mutex_unlock(&servers->lock);
}

static void monotonic(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}

struct servers *servers_new(const struct servers_settings *settings, char *error, size_t size)
{
	struct servers *servers = calloc(1, sizeof *servers + settings->count * sizeof servers->server[0]);

	snprintf(error, size, "no memory");
	if (!servers)
		return NULL;
	pthread_mutex_init(&servers->lock, NULL);
	monotonic(&servers->freed);
	monotonic(&servers->ending);
	servers->connections = settings->connections;
	servers->idle_time = settings->idle_time;
	for (; servers->count < settings->count; servers->count++) {
		struct server *server = &servers->server[servers->count];

		server->url = strdup(settings->urls[servers->count]);
		server->changed = clock_milliseconds();
		server->back_off = BACK_OFF_LEAST;
		if (!server->url)
			break;
	}
	servers->dialer = servers->count == settings->count ? dialer_new(&settings->dialing, error, size) : NULL;
	if (!servers->dialer || pthread_create(&servers->keeper, NULL, servers_keep, servers)) {
		servers->ended = 1;
		servers_free(servers);
		return NULL;
	}
	return servers;
}

void servers_free(struct servers *servers)
{
	int running;

	pthread_mutex_lock(&servers->lock);
	running = !servers->ended;
	servers->ended = 1;
	pthread_cond_broadcast(&servers->ending);
	pthread_mutex_unlock(&servers->lock);
	if (running)
		pthread_join(servers->keeper, NULL);
	for (size_t i = 0; i < servers->count; i++) {
		while (servers->server[i].idle) {
			struct connection *idle = servers->server[i].idle;

			servers->server[i].idle = idle->next;
			connection_free(idle);
		}
		free(servers->server[i].url);
	}
	dialer_free(servers->dialer);
	pthread_cond_destroy(&servers->freed);
	pthread_cond_destroy(&servers->ending);
	pthread_mutex_destroy(&servers->lock);
	free(servers);
}
