/* The yardstick: GetCodecs answered with a constant by a server made with gSOAP,
 * its connections handed to threads through a queue, each served until it closes.
 * Arguments: port, threads, instance. No timeouts are set, which spares gSOAP a
 * system call each time it waits. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "soapH.h"
#include "Asterism.nsmap"

#define QUEUE_LENGTH 1024
#define ANSWERS_PER_CONNECTION 2000000000

static struct {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	SOAP_SOCKET waiting[QUEUE_LENGTH];
	unsigned first, count;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

static char *instance = "";
static char *codecs[] = {"opus", "alaw", "ulaw"};

int __ns1__GetCodecs(struct soap *soap, struct _ns1__GetCodecs *question,
                     struct _ns1__GetCodecsResponse *answer)
{
	(void)soap;
	(void)question;
	answer->instance = instance;
	answer->revision = 1;
	answer->__sizecodec = sizeof codecs / sizeof codecs[0];
	answer->codec = codecs;
	return SOAP_OK;
}

/* put refuses a connection when the queue is full. */
static int put(SOAP_SOCKET connection)
{
	int accepted;
	pthread_mutex_lock(&queue.lock);
	accepted = queue.count < QUEUE_LENGTH;
	if (accepted) {
		queue.waiting[(queue.first + queue.count) % QUEUE_LENGTH] = connection;
		queue.count++;
		pthread_cond_signal(&queue.filled);
	}
	pthread_mutex_unlock(&queue.lock);
	return accepted;
}

static SOAP_SOCKET take(void)
{
	SOAP_SOCKET connection;
	pthread_mutex_lock(&queue.lock);
	while (queue.count == 0)
		pthread_cond_wait(&queue.filled, &queue.lock);
	connection = queue.waiting[queue.first];
	queue.first = (queue.first + 1) % QUEUE_LENGTH;
	queue.count--;
	pthread_mutex_unlock(&queue.lock);
	return connection;
}

static void *serve_connections(void *own)
{
	struct soap *soap = own;
	for (;;) {
		soap->socket = take();
		soap_serve(soap);
		soap_destroy(soap);
		soap_end(soap);
	}
	return NULL;
}

static int listen_on(struct soap *soap, int port)
{
	soap_init2(soap, SOAP_IO_KEEPALIVE | SOAP_C_UTFSTRING, SOAP_IO_KEEPALIVE | SOAP_C_UTFSTRING);
	soap->bind_flags = SO_REUSEADDR;
	soap->max_keep_alive = ANSWERS_PER_CONNECTION;
	if (soap_valid_socket(soap_bind(soap, "127.0.0.1", port, 100)))
		return 1;
	soap_print_fault(soap, stderr);
	return 0;
}

int main(int count, char **arguments)
{
	struct soap soap;
	int threads;
	if (count != 4) {
		fprintf(stderr, "usage: %s PORT THREADS INSTANCE\n", arguments[0]);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	instance = arguments[3];
	if (!listen_on(&soap, atoi(arguments[1])))
		return 1;
	for (threads = atoi(arguments[2]); threads > 0; threads--) {
		pthread_t thread;
		struct soap *own = soap_copy(&soap);
		if (own == NULL || pthread_create(&thread, NULL, serve_connections, own) != 0) {
			fprintf(stderr, "start a thread: none left\n");
			return 1;
		}
	}
	for (;;) {
		SOAP_SOCKET connection = soap_accept(&soap);
		if (soap_valid_socket(connection) && !put(connection))
			soap_closesocket(connection);
	}
}
