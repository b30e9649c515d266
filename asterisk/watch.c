/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread that follows the first server that answers: one Watch after the other,
 * each answered when something changed and after a second at the latest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client_calls.h"
#include "clock.h"
#include "say.h"

enum {
	WATCH_TIME = 1000, /* the server answers within this, in milliseconds */
	PAUSE = 100,       /* before the next try, in milliseconds */
};

/* Where the thread stands. */
struct watching {
	struct client *client;
	int server;
	char instance[64]; /* empty: nothing known yet */
	ULONG64 revision;
	char **families; /* whose changes are wanted; the client's texts */
	int family_count;
	int unable; /* the server has no Watch: that was said */
};

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

static char **copy_texts(char *const *from, size_t count)
{
	char **to = calloc(count + 1, sizeof *to);

	for (size_t i = 0; to && i < count; i++) {
		to[i] = strdup(from[i]);
		if (!to[i]) {
			free_texts(to, i);
			return NULL;
		}
	}
	return to;
}

/* A family's own name and its aliases. */
static char **all_names(const struct ns1__Family *from)
{
	char *names[from->__sizealias + 1];

	names[0] = from->name;
	for (int i = 0; i < from->__sizealias; i++)
		names[i + 1] = from->alias[i];
	return copy_texts(names, (size_t)from->__sizealias + 1);
}

static int learn_one(struct client *client, struct known_family *to, const struct ns1__Family *from)
{
	const struct client_settings *settings = &client->settings;

	to->name = strdup(from->name);
	to->names = all_names(from);
	to->name_count = to->names ? (size_t)from->__sizealias + 1 : 0;
	to->key = copy_texts(from->key, (size_t)from->__sizekey);
	to->key_count = to->key ? (size_t)from->__sizekey : 0;
	/* Under any other policy a listing changes with another family. */
	to->listing = !strcmp(from->listing, "all") || !strcmp(from->listing, "none");
	to->policy = settings->policy(from->name, settings->data);
	to->wanted = to->policy != CACHE_NOT || settings->wants(from->name, settings->data);
	return to->name && to->names && to->key ? 0 : -1;
}

/* The families that the server describes, or NULL without memory. */
static struct known_family *learned(struct client *client, const struct _ns1__WatchResponse *answer)
{
	size_t count = (size_t)answer->__sizefamily;
	struct known_family *families = calloc(count + 1, sizeof *families);

	for (size_t i = 0; families && i < count; i++) {
		if (!learn_one(client, &families[i], &answer->family[i]))
			continue;
		client_unlearn(families, count);
		return NULL;
	}
	return families;
}

static void reset_cache(struct client *client, const struct known_family *families, size_t count, const struct _ns1__WatchResponse *answer)
{
	struct cache_family *described = calloc(count + 1, sizeof *described);

	for (size_t i = 0; described && i < count; i++) {
		const struct known_family *f = &families[i];

		described[i] = (struct cache_family){ f->name, (const char *const *)f->names, f->name_count,
			(const char *const *)f->key, f->key_count, f->policy, f->listing };
	}
	if (described)
		cache_reset(client->cache, answer->instance, answer->revision, described, count, clock_milliseconds());
	free(described);
}

/* Asks for the changes of the families that are kept or told on. */
static void choose_families(struct watching *w, const struct known_family *families, size_t count)
{
	free(w->families);
	w->families = calloc(count + 1, sizeof *w->families);
	w->family_count = 0;
	for (size_t i = 0; w->families && i < count; i++)
		if (families[i].wanted)
			w->families[w->family_count++] = families[i].name;
}

static int start_over(struct watching *w, const struct _ns1__WatchResponse *answer)
{
	struct client *client = w->client;
	size_t count = (size_t)answer->__sizefamily;
	struct known_family *families = learned(client, answer);

	if (!families)
		return SOAP_EOM;
	if (client->cache)
		reset_cache(client, families, count, answer);
	choose_families(w, families, count);
	client_learn(client, families, count);
	client->settings.changed(NULL, NULL, 0, client->settings.data);
	return w->families ? SOAP_OK : SOAP_EOM;
}

static int follow(struct watching *w, const struct _ns1__WatchResponse *answer)
{
	struct client *client = w->client;
	size_t count = (size_t)answer->__sizechange;
	struct cache_change *changes = calloc(count + 1, sizeof *changes);

	if (!changes)
		return SOAP_EOM;
	for (size_t i = 0; i < count; i++)
		changes[i] = (struct cache_change){ answer->change[i].family, (const char *const *)answer->change[i].key, (size_t)answer->change[i].__sizekey };
	if (client->cache)
		cache_heard(client->cache, answer->instance, answer->revision, changes, count, clock_milliseconds());
	for (size_t i = 0; i < count; i++)
		client->settings.changed(changes[i].family, changes[i].key_count ? changes[i].key : NULL, changes[i].key_count, client->settings.data);
	free(changes);
	return SOAP_OK;
}

static int watch_once(struct soap *soap, const char *url, void *data)
{
	struct watching *w = data;
	struct _ns1__Watch question = { .__sizefamily = w->family_count, .family = w->families };
	struct _ns1__WatchResponse answer;
	int status;

	if (w->instance[0]) {
		question.instance = w->instance;
		question.revision = &w->revision;
	} else {
		question.__sizefamily = 0; /* a description of all */
	}
	status = soap_call___ns1__Watch(soap, url, NULL, &question, &answer);
	if (status != SOAP_OK)
		return status;
	if (answer.reset == xsd__boolean__true_ && question.__sizefamily > 0) {
		w->instance[0] = '\0'; /* it described some families only; the next answer describes all */
		return SOAP_OK;
	}
	status = answer.reset == xsd__boolean__true_ ? start_over(w, &answer) : follow(w, &answer);
	if (status != SOAP_OK)
		return status;
	snprintf(w->instance, sizeof w->instance, "%s", answer.instance);
	w->revision = answer.revision;
	return SOAP_OK;
}

/* Waits a little; tells whether to go on. */
static int go_on(struct client *client, int milliseconds)
{
	struct timespec end;
	int ended;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += milliseconds * 1000000L;
	end.tv_sec += end.tv_nsec / 1000000000L;
	end.tv_nsec %= 1000000000L;
	pthread_mutex_lock(&client->lock);
	while (milliseconds && !client->ended && pthread_cond_timedwait(&client->ending, &client->lock, &end) == 0)
		;
	ended = client->ended;
	pthread_mutex_unlock(&client->lock);
	return !ended;
}

/* Follows the first server for one answer; gives how long to pause. */
static int step(struct watching *w)
{
	struct client *client = w->client;
	struct servers_asking asking = { .call = watch_once, .data = w, .gently = 1 };
	enum servers_outcome outcome;

	asking.server = servers_first(client->servers);
	if (asking.server < 0)
		return PAUSE;
	if (asking.server != w->server)
		w->instance[0] = '\0'; /* the new one is another instance anyway */
	w->server = asking.server;
	asking.patience = WATCH_TIME + servers_patience(client->servers);
	outcome = servers_ask(client->servers, &asking);
	servers_done(client->servers, &asking);
	if (outcome == SERVERS_REFUSED && !w->unable)
		say(SAY_WARNING, "asterism: the server can't be watched, so nothing is cached: %s", asking.why);
	w->unable = outcome == SERVERS_REFUSED;
	return outcome == SERVERS_ANSWERED ? 0 : PAUSE;
}

void *client_watch(void *data)
{
	struct client *client = data;
	struct watching watching = { .client = client, .server = -1 };
	int pause = 0;

	while (go_on(client, pause))
		pause = step(&watching);
	free(watching.families);
	return NULL;
}
