/* SPDX-License-Identifier: GPL-2.0-only */
#include "client_calls.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

/* How long a whole table or file may take to begin or go on, in milliseconds. */
enum { LISTING_PATIENCE = 10000 };

static void add_row(struct answer_builder *builder, const struct ns1__Row *row)
{
	answer_row(builder);
	for (int i = 0; i < row->__sizefield; i++)
		answer_field(builder, row->field[i].name, row->field[i].value);
}

struct reading {
	const struct cache_question *question;
	struct reply reply;
	struct answer_builder builder;
};

static int read_single(struct soap *soap, const char *url, void *data)
{
	struct reading *reading = data;
	const struct cache_question *q = reading->question;
	struct _ns1__RealtimeSingle question = { .family = soap_text(q->family), .__sizecondition = (int)q->count };
	struct _ns1__RealtimeSingleResponse answer;
	int status;

	question.condition = soap_conditions(soap, q->conditions, q->count);
	if (!question.condition)
		return SOAP_EOM;
	status = soap_call___ns1__RealtimeSingle(soap, url, NULL, &question, &answer);
	if (status != SOAP_OK)
		return status;
	reading->reply = (struct reply){ answer.instance, answer.revision };
	if (answer.row)
		add_row(&reading->builder, answer.row);
	return SOAP_OK;
}

static int read_multi(struct soap *soap, const char *url, void *data)
{
	struct reading *reading = data;
	const struct cache_question *q = reading->question;
	struct _ns1__RealtimeMulti question = { .family = soap_text(q->family), .__sizecondition = (int)q->count };
	struct _ns1__RealtimeMultiResponse answer;
	int status;

	question.condition = soap_conditions(soap, q->conditions, q->count);
	if (!question.condition)
		return SOAP_EOM;
	status = soap_call___ns1__RealtimeMulti(soap, url, NULL, &question, &answer);
	if (status != SOAP_OK)
		return status;
	reading->reply = (struct reply){ answer.instance, answer.revision };
	for (int i = 0; i < answer.__sizerow; i++)
		add_row(&reading->builder, &answer.row[i]);
	return SOAP_OK;
}

/* The number, and the tenant if one is given, are the question's conditions. */
static int read_codecs(struct soap *soap, const char *url, void *data)
{
	struct reading *reading = data;
	const struct cache_question *q = reading->question;
	struct _ns1__GetCodecs question = { .number = soap_text(q->conditions[0].value), .tenant = soap_text(q->conditions[1].value) };
	struct _ns1__GetCodecsResponse answer;
	int status = soap_call___ns1__GetCodecs(soap, url, NULL, &question, &answer);

	if (status != SOAP_OK)
		return status;
	reading->reply = (struct reply){ answer.instance, answer.revision };
	for (int i = 0; i < answer.__sizecodec; i++) {
		answer_row(&reading->builder);
		answer_field(&reading->builder, "codec", answer.codec[i]);
	}
	return SOAP_OK;
}

static const servers_call readers[] = {
	[CACHE_SINGLE] = read_single,
	[CACHE_MULTI] = read_multi,
	[CACHE_CODECS] = read_codecs,
};

static struct answer *cached(struct client *client, const struct cache_question *question, enum cache_freshness freshness)
{
	if (!client->cache)
		return NULL;
	return cache_get(client->cache, question, freshness, clock_milliseconds());
}

/* Whether all rows are asked for. */
static int is_listing(const struct cache_question *question)
{
	return question->kind == CACHE_MULTI && (question->count == 0 || !strcmp(question->conditions[0].value, "%"));
}

enum client_outcome client_read(struct client *client, const struct cache_question *question, struct answer **answer)
{
	struct reading reading = { .question = question };
	struct servers_asking asking = { .call = readers[question->kind], .data = &reading };
	enum servers_outcome outcome;

	*answer = cached(client, question, CACHE_FRESH);
	if (*answer)
		return CLIENT_DONE;
	if (is_listing(question))
		asking.patience = LISTING_PATIENCE;
	outcome = client_ask(client, &asking, "read", question->family);
	if (outcome == SERVERS_ANSWERED) {
		*answer = answer_finish(&reading.builder);
		if (*answer && client->cache)
			cache_put(client->cache, question, *answer, reading.reply.instance, reading.reply.revision);
	} else if (outcome == SERVERS_AWAY) {
		*answer = cached(client, question, CACHE_STALE);
	}
	servers_done(client->servers, &asking);
	return *answer ? CLIENT_DONE : CLIENT_FAILED;
}

enum client_outcome client_codecs(struct client *client, const char *number, const char *tenant, struct answer **answer)
{
	/*
	 * Of a tenant two rows may answer, its own and the shared one. The word that is no
	 * operator makes the cache forget the answer with any change of the family.
	 */
	const char *which = tenant && *tenant ? "or shared" : "=";
	struct cache_condition conditions[] = { { "number", "=", number }, { "tenant", which, tenant ? tenant : "" } };
	struct cache_question question = { CACHE_CODECS, "numbers", conditions, 2 };

	return client_read(client, &question, answer);
}

struct requiring {
	const char *family;
	const struct client_column *columns;
	size_t count;
	int ok;
};

static int ask_require(struct soap *soap, const char *url, void *data)
{
	struct requiring *r = data;
	struct _ns1__RealtimeRequire question = { .family = soap_text(r->family), .__sizecolumn = (int)r->count };
	struct _ns1__RealtimeRequireResponse answer;
	int status;

	question.column = soap_malloc(soap, (r->count + 1) * sizeof *question.column);
	if (!question.column)
		return SOAP_EOM;
	for (size_t i = 0; i < r->count; i++)
		question.column[i] = (struct ns1__Column){ soap_text(r->columns[i].name), soap_text(r->columns[i].type), r->columns[i].size };
	status = soap_call___ns1__RealtimeRequire(soap, url, NULL, &question, &answer);
	if (status == SOAP_OK)
		r->ok = answer.ok == xsd__boolean__true_;
	return status;
}

int client_require(struct client *client, const char *family, const struct client_column *columns, size_t count)
{
	struct requiring r = { .family = family, .columns = columns, .count = count };
	struct servers_asking asking = { .call = ask_require, .data = &r };
	enum servers_outcome outcome = client_ask(client, &asking, "require", family);

	servers_done(client->servers, &asking);
	return outcome == SERVERS_ANSWERED && r.ok ? 0 : -1;
}

struct fetching {
	const char *file;
	struct answer_builder builder;
};

static int fetch(struct soap *soap, const char *url, void *data)
{
	struct fetching *f = data;
	struct _ns1__RealtimeStatic question = { .file = soap_text(f->file) };
	struct _ns1__RealtimeStaticResponse answer;
	int status = soap_call___ns1__RealtimeStatic(soap, url, NULL, &question, &answer);
	char metric[16];

	if (status != SOAP_OK)
		return status;
	for (int i = 0; i < answer.__sizeline; i++) {
		const struct ns1__Line *line = &answer.line[i];

		snprintf(metric, sizeof metric, "%d", line->cat_USCOREmetric);
		answer_row(&f->builder);
		answer_field(&f->builder, "category", line->category);
		answer_field(&f->builder, "var_name", line->var_USCOREname);
		answer_field(&f->builder, "var_val", line->var_USCOREval);
		answer_field(&f->builder, "cat_metric", metric);
	}
	return SOAP_OK;
}

enum client_outcome client_file(struct client *client, const char *file, struct answer **answer)
{
	struct fetching f = { .file = file };
	struct servers_asking asking = { .call = fetch, .data = &f, .patience = LISTING_PATIENCE };

	*answer = NULL;
	if (client_ask(client, &asking, "read the file", file) == SERVERS_ANSWERED)
		*answer = answer_finish(&f.builder);
	servers_done(client->servers, &asking);
	return *answer ? CLIENT_DONE : CLIENT_FAILED;
}
