/* SPDX-License-Identifier: GPL-2.0-only */
/* What client.c, client_calls.c and watch.c share. */
#ifndef ASTERISM_CLIENT_INTERNAL_H
#define ASTERISM_CLIENT_INTERNAL_H

#include <pthread.h>

#include "client.h"

/* A family as the server describes it. */
struct known_family {
	char *name;
	char **names; /* its own and its aliases */
	size_t name_count;
	char **key;
	size_t key_count;
	int listing;
	enum cache_policy policy;
	int wanted; /* its changes are: it is kept, or told on */
};

struct client {
	struct client_settings settings;
	struct servers *servers;
	struct cache *cache; /* NULL: none */
	pthread_rwlock_t families_lock;
	struct known_family *families; /* what the followed server says; none at first */
	size_t family_count;
	pthread_t watcher;
	pthread_mutex_t lock; /* guards all below */
	pthread_cond_t ending;
	int ended;
	uint64_t said[64]; /* hashes of what servers refused and the log has already */
	size_t said_next;
};

void *client_watch(void *client);

/* Replaces what is known of the families; takes over the list. */
void client_learn(struct client *client, struct known_family *families, size_t count);
void client_unlearn(struct known_family *families, size_t count);
/* Whether a row with these fields is the same row when it is stored twice. */
int client_has_key(struct client *client, const char *family, const struct client_field *fields, size_t count);

#endif
