/* SPDX-License-Identifier: GPL-2.0-only */
/* What the commands of the CLI and the actions of the manager share. */
#ifndef ASTERISM_COMMANDS_H
#define ASTERISM_COMMANDS_H

#include "client.h"

/* Forgets answers: all (family empty or NULL), a family's, or those about a row; gives how many. */
size_t commands_flush(struct client *client, const char *family, const char *key);

int actions_register(void);
void actions_deregister(void);

#endif
