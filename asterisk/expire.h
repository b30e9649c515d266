/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes objects out of the memory caches that sorcery keeps in this process, when the
 * rows that they were made from have changed. Include after asterisk.h.
 */
#ifndef ASTERISM_EXPIRE_H
#define ASTERISM_EXPIRE_H

struct expirer;

/* NULL without memory or a thread. */
struct expirer *expirer_new(void);
/* What was to be taken out again stays. */
void expirer_free(struct expirer *expirer);

/* The object with this id, or with NULL all of the cache; at once, and again 2 s later. */
void expire(struct expirer *expirer, const char *memory_cache, const char *id);

#endif
