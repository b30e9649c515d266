/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ask.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "Asterism.nsmap" /* includes gSOAP; made from the WSDL, as is soapH.h */
#include "soapH.h"

/* How long a server may take to close what it has announced to close. */
enum { FAREWELL_MS = 100 };

int64_t clock_now(int clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/*
 * Stands in for what gSOAP does before it closes a connection. Whoever closes
 * first keeps the port for a minute. A server uses one port for all, this side
 * would run out of them after 28,000 connections; so the server, which has
 * announced to close, goes first. This wait is no part of the latency.
 */
static int shutdown_after_server(struct soap *soap, SOAP_SOCKET socket, int how)
{
	struct asking *asking = soap->user;
	struct pollfd readable = { .fd = socket, .events = POLLIN };

	asking->answered = clock_now(CLOCK_MONOTONIC);
	if (soap->error == SOAP_OK && !soap->keep_alive)
		poll(&readable, 1, FAREWELL_MS);
	return shutdown(socket, how);
}

/* The URL has the address of the server, since gSOAP would look its name up for
 * each connection; a server of many names still gets the name. */
static int post_header(struct soap *soap, const char *key, const char *value)
{
	const struct asking *asking = soap->user;

	if (key && !strcmp(key, "Host") && asking->options->host)
		value = asking->options->host;
	if (key && soap_send(soap, key))
		return soap->error;
	if (key && value && (soap_send(soap, ": ") || soap_send(soap, value)))
		return soap->error;
	return soap_send_raw(soap, "\r\n", 2);
}

/*
 * Puts the wanted version first in the table of namespaces and allows only that
 * one in answers. What the table says after generation depends on which
 * bindings the WSDL has.
 */
static void choose_version(int version)
{
	namespaces[0].ns = version == 2 ? "http://www.w3.org/2003/05/soap-envelope" : "http://schemas.xmlsoap.org/soap/envelope/";
	namespaces[1].ns = version == 2 ? "http://www.w3.org/2003/05/soap-encoding" : "http://schemas.xmlsoap.org/soap/encoding/";
	namespaces[0].in = namespaces[0].ns;
	namespaces[1].in = namespaces[1].ns;
}

int ask_open(struct asking *asking, const struct options *options)
{
	int mode = SOAP_C_UTFSTRING | (options->new_connections ? 0 : SOAP_IO_KEEPALIVE);
	int timeout = -(int)options->timeout_ms * 1000; /* below zero it means microseconds */
	struct soap *soap;

	choose_version(options->soap);
	soap = soap_new2(mode, mode);
	if (!soap)
		return -1;
	soap->user = asking;
	soap->fshutdownsocket = shutdown_after_server;
	soap->fposthdr = post_header;
	soap->socket_flags = MSG_NOSIGNAL;
	soap->connect_timeout = soap->send_timeout = soap->recv_timeout = soap->transfer_timeout = timeout;
	*asking = (struct asking){ .soap = soap, .options = options };
	return 0;
}

/* Whether the codecs of an answer are those of the list, in its order. */
static int equal(const struct _ns1__GetCodecsResponse *answer, const char *list)
{
	for (int i = 0; i < answer->__sizecodec; i++) {
		size_t length = strlen(answer->codec[i]);
		if (i > 0 && *list++ != ',')
			return 0;
		/* One codec with a comma in it must not pass for two. */
		if (strncmp(list, answer->codec[i], length) || memchr(list, ',', length))
			return 0;
		list += length;
	}
	return !*list;
}

/* Writes down what was expected and what came. */
static int wrong(struct asking *asking, const struct _ns1__GetCodecsResponse *answer, const char *number, const char *codecs)
{
	size_t used = (size_t)snprintf(asking->fault, sizeof asking->fault,
		"number %.64s: expected codecs \"%.128s\", came \"", number, codecs);

	for (int i = 0; i < answer->__sizecodec && used < 320; i++)
		used += (size_t)snprintf(asking->fault + used, sizeof asking->fault - used,
			"%s%.64s", i > 0 ? "," : "", answer->codec[i]);
	snprintf(asking->fault + used, sizeof asking->fault - used, "\"; does the server hold the same numbers?");
	return -1;
}

static int failed(struct asking *asking, const char *number)
{
	char text[320] = "";
	size_t length;

	soap_sprint_fault(asking->soap, text, sizeof text);
	length = strlen(text);
	while (length > 0 && text[length - 1] == '\n')
		text[--length] = '\0';
	snprintf(asking->fault, sizeof asking->fault, "number %.64s: gSOAP error %d: %s; is the URL right, does the server listen there?",
		number, asking->soap->error, text);
	return -1;
}

int ask(struct asking *asking, const char *number, const char *codecs)
{
	struct soap *soap = asking->soap;
	struct _ns1__GetCodecs question = { .number = (char *)number };
	struct _ns1__GetCodecsResponse answer;
	int64_t begun, end;
	int status;

	/* gSOAP keeps the memory of a call until it is told. */
	soap_destroy(soap);
	soap_end(soap);
	asking->answered = 0;
	begun = clock_now(CLOCK_MONOTONIC);
	status = soap_call___ns1__GetCodecs(soap, asking->options->url, NULL, &question, &answer);
	end = clock_now(CLOCK_MONOTONIC);
	asking->took = (asking->answered ? asking->answered : end) - begun;
	if (status != SOAP_OK)
		return failed(asking, number);
	if (codecs && !equal(&answer, codecs))
		return wrong(asking, &answer, number, codecs);
	return 0;
}

void ask_close(struct asking *asking)
{
	soap_destroy(asking->soap);
	soap_end(asking->soap);
	soap_free(asking->soap);
}
