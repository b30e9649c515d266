/* SPDX-License-Identifier: GPL-2.0-only */
/* Asterisk has no function for this, but actions of its manager, which a module may send without a connection. */
#include "asterisk.h"

#include "asterisk/compiler.h"
#include "asterisk/logger.h"
#include "asterisk/manager.h"
#include "asterisk/strings.h"

#include "expire.h"

/*
 * A cache with full_backend_cache forgets everything or nothing, and the manager says
 * so only when one object is to go. Its other errors, that the cache or the object isn't
 * there, are what was wanted.
 */
static __thread int keeps_all;

static int look(int category attribute_unused, const char *event attribute_unused, char *content)
{
	if (strstr(content, "full backend"))
		keeps_all = 1;
	return 0;
}

static void order(const char *action)
{
	static struct manager_custom_hook hook = { .file = "res_config_asterism", .helper = look };

	ast_hook_send_action(&hook, action);
}

static int is_one_line(const char *text)
{
	return !strpbrk(text, "\r\n");
}

void expire(const char *memory_cache, const char *id)
{
	struct ast_str *action = ast_str_create(512);

	if (!action)
		return;
	keeps_all = !id || !is_one_line(id);
	if (!keeps_all) {
		ast_str_set(&action, 0, "Action: SorceryMemoryCacheExpireObject\r\nCache: %s\r\nObject: %s\r\n", memory_cache, id);
		order(ast_str_buffer(action)); /* answers before it returns */
	}
	if (keeps_all) {
		ast_str_set(&action, 0, "Action: SorceryMemoryCacheExpire\r\nCache: %s\r\n", memory_cache);
		order(ast_str_buffer(action));
	}
	ast_free(action);
}
