/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the parts that know nothing of Asterisk tell an operator what happened. The
 * module writes it to Asterisk's log, a test program to standard error.
 */
#ifndef ASTERISM_SAY_H
#define ASTERISM_SAY_H

enum say_level { SAY_NOTICE, SAY_WARNING, SAY_ERROR };

/* A line without its end. */
void say(enum say_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
