/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the module that Asterisk calls share. */
#ifndef ASTERISM_ENGINE_H
#define ASTERISM_ENGINE_H

#include "client.h"

/* The client of the present settings, which stays until it is let go, or NULL: not configured. */
struct client *client_hold(void);
void client_let_go(struct client *client);

int engine_register(void);
void engine_deregister(void);

int commands_register(void);
void commands_deregister(void);

int function_register(void);
void function_deregister(void);

#endif
