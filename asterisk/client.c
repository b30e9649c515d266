/* SPDX-License-Identifier: GPL-2.0-only */
#include "client_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *client_data(struct client *client)
{
	return client->settings.data;
}

struct cache *client_cache(struct client *client)
{
	return client->cache;
}

struct servers *client_servers(struct client *client)
{
	return client->servers;
}

void client_unlearn(struct known_family *families, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < families[i].name_count; j++)
			free(families[i].names[j]);
		for (size_t j = 0; j < families[i].key_count; j++)
			free(families[i].key[j]);
		free(families[i].names);
		free(families[i].key);
		free(families[i].name);
	}
	free(families);
}

void client_learn(struct client *client, struct known_family *families, size_t count)
{
	struct known_family *old;
	size_t old_count;

	pthread_rwlock_wrlock(&client->families_lock);
	old = client->families;
	old_count = client->family_count;
	client->families = families;
	client->family_count = count;
	pthread_rwlock_unlock(&client->families_lock);
	client_unlearn(old, old_count);
}

static int is_called(const struct known_family *family, const char *name)
{
	for (size_t i = 0; i < family->name_count; i++)
		if (!strcasecmp(family->names[i], name))
			return 1;
	return 0;
}

static int is_given(const struct client_field *fields, size_t count, const char *column)
{
	for (size_t i = 0; i < count; i++)
		if (!strcasecmp(fields[i].name, column))
			return 1;
	return 0;
}

int client_has_key(struct client *client, const char *name, const struct client_field *fields, size_t count)
{
	int has = is_given(fields, count, "id"); /* PJSIP's, while no server has described itself yet */

	pthread_rwlock_rdlock(&client->families_lock);
	for (size_t i = 0; i < client->family_count; i++) {
		const struct known_family *family = &client->families[i];

		if (!is_called(family, name))
			continue;
		has = family->key_count > 0;
		for (size_t j = 0; j < family->key_count; j++)
			has = has && is_given(fields, count, family->key[j]);
		break;
	}
	pthread_rwlock_unlock(&client->families_lock);
	return has;
}

struct client *client_new(const struct client_settings *settings, char *error, size_t size)
{
	struct client *client = calloc(1, sizeof *client);
	pthread_condattr_t attributes;

	snprintf(error, size, "no memory");
	if (!client)
		return NULL;
	client->settings = *settings;
	pthread_rwlock_init(&client->families_lock, NULL);
	pthread_mutex_init(&client->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&client->ending, &attributes);
	pthread_condattr_destroy(&attributes);
	client->ended = 1;
	if (settings->cache_size > 0)
		client->cache = cache_new(settings->cache_size, settings->cache_age);
	if (client->cache || settings->cache_size == 0)
		client->servers = servers_new(&settings->servers, error, size);
	/* The settings' texts are the caller's and may go now. */
	client->settings.servers.urls = NULL;
	client->settings.servers.dialing = (struct dialing){ 0 };
	if (client->servers) {
		client->ended = 0; /* before the thread looks */
		if (pthread_create(&client->watcher, NULL, client_watch, client))
			client->ended = 1;
	}
	if (client->ended) {
		client_free(client);
		return NULL;
	}
	return client;
}

void client_free(struct client *client)
{
	int running;

	pthread_mutex_lock(&client->lock);
	running = !client->ended;
	client->ended = 1;
	pthread_cond_broadcast(&client->ending);
	pthread_mutex_unlock(&client->lock);
	if (running)
		pthread_join(client->watcher, NULL);
	if (client->servers)
		servers_free(client->servers);
	cache_free(client->cache);
	client_unlearn(client->families, client->family_count);
	pthread_cond_destroy(&client->ending);
	pthread_mutex_destroy(&client->lock);
	pthread_rwlock_destroy(&client->families_lock);
	free(client);
}
