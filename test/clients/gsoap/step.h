/* A step as it stands on standard input (../README.md), and its texts. Included once, by client.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soapH.h"

enum { most = 32 }; /* conditions, fields or columns in a step */

/* A step: what is asked, ready for every operation. */
struct step {
	const char *operation;
	char *number, *tenant, *family, *file;
	int conditions, fields, columns;
	struct ns1__Condition condition[most];
	struct ns1__Field field[most];
	struct ns1__Column column[most];
};

/* decode puts line ends in the place of \n and \r. */
static char *decode(char *text)
{
	char *to = text;
	for (char *from = text; *from; from++) {
		if (from[0] == '\\' && (from[1] == 'n' || from[1] == 'r'))
			*to++ = *++from == 'n' ? '\n' : '\r';
		else
			*to++ = *from;
	}
	*to = 0;
	return text;
}

/* encode does the reverse. */
static void encode(FILE *out, const char *text)
{
	for (; text && *text; text++) {
		if (*text == '\n' || *text == '\r')
			fputs(*text == '\n' ? "\\n" : "\\r", out);
		else
			fputc(*text, out);
	}
}

/* value gives the text of a name=text, or NULL for a name alone; the name is cut off. */
static char *value(char *word)
{
	char *equals = strchr(word, '=');
	if (!equals)
		return NULL;
	*equals = 0;
	return decode(equals + 1);
}

/* part puts name=text into the struct that the element is. */
static void part(struct step *s, const char *element, char *word)
{
	char *text = value(word);
	if (!strcmp(element, "condition")) {
		struct ns1__Condition *c = &s->condition[s->conditions];
		if (!strcmp(word, "column"))
			c->column = text;
		else if (!strcmp(word, "operator"))
			c->operator_ = text;
		else
			c->value = text;
	} else if (!strcmp(element, "field")) {
		struct ns1__Field *f = &s->field[s->fields];
		*(strcmp(word, "name") ? &f->value : &f->name) = text;
	} else {
		struct ns1__Column *c = &s->column[s->columns];
		if (!strcmp(word, "size"))
			c->size = atoi(text);
		else
			*(strcmp(word, "name") ? &c->type : &c->name) = text;
	}
}

/* element puts one word of a step into it. */
static void element(struct step *s, char *word)
{
	char *colon = strchr(word, ':'), *equals = strchr(word, '='), *rest = NULL;
	if (colon && (!equals || colon < equals)) {
		*colon = 0;
		for (char *p = strtok_r(colon + 1, "|", &rest); p; p = strtok_r(NULL, "|", &rest))
			part(s, word, p);
		s->conditions += !strcmp(word, "condition");
		s->fields += !strcmp(word, "field");
		s->columns += !strcmp(word, "column");
		return;
	}
	char *text = value(word);
	if (!strcmp(word, "number"))
		s->number = text;
	else if (!strcmp(word, "tenant"))
		s->tenant = text;
	else if (!strcmp(word, "family"))
		s->family = text;
	else
		s->file = text;
}
