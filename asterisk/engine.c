/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The realtime engine: Asterisk's lists of variables in, Asterisk's lists out. Every
 * variable that is given away has memory of its own (include/asterisk/config.h of
 * Asterisk 16 to 22 describes struct ast_config_engine).
 */
#include "asterisk.h"

#include "asterisk/compiler.h"
#include "asterisk/config.h"
#include "asterisk/logger.h"
#include "asterisk/strings.h"
#include "asterisk/utils.h"

#include "engine.h"


static size_t count_of(const struct ast_variable *list)
{
	size_t count = 0;

	for (; list; list = list->next)
		count++;
	return count;
}

/* What stands behind the name of a column: "position >=", "id LIKE". */
static const char *operator_of(const char *name, size_t *length)
{
	const char *blank = strchr(name, ' ');

	*length = blank ? (size_t)(blank - name) : strlen(name);
	return blank ? ast_skip_blanks(blank) : "=";
}

/*
 * Makes conditions of a list, and one of keyfield and value if there is a keyfield.
 * All is one block; free it with ast_free. NULL without memory.
 */
static struct cache_condition *conditions_of(const char *keyfield, const char *value, const struct ast_variable *list, size_t *count)
{
	const struct ast_variable *v;
	struct cache_condition *conditions, *to;
	size_t names = 0, length;
	char *name;

	*count = count_of(list) + (keyfield ? 1 : 0);
	for (v = list; v; v = v->next)
		names += strlen(v->name) + 1;
	conditions = to = ast_malloc(*count * sizeof *conditions + names + 1);
	if (!conditions)
		return NULL;
	name = (char *)(conditions + *count);
	if (keyfield)
		*to++ = (struct cache_condition){ keyfield, "=", S_OR(value, "") };
	for (v = list; v; v = v->next) {
		to->operator = operator_of(v->name, &length);
		to->column = memcpy(name, v->name, length);
		to->value = S_OR(v->value, "");
		name[length] = '\0';
		name += length + 1;
		to++;
	}
	return conditions;
}

static struct client_field *fields_of(const struct ast_variable *list, size_t *count)
{
	struct client_field *fields;
	size_t i = 0;

	*count = count_of(list);
	fields = ast_malloc((*count + 1) * sizeof *fields);
	for (; fields && list; list = list->next)
		fields[i++] = (struct client_field){ list->name, S_OR(list->value, "") };
	return fields;
}

static enum client_outcome read_rows(enum cache_kind kind, const char *table, const struct ast_variable *list, struct answer **answer)
{
	struct cache_question question = { .kind = kind, .family = table };
	struct cache_condition *conditions = conditions_of(NULL, NULL, list, &question.count);
	struct client *client = client_hold();
	enum client_outcome outcome = CLIENT_FAILED;

	*answer = NULL;
	question.conditions = conditions;
	if (client && conditions)
		outcome = client_read(client, &question, answer);
	client_let_go(client);
	ast_free(conditions);
	return outcome;
}

/* The variables of the present row. */
static struct ast_variable *variables_of(struct answer_cursor *row)
{
	struct ast_variable *first = NULL, **end = &first;
	const char *name, *value;

	while (answer_next_field(row, &name, &value)) {
		*end = ast_variable_new(name, value, "");
		if (!*end)
			break;
		end = &(*end)->next;
	}
	return first;
}

static struct ast_variable *not_found(void)
{
#ifdef CONFIG_RT_NOT_FOUND
	return CONFIG_RT_NOT_FOUND; /* the next priority is not asked */
#else
	return NULL;
#endif
}

static struct ast_variable *engine_single(const char *database attribute_unused, const char *table, const struct ast_variable *list)
{
	struct ast_variable *variables;
	struct answer_cursor cursor;
	struct answer *answer;

	if (read_rows(CACHE_SINGLE, table, list, &answer) != CLIENT_DONE)
		return NULL;
	cursor = answer_start(answer);
	variables = answer_next_row(&cursor) ? variables_of(&cursor) : not_found();
	answer_drop(answer);
	return variables;
}

/* Appends the present row as a category, named by its value of the column that was asked first. */
static int append_row(struct ast_config *config, struct answer_cursor *cursor, const char *column)
{
	struct ast_category *category = ast_category_new_anonymous();
	struct ast_variable *next, *v = variables_of(cursor);

	if (!category) {
		ast_variables_destroy(v);
		return -1;
	}
	for (; v; v = next) {
		next = v->next;
		v->next = NULL;
		if (!strcmp(v->name, column))
			ast_category_rename(category, v->value);
		ast_variable_append(category, v);
	}
	ast_category_append(config, category);
	return 0;
}

static struct ast_config *engine_multi(const char *database attribute_unused, const char *table, const struct ast_variable *list)
{
	struct ast_config *config;
	struct answer_cursor cursor;
	struct answer *answer;
	char column[256] = "";
	size_t length;

	if (read_rows(CACHE_MULTI, table, list, &answer) != CLIENT_DONE)
		return NULL;
	if (list) {
		operator_of(list->name, &length);
		ast_copy_string(column, list->name, MIN(length + 1, sizeof column));
	}
	config = ast_config_new();
	cursor = answer_start(answer);
	while (config && answer_next_row(&cursor))
		if (append_row(config, &cursor, column))
			break;
	answer_drop(answer);
	return config;
}

static int change_rows(const char *table, struct cache_condition *conditions, size_t count, const struct ast_variable *list)
{
	struct client *client = client_hold();
	struct client_field *fields;
	size_t field_count;
	int changed = -1;

	fields = fields_of(list, &field_count);
	if (client && conditions && fields)
		changed = client_update(client, table, conditions, count, fields, field_count);
	client_let_go(client);
	ast_free(fields);
	ast_free(conditions);
	return changed;
}

static int engine_update(const char *database attribute_unused, const char *table, const char *keyfield, const char *value, const struct ast_variable *list)
{
	size_t count;
	struct cache_condition *conditions = conditions_of(keyfield, value, NULL, &count);

	return change_rows(table, conditions, count, list);
}

static int engine_update2(const char *database attribute_unused, const char *table, const struct ast_variable *lookup, const struct ast_variable *list)
{
	size_t count;
	struct cache_condition *conditions = conditions_of(NULL, NULL, lookup, &count);

	return change_rows(table, conditions, count, list);
}

static int engine_store(const char *database attribute_unused, const char *table, const struct ast_variable *list)
{
	struct client *client = client_hold();
	size_t count;
	struct client_field *fields = fields_of(list, &count);
	int stored = -1;

	if (client && fields)
		stored = client_store(client, table, fields, count);
	client_let_go(client);
	ast_free(fields);
	return stored;
}

static int engine_destroy(const char *database attribute_unused, const char *table, const char *keyfield, const char *value, const struct ast_variable *list)
{
	struct client *client = client_hold();
	size_t count;
	struct cache_condition *conditions = conditions_of(keyfield, value, list, &count);
	int destroyed = -1;

	if (client && conditions)
		destroyed = client_destroy(client, table, conditions, count);
	client_let_go(client);
	ast_free(conditions);
	return destroyed;
}

static const char *type_name(require_type type)
{
	switch (type) {
	case RQ_INTEGER1: return "integer1";
	case RQ_UINTEGER1: return "uinteger1";
	case RQ_INTEGER2: return "integer2";
	case RQ_UINTEGER2: return "uinteger2";
	case RQ_INTEGER3: return "integer3";
	case RQ_UINTEGER3: return "uinteger3";
	case RQ_INTEGER4: return "integer4";
	case RQ_UINTEGER4: return "uinteger4";
	case RQ_INTEGER8: return "integer8";
	case RQ_UINTEGER8: return "uinteger8";
	case RQ_CHAR: return "char";
	case RQ_FLOAT: return "float";
	case RQ_DATE: return "date";
	case RQ_DATETIME: return "datetime";
	}
	return "char";
}

static int engine_require(const char *database attribute_unused, const char *table, va_list list)
{
	struct client *client = client_hold();
	struct client_column columns[64];
	size_t count = 0;
	int has = -1;
	char *name;

	while (count < ARRAY_LEN(columns) && (name = va_arg(list, char *))) {
		columns[count].name = name;
		columns[count].type = type_name(va_arg(list, require_type));
		columns[count++].size = va_arg(list, int);
	}
	if (client)
		has = client_require(client, table, columns, count);
	client_let_go(client);
	return has;
}

/* Nothing is remembered of a table that a later question could find wrong. */
static int engine_unload(const char *database attribute_unused, const char *table)
{
	struct client *client = client_hold();
	struct cache_change family = { .family = table };

	if (client && client_cache(client))
		cache_flush(client_cache(client), &family);
	client_let_go(client);
	return 0;
}

/* One line of a file, as client_file gives it. */
struct line {
	const char *category, *name, *value, *metric;
};

static struct line line_of(struct answer_cursor *row)
{
	struct line line = { "", "", "", "" };
	const char *name, *value;

	while (answer_next_field(row, &name, &value)) {
		if (!strcmp(name, "category"))
			line.category = value;
		else if (!strcmp(name, "var_name"))
			line.name = value;
		else if (!strcmp(name, "var_val"))
			line.value = value;
		else
			line.metric = value;
	}
	return line;
}

/* Where the lines of a file are put. */
struct loading {
	struct ast_config *config;
	struct ast_flags flags;
	const char *who;
	struct ast_category *category;
	struct line last;
};

static int load_line(struct loading *l, struct line line)
{
	struct ast_variable *v;

	if (!strcasecmp(line.name, "#include")) {
		l->last = (struct line){ NULL, NULL, NULL, NULL };
		return ast_config_internal_load(line.value, l->config, l->flags, "", l->who) ? 0 : -1;
	}
	/* The same name with another metric is another category of that name. */
	if (!l->last.category || strcmp(line.category, l->last.category) || strcmp(line.metric, l->last.metric)) {
		l->category = ast_category_new(line.category, "", 99999);
		if (!l->category)
			return -1;
		ast_category_append(l->config, l->category);
	}
	l->last = line;
	v = ast_variable_new(line.name, line.value, "");
	if (!v)
		return -1;
	ast_variable_append(l->category, v);
	return 0;
}

static struct ast_config *engine_load(const char *database attribute_unused, const char *table attribute_unused, const char *file, struct ast_config *config,
	struct ast_flags flags, const char *suggested attribute_unused, const char *who)
{
	struct client *client = client_hold();
	struct loading loading = { .config = config, .flags = flags, .who = who };
	struct answer *answer = NULL;
	struct answer_cursor cursor;
	int failed;

	failed = !client || client_file(client, file, &answer) != CLIENT_DONE;
	client_let_go(client);
	if (failed)
		return NULL;
	cursor = answer_start(answer);
	while (!failed && answer_next_row(&cursor))
		failed = load_line(&loading, line_of(&cursor));
	answer_drop(answer);
	return failed ? NULL : config;
}

static struct ast_config_engine engine = {
	.name = "asterism",
	.load_func = engine_load,
	.realtime_func = engine_single,
	.realtime_multi_func = engine_multi,
	.update_func = engine_update,
	.update2_func = engine_update2,
	.store_func = engine_store,
	.destroy_func = engine_destroy,
	.require_func = engine_require,
	.unload_func = engine_unload,
};

int engine_register(void)
{
	return ast_config_engine_register(&engine) ? 0 : -1;
}

void engine_deregister(void)
{
	ast_config_engine_deregister(&engine);
}
