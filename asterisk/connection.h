/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One connection to a server and the gSOAP context that speaks on it. A context is
 * 164 KB as Debian builds gSOAP, most of it never touched; what a call has touched and
 * nobody needs between calls is given back (connection_trim).
 */
#ifndef ASTERISM_CONNECTION_H
#define ASTERISM_CONNECTION_H

#include <stddef.h>
#include <stdint.h>

struct soap;

/* How to reach the servers; all texts may be NULL. */
struct dialing {
	int connect_timeout; /* milliseconds */
	int answer_timeout;  /* milliseconds without a byte */
	const char *user, *password;
	int tls; /* whether a server is asked by https */
	const char *ca_file;             /* who signs the servers' certificates; NULL: whom the system trusts */
	const char *cert_file, *key_file; /* ours, PEM */
};

/* What all connections are made like. */
struct dialer;

/* NULL: error tells which setting is wrong, and why. */
struct dialer *dialer_new(const struct dialing *dialing, char *error, size_t size);
void dialer_free(struct dialer *dialer);
const struct dialing *dialer_settings(const struct dialer *dialer);

struct connection {
	struct soap *soap;
	struct connection *next; /* for who keeps it */
	int64_t idle_since;      /* milliseconds; likewise */
	int untrimmed;           /* used since the last trim */
	/* How far the present call came. */
	int opened, sent, received;
};

struct connection *connection_new(struct dialer *dialer);
void connection_free(struct connection *connection);
/* Before each call: forgets the one before and its memory. patience: milliseconds without a byte. */
void connection_ready(struct connection *connection, const struct dialing *dialing, int patience);
/* Frees what the last call gave. */
void connection_forget(struct connection *connection);
void connection_close(struct connection *connection);
void connection_trim(struct connection *connection);

#endif
