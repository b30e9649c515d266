/* SPDX-License-Identifier: GPL-2.0-only */
#include "client_calls.h"

struct writing {
	const char *family;
	const struct cache_condition *conditions;
	size_t condition_count;
	const struct client_field *fields;
	size_t field_count;
	struct reply reply;
	int count;
};

static int write_update(struct soap *soap, const char *url, void *data)
{
	struct writing *w = data;
	struct _ns1__RealtimeUpdate question = { .family = soap_text(w->family), .__sizecondition = (int)w->condition_count, .__sizefield = (int)w->field_count };
	struct _ns1__RealtimeUpdateResponse answer;
	int status;

	question.condition = soap_conditions(soap, w->conditions, w->condition_count);
	question.field = soap_fields(soap, w->fields, w->field_count);
	if (!question.condition || !question.field)
		return SOAP_EOM;
	status = soap_call___ns1__RealtimeUpdate(soap, url, NULL, &question, &answer);
	if (status != SOAP_OK)
		return status;
	w->reply = (struct reply){ answer.instance, answer.revision };
	w->count = answer.count;
	return SOAP_OK;
}

static int write_store(struct soap *soap, const char *url, void *data)
{
	struct writing *w = data;
	struct _ns1__RealtimeStore question = { .family = soap_text(w->family), .__sizefield = (int)w->field_count };
	struct _ns1__RealtimeStoreResponse answer;
	int status;

	question.field = soap_fields(soap, w->fields, w->field_count);
	if (!question.field)
		return SOAP_EOM;
	status = soap_call___ns1__RealtimeStore(soap, url, NULL, &question, &answer);
	if (status != SOAP_OK)
		return status;
	w->reply = (struct reply){ answer.instance, answer.revision };
	w->count = answer.count;
	return SOAP_OK;
}

static int write_destroy(struct soap *soap, const char *url, void *data)
{
	struct writing *w = data;
	struct _ns1__RealtimeDestroy question = { .family = soap_text(w->family), .__sizecondition = (int)w->condition_count };
	struct _ns1__RealtimeDestroyResponse answer;
	int status;

	question.condition = soap_conditions(soap, w->conditions, w->condition_count);
	if (!question.condition)
		return SOAP_EOM;
	status = soap_call___ns1__RealtimeDestroy(soap, url, NULL, &question, &answer);
	if (status != SOAP_OK)
		return status;
	w->reply = (struct reply){ answer.instance, answer.revision };
	w->count = answer.count;
	return SOAP_OK;
}

/* What a write may touch falls before it is sent, and again when it was done. */
static void touched(struct client *client, const struct writing *w)
{
	struct cache_condition row[w->field_count + 1];
	const char *columns[w->field_count + 1];
	struct cache_write write = { .family = w->family, .conditions = w->conditions, .count = w->condition_count };

	if (!client->cache)
		return;
	for (size_t i = 0; i < w->field_count; i++) {
		row[i] = (struct cache_condition){ w->fields[i].name, "=", w->fields[i].value };
		columns[i] = w->fields[i].name;
	}
	if (w->conditions) {
		write.columns = columns;
		write.column_count = w->field_count;
	} else {
		write.conditions = row;
		write.count = w->field_count;
	}
	cache_wrote(client->cache, &write, w->reply.instance, w->reply.revision);
}

static int deliver(struct client *client, struct writing *w, servers_call call, const char *what, int once)
{
	struct servers_asking asking = { .call = call, .data = w, .once = once };
	int count = -1;

	touched(client, w);
	if (client_ask(client, &asking, what, w->family) == SERVERS_ANSWERED) {
		touched(client, w);
		count = w->count;
		/* Deleted by the first try, whose answer was lost. */
		if (call == write_destroy && asking.repeated && count == 0)
			count = 1;
	}
	servers_done(client->servers, &asking);
	return count;
}

int client_update(struct client *client, const char *family, const struct cache_condition *conditions, size_t count,
	const struct client_field *fields, size_t field_count)
{
	struct writing w = { .family = family, .conditions = conditions, .condition_count = count, .fields = fields, .field_count = field_count };

	return deliver(client, &w, write_update, "update", 0);
}

int client_store(struct client *client, const char *family, const struct client_field *fields, size_t count)
{
	struct writing w = { .family = family, .fields = fields, .field_count = count };

	return deliver(client, &w, write_store, "store", !client_has_key(client, family, fields, count));
}

int client_destroy(struct client *client, const char *family, const struct cache_condition *conditions, size_t count)
{
	struct writing w = { .family = family, .conditions = conditions, .condition_count = count };

	return deliver(client, &w, write_destroy, "destroy", 0);
}
