/* SPDX-License-Identifier: GPL-2.0-only */
/* Asterisk has no function for this, but actions of its manager, which a module may send without a connection. */
#include "asterisk.h"

#include "asterisk/compiler.h"
#include "asterisk/logger.h"
#include "asterisk/manager.h"
#include "asterisk/strings.h"

#include "expire.h"

/* The manager answers an error where the cache or the object isn't there, which is what was wanted. */
static int ignore(int category attribute_unused, const char *event attribute_unused, char *content attribute_unused)
{
	return 0;
}

static int is_one_line(const char *text)
{
	return !strpbrk(text, "\r\n");
}

void expire(const char *memory_cache, const char *id)
{
	static struct manager_custom_hook hook = { .file = "res_config_asterism", .helper = ignore };
	struct ast_str *action = ast_str_create(512);

	if (!action)
		return;
	if (id && is_one_line(id))
		ast_str_set(&action, 0, "Action: SorceryMemoryCacheExpireObject\r\nCache: %s\r\nObject: %s\r\n", memory_cache, id);
	else
		ast_str_set(&action, 0, "Action: SorceryMemoryCacheExpire\r\nCache: %s\r\n", memory_cache);
	ast_hook_send_action(&hook, ast_str_buffer(action));
	ast_free(action);
}
