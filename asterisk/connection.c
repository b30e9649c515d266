/* SPDX-License-Identifier: GPL-2.0-only */
#include "connection.h"

#include <errno.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "Asterism.nsmap" /* includes gSOAP; made from the WSDL, as is soapH.h */
#include "soapH.h"

enum { MODE = SOAP_IO_KEEPALIVE | SOAP_C_UTFSTRING | SOAP_XML_TREE };

/* A listing may have more rows than gSOAP expects of an honest peer. */
enum { MOST_ROWS = 1 << 28 };

struct dialer {
	struct dialing dialing;
	struct soap *pattern; /* every connection's context is a copy of it */
};

static struct connection *of(struct soap *soap)
{
	return soap->user;
}

/* gSOAP's own three, noting how far the call came. All dialers have the same ones. */
static SOAP_SOCKET (*plain_open)(struct soap *, const char *, const char *, int);
static int (*plain_send)(struct soap *, const char *, size_t);
static size_t (*plain_receive)(struct soap *, char *, size_t);

static SOAP_SOCKET noting_open(struct soap *soap, const char *endpoint, const char *host, int port)
{
	SOAP_SOCKET socket = plain_open(soap, endpoint, host, port);

	if (soap_valid_socket(socket))
		of(soap)->opened = 1;
	return socket;
}

static int noting_send(struct soap *soap, const char *bytes, size_t length)
{
	of(soap)->sent = 1;
	return plain_send(soap, bytes, length);
}

static size_t noting_receive(struct soap *soap, char *bytes, size_t size)
{
	size_t length = plain_receive(soap, bytes, size);

	if (length > 0)
		of(soap)->received = 1;
	return length;
}

static void keep(char **to, const char *text, int *short_of_memory)
{
	*to = text ? strdup(text) : NULL;
	if (text && !*to)
		*short_of_memory = 1;
}

static int copy(struct dialing *to, const struct dialing *from)
{
	int short_of_memory = 0;

	*to = *from;
	keep((char **)&to->user, from->user, &short_of_memory);
	keep((char **)&to->password, from->password, &short_of_memory);
	keep((char **)&to->ca_file, from->ca_file, &short_of_memory);
	keep((char **)&to->cert_file, from->cert_file, &short_of_memory);
	keep((char **)&to->key_file, from->key_file, &short_of_memory);
	return short_of_memory ? -1 : 0;
}

static const char *ssl_reason(void)
{
	const char *reason = ERR_reason_error_string(ERR_peek_last_error());

	ERR_clear_error();
	return reason ? reason : "not usable";
}

/* Reads the certificates once; every connection shares what was read. */
static int secure(struct dialer *dialer, char *error, size_t size)
{
	const struct dialing *d = &dialer->dialing;
	SSL_CTX *context;

	if (soap_ssl_client_context(dialer->pattern, SOAP_SSL_DEFAULT, NULL, NULL, d->ca_file, NULL, NULL)) {
		snprintf(error, size, "ca_file = %s: %s", d->ca_file ? d->ca_file : "(what the system trusts)", ssl_reason());
		return -1;
	}
	context = dialer->pattern->ctx;
	if (!d->ca_file)
		SSL_CTX_set_default_verify_paths(context);
	if (d->cert_file && SSL_CTX_use_certificate_chain_file(context, d->cert_file) != 1) {
		snprintf(error, size, "tls_cert = %s: %s", d->cert_file, ssl_reason());
		return -1;
	}
	if (d->cert_file && SSL_CTX_use_PrivateKey_file(context, d->key_file ? d->key_file : d->cert_file, SSL_FILETYPE_PEM) != 1) {
		snprintf(error, size, "tls_key = %s: %s", d->key_file ? d->key_file : d->cert_file, ssl_reason());
		return -1;
	}
	return 0;
}

struct dialer *dialer_new(const struct dialing *dialing, char *error, size_t size)
{
	struct dialer *dialer = calloc(1, sizeof *dialer);

	snprintf(error, size, "no memory");
	if (!dialer)
		return NULL;
	dialer->pattern = calloc(1, sizeof *dialer->pattern); /* zeros where gSOAP sets nothing: connection_trim */
	if (dialer->pattern)
		soap_init2(dialer->pattern, MODE, MODE);
	if (!dialer->pattern || copy(&dialer->dialing, dialing) || (dialing->tls && secure(dialer, error, size))) {
		dialer_free(dialer);
		return NULL;
	}
	soap_set_version(dialer->pattern, 1);
	dialer->pattern->socket_flags = MSG_NOSIGNAL;
	dialer->pattern->maxoccurs = MOST_ROWS;
	plain_open = dialer->pattern->fopen;
	plain_send = dialer->pattern->fsend;
	plain_receive = dialer->pattern->frecv;
	return dialer;
}

void dialer_free(struct dialer *dialer)
{
	if (!dialer)
		return;
	if (dialer->pattern)
		soap_done(dialer->pattern);
	free(dialer->pattern);
	free((char *)dialer->dialing.user);
	free((char *)dialer->dialing.password);
	free((char *)dialer->dialing.ca_file);
	free((char *)dialer->dialing.cert_file);
	free((char *)dialer->dialing.key_file);
	free(dialer);
}

const struct dialing *dialer_settings(const struct dialer *dialer)
{
	return &dialer->dialing;
}

/* The leak sanitizer finds what is held from mapped memory only where it is told to look. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#define look_here(soap) __lsan_register_root_region(soap, sizeof *(soap))
#define look_here_no_more(soap) __lsan_unregister_root_region(soap, sizeof *(soap))
#else
#define look_here(soap) ((void)(soap))
#define look_here_no_more(soap) ((void)(soap))
#endif

struct connection *connection_new(struct dialer *dialer)
{
	struct connection *connection = calloc(1, sizeof *connection);
	/* Memory of its own, so that all of it can go back to the system. */
	struct soap *soap = mmap(NULL, sizeof *soap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!connection || soap == MAP_FAILED || !soap_copy_context(soap, dialer->pattern)) {
		if (soap != MAP_FAILED)
			munmap(soap, sizeof *soap);
		free(connection);
		return NULL;
	}
	connection->soap = soap;
	look_here(soap);
	soap->user = connection;
	soap->fopen = noting_open;
	soap->fsend = noting_send;
	soap->frecv = noting_receive;
	connection_trim(connection);
	return connection;
}

void connection_free(struct connection *connection)
{
	connection_close(connection);
	soap_done(connection->soap);
	look_here_no_more(connection->soap);
	munmap(connection->soap, sizeof *connection->soap);
	free(connection);
}

void connection_ready(struct connection *connection, const struct dialing *dialing, int patience)
{
	struct soap *soap = connection->soap;

	connection_forget(connection);
	connection->opened = connection->sent = connection->received = 0;
	connection->untrimmed = 1;
	/* Below zero gSOAP takes microseconds. */
	soap->connect_timeout = -1000 * dialing->connect_timeout;
	soap->send_timeout = -1000 * dialing->answer_timeout;
	soap->recv_timeout = -1000 * patience;
	soap->userid = dialing->user;
	soap->passwd = dialing->password;
}

void connection_forget(struct connection *connection)
{
	soap_destroy(connection->soap);
	soap_end(connection->soap);
}

void connection_close(struct connection *connection)
{
	connection_forget(connection);
	connection->soap->keep_alive = 0;
	soap_closesock(connection->soap);
	connection->soap->keep_alive = 1;
}

static int is_zeros(const char *page, size_t size)
{
	return !page[0] && !memcmp(page, page + 1, size - 1);
}

/*
 * Gives pages of the context back to the system that hold nothing; they read as zeros
 * then. Between calls the buffer holds nothing, whatever stands in it.
 */
void connection_trim(struct connection *connection)
{
	struct soap *soap = connection->soap;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *first = (char *)soap, *end = first + sizeof *soap / size * size;

	connection_forget(connection);
	soap->bufidx = soap->buflen = 0;
	for (char *page = first; page < end; page += size)
		if ((page >= soap->buf && page + size <= soap->buf + sizeof soap->buf) || is_zeros(page, size))
			madvise(page, size, MADV_DONTNEED);
	connection->untrimmed = 0;
}
