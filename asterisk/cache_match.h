/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a changed key can be one that a condition asks for. When in doubt it can: the
 * letter case of ASCII never matters here, nor how a number is spelled.
 */
#ifndef ASTERISM_CACHE_MATCH_H
#define ASTERISM_CACHE_MATCH_H

#include <stdint.h>

/* LIKE of SQL: % any text, _ any character, a backslash takes what follows literally. */
int match_like(const char *pattern, const char *text);
/* The same text but for letter case. */
int match_text(const char *a, const char *b);
/* Whether a text may be the number that another text spells differently: "01", "1.0", "+1". */
int match_is_loose(const char *text);
/* A pattern that everything matches. */
int match_is_everything(const char *pattern);

enum { MATCH_HASH_START = 0xcbf29ce4 };
/* Goes on with a hash over a text and its end, whatever its letter case. */
uint64_t match_hash(uint64_t hash, const char *text);

#endif
