/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asterism's realtime engine inside Asterisk: questions over SOAP, with the stubs that
 * gSOAP makes from Asterism's WSDL, and a cache that the server keeps right.
 *
 * This file loads, reloads and unloads. engine.c is what Asterisk's realtime calls,
 * client.h what stands behind it and knows nothing of Asterisk.
 */
#include "asterisk.h"

#include <stdarg.h>

#include "asterisk/astobj2.h"
#include "asterisk/compiler.h"
#include "asterisk/logger.h"
#include "asterisk/module.h"
#include "asterisk/utils.h"

#include "engine.h"
#include "expire.h"
#include "say.h"
#include "settings.h"

/* The client and the settings that it was made from; goes when nobody holds it. */
struct setup {
	struct settings *settings;
	struct expirer *expirer;
	struct client *client;
};

static AO2_GLOBAL_OBJ_STATIC(present);

void say(enum say_level level, const char *format, ...)
{
	char line[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	if (level == SAY_NOTICE)
		ast_log(LOG_NOTICE, "%s\n", line);
	else if (level == SAY_WARNING)
		ast_log(LOG_WARNING, "%s\n", line);
	else
		ast_log(LOG_ERROR, "%s\n", line);
}

/* Which setup a client belongs to is found through its settings' data. */
struct client *client_hold(void)
{
	struct setup *setup = ao2_global_obj_ref(present);

	return setup ? setup->client : NULL;
}

void client_let_go(struct client *client)
{
	if (client)
		ao2_ref(client_data(client), -1);
}

static enum cache_policy policy(const char *family, void *data)
{
	struct setup *setup = data;

	return settings_family(setup->settings, family)->policy;
}

static int wants(const char *family, void *data)
{
	struct setup *setup = data;

	return settings_family(setup->settings, family)->memory_cache != NULL;
}

static void changed(const char *family, const char *const *key, size_t count, void *data)
{
	struct setup *setup = data;
	const struct family_setting *f;

	for (f = setup->settings->families; f; f = f->next)
		if (f->memory_cache && (!family || !strcasecmp(f->family, family)))
			expire(setup->expirer, f->memory_cache, key && count == 1 ? key[0] : NULL);
}

static void setup_end(void *object)
{
	struct setup *setup = object;

	if (setup->client)
		client_free(setup->client);
	expirer_free(setup->expirer);
	settings_free(setup->settings);
}

static int uses_tls(const struct settings *settings)
{
	for (size_t i = 0; i < settings->url_count; i++)
		if (!strncasecmp(settings->urls[i], "https://", 8))
			return 1;
	return 0;
}

static struct client *make_client(struct setup *setup)
{
	const struct settings *s = setup->settings;
	struct client_settings settings = {
		.servers = {
			.urls = (const char *const *)s->urls,
			.count = s->url_count,
			.dialing = {
				.connect_timeout = s->connect_timeout,
				.answer_timeout = s->answer_timeout,
				.user = s->user,
				.password = s->password,
				.tls = uses_tls(s),
				.ca_file = s->ca_file,
				.cert_file = s->cert_file,
				.key_file = s->key_file,
			},
			.connections = s->connections,
			.idle_time = s->idle_time,
		},
		.cache_size = s->cache_size,
		.cache_age = s->cache_age,
		.policy = policy,
		.wants = wants,
		.changed = changed,
		.data = setup,
	};
	char error[256];
	struct client *client = client_new(&settings, error, sizeof error);

	if (!client)
		ast_log(LOG_ERROR, "asterism.conf: %s\n", error);
	return client;
}

/* Puts what asterism.conf says in place of what is. */
static int configure(void)
{
	struct setup *setup = ao2_alloc_options(sizeof *setup, setup_end, AO2_ALLOC_OPT_LOCK_NOLOCK);

	if (!setup)
		return -1;
	setup->settings = settings_read();
	setup->expirer = expirer_new();
	setup->client = setup->settings && setup->expirer ? make_client(setup) : NULL;
	if (!setup->client) {
		ao2_ref(setup, -1);
		return -1;
	}
	ao2_global_obj_replace_unref(present, setup);
	ao2_ref(setup, -1);
	return 0;
}

static int reload_module(void)
{
	if (!configure())
		return 0;
	ast_log(LOG_WARNING, "asterism.conf: the settings before stay\n");
	return -1;
}

/* Calls in flight are not counted by the core, so only a shutdown ends the engine. */
static int unload_module(void)
{
	if (!ast_shutting_down()) {
		ast_log(LOG_WARNING, "res_config_asterism stays until Asterisk stops; module reload res_config_asterism.so reads asterism.conf again\n");
		return -1;
	}
	engine_deregister();
	function_deregister();
	commands_deregister();
	ao2_global_obj_release(present);
	return 0;
}

static int load_module(void)
{
	if (configure())
		return AST_MODULE_LOAD_DECLINE;
	if (engine_register() || function_register() || commands_register()) {
		engine_deregister();
		function_deregister();
		commands_deregister();
		ao2_global_obj_release(present);
		return AST_MODULE_LOAD_DECLINE;
	}
	return AST_MODULE_LOAD_SUCCESS;
}

/* The sources are under Asterisk's own licence. */
AST_MODULE_INFO(ASTERISK_GPL_KEY, AST_MODFLAG_LOAD_ORDER, "Asterism realtime configuration and dialplan function",
	.support_level = AST_MODULE_SUPPORT_EXTENDED,
	.load = load_module,
	.unload = unload_module,
	.reload = reload_module,
	.load_pri = AST_MODPRI_REALTIME_DRIVER,
	.requires = "extconfig",
);
