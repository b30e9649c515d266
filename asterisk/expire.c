/* SPDX-License-Identifier: GPL-2.0-only */
/* Asterisk has no function for this, but actions of its manager, which a module may send without a connection. */
#include "asterisk.h"

#include "asterisk/compiler.h"
#include "asterisk/logger.h"
#include "asterisk/manager.h"
#include "asterisk/sched.h"
#include "asterisk/strings.h"
#include "asterisk/utils.h"

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

static void expire_now(const char *memory_cache, const char *id)
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

/*
 * An object that was being read while its row changed is kept by sorcery after it was
 * taken out, as it was before the change. So it is taken out a second time, when a
 * question that was under way has its answer.
 */
enum { AGAIN_AFTER = 2000 }; /* milliseconds; twice the default answer_timeout */

struct expirer {
	struct ast_sched_context *later;
};

struct expiry {
	const char *id; /* in texts, or NULL */
	char texts[];   /* the cache's name, then the id */
};

static int again(const void *data)
{
	struct expiry *expiry = (struct expiry *)data;

	expire_now(expiry->texts, expiry->id);
	ast_free(expiry);
	return 0; /* not once more */
}

static int forget(const void *data)
{
	ast_free((void *)data);
	return 0;
}

static void expire_later(struct expirer *expirer, const char *memory_cache, const char *id)
{
	size_t length = strlen(memory_cache) + 1;
	struct expiry *expiry = ast_calloc(1, sizeof *expiry + length + strlen(S_OR(id, "")) + 1);

	if (!expiry)
		return;
	strcpy(expiry->texts, memory_cache); /* safe: the sizes are those above */
	if (id)
		expiry->id = strcpy(expiry->texts + length, id);
	if (ast_sched_add(expirer->later, AGAIN_AFTER, again, expiry) < 0)
		ast_free(expiry);
}

void expire(struct expirer *expirer, const char *memory_cache, const char *id)
{
	expire_now(memory_cache, id);
	expire_later(expirer, memory_cache, id);
}

struct expirer *expirer_new(void)
{
	struct expirer *expirer = ast_calloc(1, sizeof *expirer);

	if (!expirer)
		return NULL;
	expirer->later = ast_sched_context_create();
	if (expirer->later && !ast_sched_start_thread(expirer->later))
		return expirer;
	expirer_free(expirer);
	return NULL;
}

void expirer_free(struct expirer *expirer)
{
	if (!expirer)
		return;
	if (expirer->later) {
		ast_sched_clean_by_callback(expirer->later, again, forget);
		ast_sched_context_destroy(expirer->later);
	}
	ast_free(expirer);
}
