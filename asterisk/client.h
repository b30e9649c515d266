/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The client of Asterism: questions are answered from the cache or by a server, writes
 * go to a server. All threads may use one client at once.
 */
#ifndef ASTERISM_CLIENT_H
#define ASTERISM_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "answer.h"
#include "cache.h"
#include "servers.h"

struct client;

struct client_settings {
	struct servers_settings servers;
	size_t cache_size;     /* bytes; 0: no cache */
	int64_t cache_age;     /* milliseconds */
	/* Policy of a family's answers, by table name. */
	enum cache_policy (*policy)(const char *family, void *data);
	/* Whether changed is to be told of a family that is not kept. */
	int (*wants)(const char *family, void *data);
	/*
	 * What changed, for caches elsewhere in the process: a row's key, a family (key
	 * NULL), or everything (family NULL). Called in the watching thread.
	 */
	void (*changed)(const char *family, const char *const *key, size_t count, void *data);
	void *data;
};

/* NULL: error tells which setting is wrong. Starts the thread that watches. */
struct client *client_new(const struct client_settings *settings, char *error, size_t size);
/* Nobody may be asking any more. Takes as long as the present Watch, about a second. */
void client_free(struct client *client);
/* The settings' data. */
void *client_data(struct client *client);
struct cache *client_cache(struct client *client);
struct servers *client_servers(struct client *client);

enum client_outcome {
	CLIENT_DONE,
	CLIENT_FAILED, /* nobody knows the answer now; it was said in the log */
};

/* The rows that match, one at most for CACHE_SINGLE. The caller drops the answer. */
enum client_outcome client_read(struct client *client, const struct cache_question *question, struct answer **answer);

struct client_field {
	const char *name, *value; /* an empty value clears */
};

/*
 * Changes the matching rows; gives how many match, or -1. once: as for
 * client_store.
 */
int client_update(struct client *client, const char *family, const struct cache_condition *conditions, size_t count,
	const struct client_field *fields, size_t field_count);
/*
 * Makes a row; gives 1 or -1. It is repeated at another server when the first one
 * broke off, which makes the same row again, unless the family has no key.
 */
int client_store(struct client *client, const char *family, const struct client_field *fields, size_t count);
/* Deletes the matching rows; gives how many, or -1. */
int client_destroy(struct client *client, const char *family, const struct cache_condition *conditions, size_t count);

struct client_column {
	const char *name;
	const char *type; /* as the server's documentation names them */
	int size;
};

/* Whether the family has the columns: 0, or -1. */
int client_require(struct client *client, const char *family, const struct client_column *columns, size_t count);

/* The lines of a configuration file, each a row of category, var_name, var_val, cat_metric. */
enum client_outcome client_file(struct client *client, const char *file, struct answer **answer);

/* The codecs of a number, each a row with the field codec. tenant may be NULL. */
enum client_outcome client_codecs(struct client *client, const char *number, const char *tenant, struct answer **answer);

#endif
