/* SPDX-License-Identifier: GPL-2.0-only */
/* asterism.conf. Include after asterisk.h. */
#ifndef ASTERISM_SETTINGS_H
#define ASTERISM_SETTINGS_H

#include "client.h"

/* One family's line, by table name. */
struct family_setting {
	char *family;
	enum cache_policy policy;
	char *memory_cache; /* of sorcery, whose objects are rows of the family; or NULL */
	struct family_setting *next;
};

struct settings {
	char **urls;
	size_t url_count;
	int connect_timeout, answer_timeout, idle_time; /* milliseconds */
	unsigned connections;
	char *user, *password, *ca_file, *cert_file, *key_file;
	size_t cache_size; /* bytes */
	int cache_age;     /* milliseconds */
	struct family_setting *families;
};

/* Reads asterism.conf; NULL after saying in the log which line is wrong and what it should be. */
struct settings *settings_read(void);
void settings_free(struct settings *settings);
const struct family_setting *settings_family(const struct settings *settings, const char *family);

#endif
