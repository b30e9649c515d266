/* SPDX-License-Identifier: GPL-2.0-only */
/* What client_reads.c and client_writes.c share: gSOAP's words. */
#ifndef ASTERISM_CLIENT_CALLS_H
#define ASTERISM_CLIENT_CALLS_H

#include "client_internal.h"
#include "soapH.h"

/* Who answered, and as of when. The text is the context's. */
struct reply {
	const char *instance;
	ULONG64 revision;
};

/* Makes a call; says in the log what nobody answered, but not that a server is away: that was said. */
enum servers_outcome client_ask(struct client *client, struct servers_asking *asking, const char *what, const char *family);

/* The generated structures have no const, but nothing of a request is written to. NULL becomes empty. */
char *soap_text(const char *constant);
/* In the context's memory; NULL without. */
struct ns1__Condition *soap_conditions(struct soap *soap, const struct cache_condition *from, size_t count);
struct ns1__Field *soap_fields(struct soap *soap, const struct client_field *from, size_t count);

#endif
