/* SPDX-License-Identifier: GPL-2.0-only */
#include "asterisk.h"

#include <sys/stat.h>

#include "asterisk/config.h"
#include "asterisk/logger.h"
#include "asterisk/strings.h"
#include "asterisk/utils.h"

#include "settings.h"

static const char file[] = "asterism.conf";

/* Which families are kept when nothing is said: all, but for those that change all the time. */
static const struct family_setting usual[] = {
	{ .family = "ps_contacts", .policy = CACHE_NOT },
	{ .family = "queues", .policy = CACHE_AND_STALE },
	{ .family = "queue_members", .policy = CACHE_AND_STALE },
};

const struct family_setting *settings_family(const struct settings *settings, const char *family)
{
	static const struct family_setting other = { .policy = CACHE_PLAIN };
	const struct family_setting *found;

	for (found = settings->families; found; found = found->next)
		if (!strcasecmp(found->family, family))
			return found;
	for (size_t i = 0; i < ARRAY_LEN(usual); i++)
		if (!strcasecmp(usual[i].family, family))
			return &usual[i];
	return &other;
}

void settings_free(struct settings *settings)
{
	if (!settings)
		return;
	for (size_t i = 0; i < settings->url_count; i++)
		ast_free(settings->urls[i]);
	ast_free(settings->urls);
	while (settings->families) {
		struct family_setting *next = settings->families->next;

		ast_free(settings->families->family);
		ast_free(settings->families->memory_cache);
		ast_free(settings->families);
		settings->families = next;
	}
	ast_free(settings->user);
	ast_free(settings->password);
	ast_free(settings->ca_file);
	ast_free(settings->cert_file);
	ast_free(settings->key_file);
	ast_free(settings);
}

static int wrong(const struct ast_variable *v, const char *want)
{
	ast_log(LOG_ERROR, "%s line %d: %s = %s: %s\n", file, v->lineno, v->name, v->value, want);
	return -1;
}

/* The same without the value, which is nobody's to read. */
static int wrong_silently(const struct ast_variable *v, const char *want)
{
	ast_log(LOG_ERROR, "%s line %d: %s: %s\n", file, v->lineno, v->name, want);
	return -1;
}

static int whole_number(const struct ast_variable *v, int least, int most, int *number)
{
	char end;

	if (sscanf(v->value, "%30d%c", number, &end) == 1 && *number >= least && *number <= most)
		return 0;
	ast_log(LOG_ERROR, "%s line %d: %s = %s: want a number from %d to %d\n", file, v->lineno, v->name, v->value, least, most);
	return -1;
}

/* Bytes, with K, M or G behind the number or without. */
static int size_of(const struct ast_variable *v, size_t *size)
{
	unsigned long number;
	char unit = ' ', end;
	int read = sscanf(v->value, "%20lu%c%c", &number, &unit, &end);
	int shift = unit == 'K' || unit == 'k' ? 10 : unit == 'M' || unit == 'm' ? 20 : unit == 'G' || unit == 'g' ? 30 : 0;

	if (read < 1 || read > 2 || (read == 2 && !shift) || number > (SIZE_MAX >> 31))
		return wrong(v, "want a size like 32M, or 0 for no cache");
	*size = (size_t)number << shift;
	return 0;
}

static int add_server(struct settings *settings, const struct ast_variable *v)
{
	char **urls;

	if (strncasecmp(v->value, "http://", 7) && strncasecmp(v->value, "https://", 8))
		return wrong(v, "want the URL of a server's SOAP door, like http://127.0.0.1:8640/soap");
	if (strchr(v->value, '@'))
		return wrong_silently(v, "want a URL without user and password; they are user and password_file");
	urls = ast_realloc(settings->urls, (settings->url_count + 1) * sizeof *urls);
	if (!urls)
		return -1;
	settings->urls = urls;
	urls[settings->url_count] = ast_strdup(v->value);
	return urls[settings->url_count++] ? 0 : -1;
}

static int replace(char **text, const char *value)
{
	ast_free(*text);
	*text = ast_strdup(value);
	return *text ? 0 : -1;
}

/* The password is the file's first line. */
static int read_password(struct settings *settings, const struct ast_variable *v)
{
	char line[256] = "";
	FILE *f = fopen(v->value, "r");

	if (!f)
		return wrong(v, strerror(errno));
	if (!fgets(line, sizeof line, f))
		line[0] = '\0';
	fclose(f);
	line[strcspn(line, "\r\n")] = '\0';
	if (!line[0])
		return wrong(v, "the file's first line is empty; it should be the password");
	return replace(&settings->password, line);
}

static int is_readable(const struct ast_variable *v, char **text)
{
	struct stat about;

	if (stat(v->value, &about))
		return wrong(v, strerror(errno));
	return replace(text, v->value);
}

static struct family_setting *family_of(struct settings *settings, const char *name)
{
	struct family_setting *f;

	for (f = settings->families; f; f = f->next)
		if (!strcasecmp(f->family, name))
			return f;
	f = ast_calloc(1, sizeof *f);
	if (!f)
		return NULL;
	f->policy = settings_family(settings, name)->policy;
	f->family = ast_strdup(name);
	f->next = settings->families;
	settings->families = f;
	return f->family ? f : NULL;
}

static int read_general(struct settings *s, const struct ast_variable *v)
{
	int number;

	if (!strcasecmp(v->name, "server"))
		return add_server(s, v);
	if (!strcasecmp(v->name, "connect_timeout"))
		return whole_number(v, 10, 60000, &s->connect_timeout);
	if (!strcasecmp(v->name, "answer_timeout"))
		return whole_number(v, 10, 60000, &s->answer_timeout);
	if (!strcasecmp(v->name, "idle_timeout"))
		return whole_number(v, 100, 3600000, &s->idle_time);
	if (!strcasecmp(v->name, "connections")) {
		number = 0;
		if (whole_number(v, 2, 10000, &number))
			return -1;
		s->connections = (unsigned)number;
		return 0;
	}
	if (!strcasecmp(v->name, "user"))
		return replace(&s->user, v->value);
	if (!strcasecmp(v->name, "password_file"))
		return read_password(s, v);
	if (!strcasecmp(v->name, "ca_file"))
		return is_readable(v, &s->ca_file);
	if (!strcasecmp(v->name, "tls_cert"))
		return is_readable(v, &s->cert_file);
	if (!strcasecmp(v->name, "tls_key"))
		return is_readable(v, &s->key_file);
	return wrong(v, "[general] has server, connect_timeout, answer_timeout, idle_timeout, connections, user, password_file, ca_file, tls_cert and tls_key");
}

static int read_cache(struct settings *s, const struct ast_variable *v)
{
	if (!strcasecmp(v->name, "size"))
		return size_of(v, &s->cache_size);
	if (!strcasecmp(v->name, "max_age"))
		return whole_number(v, 100, 60000, &s->cache_age);
	return wrong(v, "[cache] has size and max_age");
}

static int read_family(struct settings *s, const struct ast_variable *v)
{
	struct family_setting *f = family_of(s, v->name);

	if (!f)
		return -1;
	if (!strcasecmp(v->value, "no"))
		f->policy = CACHE_NOT;
	else if (!strcasecmp(v->value, "yes"))
		f->policy = CACHE_PLAIN;
	else if (!strcasecmp(v->value, "stale"))
		f->policy = CACHE_AND_STALE;
	else
		return wrong(v, "want yes, no, or stale to go on with the last answer while no server answers");
	return 0;
}

static int read_memory_cache(struct settings *s, const struct ast_variable *v)
{
	struct family_setting *f = family_of(s, v->name);

	return f ? replace(&f->memory_cache, v->value) : -1;
}

static const struct section {
	const char *name;
	int (*read)(struct settings *settings, const struct ast_variable *v);
} sections[] = {
	{ "general", read_general },
	{ "cache", read_cache },
	{ "families", read_family },
	{ "memory_cache", read_memory_cache },
};

static int read_section(struct settings *settings, struct ast_config *config, const char *name)
{
	struct ast_variable *v;

	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		if (strcasecmp(sections[i].name, name))
			continue;
		for (v = ast_variable_browse(config, name); v; v = v->next)
			if (sections[i].read(settings, v))
				return -1;
		return 0;
	}
	ast_log(LOG_ERROR, "%s: no section [%s]; there are [general], [cache], [families] and [memory_cache]\n", file, name);
	return -1;
}

static int read_all(struct settings *settings, struct ast_config *config)
{
	char *section = NULL;

	while ((section = ast_category_browse(config, section)))
		if (read_section(settings, config, section))
			return -1;
	if (!settings->url_count) {
		ast_log(LOG_ERROR, "%s: no server; add to [general]: server = http://127.0.0.1:8640/soap\n", file);
		return -1;
	}
	if (settings->key_file && !settings->cert_file) {
		ast_log(LOG_ERROR, "%s: tls_key without tls_cert\n", file);
		return -1;
	}
	return 0;
}

struct settings *settings_read(void)
{
	struct ast_flags flags = { CONFIG_FLAG_NOREALTIME };
	struct ast_config *config = ast_config_load(file, flags);
	struct settings *settings;

	if (!config || config == CONFIG_STATUS_FILEINVALID) {
		ast_log(LOG_ERROR, "%s: it is missing or can't be read; asterism.conf.sample beside the module's sources explains it\n", file);
		return NULL;
	}
	settings = ast_calloc(1, sizeof *settings);
	if (settings) {
		settings->connect_timeout = 500;
		settings->answer_timeout = 1000;
		settings->idle_time = 30000;
		settings->connections = 64;
		settings->cache_size = 32 << 20;
		settings->cache_age = 2000;
		if (read_all(settings, config)) {
			settings_free(settings);
			settings = NULL;
		}
	}
	ast_config_destroy(config);
	return settings;
}
