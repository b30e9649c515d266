/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes objects out of the memory caches that sorcery keeps in this process, when the
 * rows that they were made from have changed. Include after asterisk.h.
 */
#ifndef ASTERISM_EXPIRE_H
#define ASTERISM_EXPIRE_H

/* The object with this id, or with NULL all of the cache. */
void expire(const char *memory_cache, const char *id);

#endif
