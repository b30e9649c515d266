/* Asks a node through the stubs that gSOAP makes of its WSDL; what it reads and prints: ../README.md.
   Which version of SOAP it speaks, soapcpp2 decides (-1, -2); the address is the one in the WSDL. */
#define _GNU_SOURCE
#include "step.h"
#include "Asterism.nsmap"

static void head(FILE *out, const char *instance, ULONG64 revision)
{
	fprintf(out, "%s %llu", instance, (unsigned long long)revision);
}

static void pair(FILE *out, const char *before, const char *name, const char *text)
{
	fprintf(out, "%s%s=", before, name);
	encode(out, text);
}

static void rows(FILE *out, const struct ns1__Row *row, int count)
{
	for (int i = 0; i < count; i++) {
		fputs("\trow:", out);
		for (int j = 0; j < row[i].__sizefield; j++)
			pair(out, j ? "|" : "", row[i].field[j].name, row[i].field[j].value);
	}
}

static int codecs(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__GetCodecs ask = {s->number, s->tenant};
	struct _ns1__GetCodecsResponse got;
	if (soap_call___ns1__GetCodecs(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	for (int i = 0; i < got.__sizecodec; i++)
		pair(out, "\t", "codec", got.codec[i]);
	return SOAP_OK;
}

static int lookup(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__LookupNumber ask = {s->number, s->tenant};
	struct _ns1__LookupNumberResponse got;
	if (soap_call___ns1__LookupNumber(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	struct ns1__Entry *e = got.entry;
	if (!e)
		return SOAP_OK;
	pair(out, "\tentry:", "number", e->number);
	pair(out, "|", "tenant", e->tenant);
	for (int i = 0; i < e->__sizecodec; i++)
		pair(out, "|", "codec", e->codec[i]);
	if (e->destination)
		pair(out, "|", "destination", e->destination);
	pair(out, "|", "enabled", e->enabled ? "true" : "false");
	if (e->note)
		pair(out, "|", "note", e->note);
	return SOAP_OK;
}

static int single(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__RealtimeSingle ask = {s->family, s->conditions, s->condition};
	struct _ns1__RealtimeSingleResponse got;
	if (soap_call___ns1__RealtimeSingle(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	rows(out, got.row, got.row != NULL);
	return SOAP_OK;
}

static int multi(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__RealtimeMulti ask = {s->family, s->conditions, s->condition};
	struct _ns1__RealtimeMultiResponse got;
	if (soap_call___ns1__RealtimeMulti(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	rows(out, got.row, got.__sizerow);
	return SOAP_OK;
}

static int update(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__RealtimeUpdate ask = {s->family, s->conditions, s->condition, s->fields, s->field};
	struct _ns1__RealtimeUpdateResponse got;
	if (soap_call___ns1__RealtimeUpdate(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	fprintf(out, "\tcount=%d", got.count);
	return SOAP_OK;
}

static int store(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__RealtimeStore ask = {s->family, s->fields, s->field};
	struct _ns1__RealtimeStoreResponse got;
	if (soap_call___ns1__RealtimeStore(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	fprintf(out, "\tcount=%d", got.count);
	return SOAP_OK;
}

static int destroy(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__RealtimeDestroy ask = {s->family, s->conditions, s->condition};
	struct _ns1__RealtimeDestroyResponse got;
	if (soap_call___ns1__RealtimeDestroy(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	fprintf(out, "\tcount=%d", got.count);
	return SOAP_OK;
}

static int require(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__RealtimeRequire ask = {s->family, s->columns, s->column};
	struct _ns1__RealtimeRequireResponse got;
	if (soap_call___ns1__RealtimeRequire(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	fprintf(out, "\tok=%s", got.ok ? "true" : "false");
	return SOAP_OK;
}

static int statics(struct soap *soap, FILE *out, struct step *s)
{
	struct _ns1__RealtimeStatic ask = {s->file};
	struct _ns1__RealtimeStaticResponse got;
	if (soap_call___ns1__RealtimeStatic(soap, NULL, NULL, &ask, &got))
		return soap->error;
	head(out, got.instance, got.revision);
	for (int i = 0; i < got.__sizeline; i++) {
		pair(out, "\tline:", "category", got.line[i].category);
		pair(out, "|", "var_name", got.line[i].var_USCOREname);
		pair(out, "|", "var_val", got.line[i].var_USCOREval);
		fprintf(out, "|cat_metric=%d", got.line[i].cat_USCOREmetric);
	}
	return SOAP_OK;
}

static const struct {
	const char *name;
	int (*call)(struct soap *, FILE *, struct step *);
} operations[] = {
	{"GetCodecs", codecs}, {"LookupNumber", lookup}, {"RealtimeSingle", single},
	{"RealtimeMulti", multi}, {"RealtimeUpdate", update}, {"RealtimeStore", store},
	{"RealtimeDestroy", destroy}, {"RealtimeRequire", require}, {"RealtimeStatic", statics},
};

static void fault(struct soap *soap, FILE *out)
{
	const char **code = soap_faultcode(soap), **text = soap_faultstring(soap);
	const char *local = code && *code ? strrchr(*code, ':') : NULL;
	int told = soap->fault && (soap->error == SOAP_FAULT || soap->error == SOAP_CLI_FAULT || soap->error == SOAP_SVR_FAULT);
	fprintf(out, told ? "fault %s " : "refused %s ", local ? local + 1 : "");
	encode(out, text ? *text : "");
}

/* ask makes one call and gives the line that tells of it. */
static char *ask(struct soap *soap, struct step *s)
{
	char *line = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&line, &length);
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		if (!strcmp(operations[i].name, s->operation) && operations[i].call(soap, out, s))
			fault(soap, out);
	}
	fclose(out);
	soap_end(soap);
	return line;
}

static void take(struct soap *soap, char *line)
{
	struct step s = {0};
	char *rest = NULL;
	int times = atoi(strtok_r(line, "\t\n", &rest)), same = 1;
	s.operation = strtok_r(NULL, "\t\n", &rest);
	for (char *word; (word = strtok_r(NULL, "\t\n", &rest));)
		element(&s, word);
	char *first = ask(soap, &s);
	for (int i = 1; i < times; i++) {
		char *again = ask(soap, &s);
		same = same && !strcmp(first, again);
		free(again);
	}
	puts(same ? first : "different answers");
	fflush(stdout);
	free(first);
}

int main(void)
{
	/* Without SOAP_C_UTFSTRING a char * would be Latin-1. */
	struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_IO_KEEPALIVE);
	char *line = NULL;
	size_t room = 0;
	while (getline(&line, &room, stdin) > 0)
		take(soap, line);
	free(line);
	soap_free(soap);
	return 0;
}
