/* SPDX-License-Identifier: GPL-2.0-only */
/* What a client asks for, in gSOAP's words. */
#include "client_calls.h"

#include <stdio.h>
#include <string.h>

#include "say.h"

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return hash;
}

/* Says what a server refuses, once for each reason. */
static void refused(struct client *client, const char *what, const char *family, const char *why)
{
	char line[512];
	uint64_t hash;
	int known = 0;

	snprintf(line, sizeof line, "asterism: %s %s: %s", what, family, why);
	hash = hash_of(line);
	pthread_mutex_lock(&client->lock);
	for (size_t i = 0; i < sizeof client->said / sizeof client->said[0]; i++)
		known = known || client->said[i] == hash;
	if (!known)
		client->said[client->said_next++ % (sizeof client->said / sizeof client->said[0])] = hash;
	pthread_mutex_unlock(&client->lock);
	if (!known)
		say(SAY_WARNING, "%s", line);
}

enum servers_outcome client_ask(struct client *client, struct servers_asking *asking, const char *what, const char *family)
{
	enum servers_outcome outcome;

	asking->server = -1;
	outcome = servers_ask(client->servers, asking);
	if (outcome == SERVERS_REFUSED)
		refused(client, what, family, asking->why);
	else if (outcome == SERVERS_UNKNOWN)
		say(SAY_ERROR, "asterism: %s %s: %s; it is not sent again, since it may have been done", what, family, asking->why);
	return outcome;
}

char *soap_text(const char *constant)
{
	return (char *)(constant ? constant : "");
}

struct ns1__Condition *soap_conditions(struct soap *soap, const struct cache_condition *from, size_t count)
{
	struct ns1__Condition *to = soap_malloc(soap, (count + 1) * sizeof *to);

	for (size_t i = 0; to && i < count; i++) {
		to[i].column = soap_text(from[i].column);
		to[i].operator_ = strcmp(from[i].operator, "=") ? soap_text(from[i].operator) : NULL;
		to[i].value = soap_text(from[i].value);
	}
	return to;
}

struct ns1__Field *soap_fields(struct soap *soap, const struct client_field *from, size_t count)
{
	struct ns1__Field *to = soap_malloc(soap, (count + 1) * sizeof *to);

	for (size_t i = 0; to && i < count; i++) {
		to[i].name = soap_text(from[i].name);
		to[i].value = soap_text(from[i].value);
	}
	return to;
}
