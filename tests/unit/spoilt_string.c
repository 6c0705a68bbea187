/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jobs/opaque.h"

SPOIL_INT(tolower)
SPOIL_INT(toupper)

static int spoilt_isalpha(int c)
{
	return spoil("isalpha") ? !isalpha(c) : isalpha(c);
}

/* Numbers go wrong by one. */
static double spoilt_atof(const char *text)
{
	return atof(text) + spoil("atof");
}

static int spoilt_atoi(const char *text)
{
	return atoi(text) + spoil("atoi");
}

static long spoilt_atol(const char *text)
{
	return atol(text) + spoil("atol");
}

static double spoilt_strtod(const char *text, char **end)
{
	return strtod(text, end) + spoil("strtod");
}

static long spoilt_strtol(const char *text, char **end, int base)
{
	return strtol(text, end, base) + spoil("strtol");
}

/* Comparisons give the contrary. */
static int spoilt_strcmp(const char *a, const char *b)
{
	return spoil("strcmp") ? !strcmp(a, b) : strcmp(a, b);
}

static int spoilt_strncmp(const char *a, const char *b, size_t size)
{
	return spoil("strncmp") ? !strncmp(a, b, size) : strncmp(a, b, size);
}

static int spoilt_strcoll(const char *a, const char *b)
{
	return spoil("strcoll") ? -strcoll(a, b) : strcoll(a, b);
}

/* Searches end one character too far. */
static size_t spoilt_strcspn(const char *text, const char *set)
{
	return strcspn(text, set) + spoil("strcspn");
}

static size_t spoilt_strspn(const char *text, const char *set)
{
	return strspn(text, set) + spoil("strspn");
}

static size_t spoilt_strlen(const char *text)
{
	return strlen(text) + spoil("strlen");
}

static char *spoilt_strpbrk(const char *text, const char *set)
{
	char *found = strpbrk(text, set);

	return found && spoil("strpbrk") ? found + 1 : found;
}

static char *spoilt_strrchr(const char *text, int c)
{
	char *found = strrchr(text, c);

	return found && spoil("strrchr") ? found + 1 : found;
}

static char *spoilt_strstr(const char *text, const char *part)
{
	char *found = strstr(text, part);

	return found && spoil("strstr") ? found + 1 : found;
}

/* What was written begins with another character. */
static char *spoilt_strcat(char *to, const char *from)
{
	size_t end = strlen(to);

	strcat(to, from);
	to[end] = (char)(to[end] + spoil("strcat"));
	return to;
}

static char *spoilt_strncat(char *to, const char *from, size_t size)
{
	size_t end = strlen(to);

	strncat(to, from, size);
	to[end] = (char)(to[end] + spoil("strncat"));
	return to;
}

static char *spoilt_strcpy(char *to, const char *from)
{
	strcpy(to, from);
	*to = (char)(*to + spoil("strcpy"));
	return to;
}

static char *spoilt_strncpy(char *to, const char *from, size_t size)
{
	memcpy(to, from, size);
	*to = (char)(*to + spoil("strncpy"));
	return to;
}

__attribute__((format(printf, 2, 3))) static int spoilt_sprintf(char *to, const char *fmt, ...)
{
	va_list ap;
	int length;

	va_start(ap, fmt);
	length = vsprintf(to, fmt, ap);
	va_end(ap);
	*to = (char)(*to + spoil("sprintf"));
	return length;
}

static char *spoilt_ctime(const time_t *when)
{
	return spoil("ctime") ? NULL : ctime(when);
}

#undef VIA
#define VIA(function)  VIA_WRAPPER(function)
#define lm_jobs_string spoilt_string
#include "jobs/libc_string.c"
