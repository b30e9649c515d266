/* SPDX-License-Identifier: GPL-2.0-only */
/* What servers.c and servers_keeper.c share. */
#ifndef ASTERISM_SERVERS_INTERNAL_H
#define ASTERISM_SERVERS_INTERNAL_H

#include <pthread.h>

#include "servers.h"

enum { BACK_OFF_LEAST = 100, BACK_OFF_MOST = 1000, STEADY = 10000 }; /* milliseconds */

struct server {
	char *url;
	struct connection *idle; /* the one used last stands first */
	unsigned open;           /* idle ones and those in use */
	int down;
	int doubted; /* to be probed though it isn't down */
	int64_t changed; /* when it went or came */
	int back_off;    /* milliseconds between probes */
	int64_t probe_at;
	char why[256];
	uint64_t calls, failures, refusals;
};

struct servers {
	pthread_mutex_t lock; /* guards all that changes below */
	pthread_cond_t freed; /* a connection came back, or a server went */
	struct dialer *dialer;
	unsigned connections;
	int idle_time;
	pthread_t keeper;
	pthread_cond_t ending;
	int ended;
	size_t count;
	struct server server[];
};

void server_lost(struct servers *servers, struct server *server, const char *why);
void server_back(struct servers *servers, struct server *server);
void *servers_keep(void *servers);

#endif
