/* SPDX-License-Identifier: GPL-2.0-only */
/* ASTERISM_CODECS(number[,tenant]), described in asterism-en_US.xml. */
#include "asterisk.h"

#include "asterisk/app.h"
#include "asterisk/compiler.h"
#include "asterisk/logger.h"
#include "asterisk/pbx.h"
#include "asterisk/strings.h"

#include "engine.h"

/* Appends the codecs, joined by commas, to what stands in the string. */
static void join(struct ast_str **to, const struct answer *answer)
{
	struct answer_cursor cursor = answer_start(answer);
	const char *name, *codec;

	while (answer_next_row(&cursor))
		while (answer_next_field(&cursor, &name, &codec))
			ast_str_append(to, 0, "%s%s", ast_str_strlen(*to) ? "," : "", codec);
}

/* The dialplan can't see a function's failure, and an unknown number is none. */
static void tell(struct ast_channel *channel, const struct answer *answer)
{
	const char *result = !answer ? "failed" : answer_rows(answer) ? "ok" : "unknown";

	if (channel) /* without one it would be a global variable */
		pbx_builtin_setvar_helper(channel, "ASTERISM_RESULT", result);
}

static int codecs_read(struct ast_channel *channel, const char *function, char *data, struct ast_str **result, ssize_t most attribute_unused)
{
	struct client *client;
	struct answer *answer = NULL;
	AST_DECLARE_APP_ARGS(arguments, AST_APP_ARG(number); AST_APP_ARG(tenant););

	AST_STANDARD_APP_ARGS(arguments, data);
	ast_str_reset(*result);
	if (ast_strlen_zero(arguments.number)) {
		ast_log(LOG_WARNING, "%s wants a number: %s(number[,tenant])\n", function, function);
		return -1;
	}
	client = client_hold();
	if (client && client_codecs(client, arguments.number, arguments.tenant, &answer) == CLIENT_DONE)
		join(result, answer);
	client_let_go(client);
	tell(channel, answer);
	if (!answer)
		return -1;
	answer_drop(answer);
	return 0;
}

static struct ast_custom_function codecs = {
	.name = "ASTERISM_CODECS",
	.read2 = codecs_read,
};

int function_register(void)
{
	return ast_custom_function_register(&codecs);
}

void function_deregister(void)
{
	ast_custom_function_unregister(&codecs);
}
