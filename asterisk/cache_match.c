/* SPDX-License-Identifier: GPL-2.0-only */
#include "cache_match.h"

#include <string.h>
#include <strings.h>

static char folded(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Bytes of a character after its first, in UTF-8. */
static int goes_on(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static const char *next_character(const char *text)
{
	for (text++; goes_on(*text); text++)
		;
	return text;
}

/*
 * One place to come back to is enough: what a later % takes, an earlier one needn't.
 * A backslash may stand for itself or for an escape, by the database: each counts.
 */
int match_like(const char *pattern, const char *text)
{
	const char *after = NULL, *again = NULL;

	while (*text) {
		if (*pattern == '%') {
			after = ++pattern;
			again = text;
		} else if (*pattern == '_') {
			pattern++;
			text = next_character(text);
		} else if (*pattern == '\\' && pattern[1] && folded(pattern[1]) == folded(*text)) {
			pattern += 2;
			text++;
		} else if (*pattern && folded(*pattern) == folded(*text)) {
			pattern++;
			text++;
		} else if (after) {
			pattern = after;
			text = again = next_character(again);
		} else {
			return 0;
		}
	}
	while (*pattern == '%')
		pattern++;
	return !*pattern;
}

int match_text(const char *a, const char *b)
{
	return !strcasecmp(a, b);
}

int match_is_loose(const char *text)
{
	const char *digits = text + (*text == '-');

	/* A number that is spelled as databases spell it, or no number at all. */
	if (!strpbrk(text, "0123456789") || strspn(text, "0123456789+-.eE \t") != strlen(text))
		return 0;
	if (strspn(digits, "0123456789") != strlen(digits))
		return 1;
	return (*digits == '0' && digits[1]) || (*text == '-' && *digits == '0');
}

int match_is_everything(const char *pattern)
{
	return *pattern && strspn(pattern, "%") == strlen(pattern);
}

uint64_t match_hash(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)folded(*text)) * 1099511628211u;
	return (hash ^ 0xff) * 1099511628211u;
}
