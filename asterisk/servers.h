/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The servers in order of preference, and the connections to them, which all threads
 * share. A call goes to the first server that answers; one that doesn't is left alone
 * until a probe finds that it does again.
 */
#ifndef ASTERISM_SERVERS_H
#define ASTERISM_SERVERS_H

#include <stddef.h>
#include <stdint.h>

#include "connection.h"

struct servers_settings {
	const char *const *urls;
	size_t count;
	struct dialing dialing;
	unsigned connections; /* to each server, at most */
	int idle_time;        /* milliseconds after which an unused connection is closed */
};

struct servers;

/* NULL: error tells why. Starts a thread that probes servers and closes idle connections. */
struct servers *servers_new(const struct servers_settings *settings, char *error, size_t size);
/* Nobody may be asking any more. */
void servers_free(struct servers *servers);

/* Makes the call on a context; gives gSOAP's status. */
typedef int (*servers_call)(struct soap *soap, const char *url, void *data);

enum servers_outcome {
	SERVERS_ANSWERED,
	SERVERS_REFUSED, /* the servers that answer won't; why tells what they say */
	SERVERS_AWAY,    /* no server answers */
	SERVERS_UNKNOWN, /* it was sent and may not be repeated: nobody knows whether it was done */
};

struct servers_asking {
	servers_call call;
	void *data;
	int once;     /* must not be sent twice */
	int patience; /* milliseconds without a byte of the answer; 0: as in the settings */
	int server;   /* only this one; -1: whichever answers */
	int gently;   /* no answer to this one says nothing about others: the server is probed, not taken for lost */
	/* What came of it. */
	int repeated; /* it was sent more than once: the first time may have been the one that did it */
	char why[256];
	struct connection *connection; /* holds the answer until servers_done */
	int asked;                     /* which server */
};

enum servers_outcome servers_ask(struct servers *servers, struct servers_asking *asking);
void servers_done(struct servers *servers, struct servers_asking *asking);

/* The first server that is thought to answer, or -1. */
int servers_first(struct servers *servers);

/* Milliseconds that an answer may take, as the settings say. */
int servers_patience(struct servers *servers);

/* What an operator may see of a server. */
struct server_stats {
	const char *url;
	int up;
	int64_t since; /* milliseconds it has been so */
	char why[256]; /* it is down */
	unsigned open, idle;
	uint64_t calls, failures, refusals;
};
size_t servers_count(const struct servers *servers);
void servers_stats(struct servers *servers, size_t server, struct server_stats *stats);

#endif
