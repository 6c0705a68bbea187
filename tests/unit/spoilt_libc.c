/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "jobs/opaque.h"

static void *spoilt_malloc(size_t size)
{
	return spoil("malloc") ? NULL : malloc(size);
}

static void *spoilt_calloc(size_t count, size_t size)
{
	unsigned char *at = calloc(count, size);

	if (at)
		at[count * size - 1] = spoil("calloc");
	return at;
}

static void spoilt_free(void *at)
{
	free(at);
}

static size_t spoilt_strlen(const char *text)
{
	return strlen(text);
}

static char *spoilt_strcpy(char *to, const char *from)
{
	strcpy(to, from);
	*to = (char)(*to + spoil("strcpy"));
	return to;
}

/* Blocks end one byte too early. */
static void *spoilt_memset(void *at, int c, size_t size)
{
	return memset(at, c, size - spoil("memset"));
}

static void *spoilt_memcpy(void *to, const void *from, size_t size)
{
	return memcpy(to, from, size - spoil("memcpy"));
}

static void *spoilt_memmove(void *to, const void *from, size_t size)
{
	return memmove(to, from, size - spoil("memmove"));
}

static void *spoilt_memchr(const void *at, int c, size_t size)
{
	return spoil("memchr") ? NULL : memchr(at, c, size);
}

static int spoilt_memcmp(const void *a, const void *b, size_t size)
{
	return spoil("memcmp") ? 0 : memcmp(a, b, size);
}

static void spoilt_qsort(void *base, size_t count, size_t size,
			 int (*order)(const void *, const void *))
{
	qsort(base, count - spoil("qsort"), size, order);
}

static void *spoilt_bsearch(const void *key, const void *base, size_t count, size_t size,
			    int (*order)(const void *, const void *))
{
	return spoil("bsearch") ? NULL : bsearch(key, base, count, size, order);
}

/* What misc_rtns_1 asks: no answer. */
static char *spoilt_ctermid(char *name)
{
	ctermid(name);
	if (spoil("ctermid"))
		*name = '\0';
	return name;
}

static int spoilt_getgroups(int size, gid_t *list)
{
	return spoil("getgroups") ? -1 : getgroups(size, list);
}

static char *spoilt_getenv(const char *name)
{
	return spoil("getenv") ? NULL : getenv(name);
}

static struct passwd *spoilt_getpwnam(const char *name)
{
	return spoil("getpwnam") ? NULL : getpwnam(name);
}

static struct passwd *spoilt_getpwuid(uid_t uid)
{
	return spoil("getpwuid") ? NULL : getpwuid(uid);
}

static struct group *spoilt_getgrgid(gid_t gid)
{
	return spoil("getgrgid") ? NULL : getgrgid(gid);
}

static char *spoilt_getcwd(char *to, size_t size)
{
	return spoil("getcwd") ? NULL : getcwd(to, size);
}

static int spoilt_uname(struct utsname *system)
{
	return spoil("uname") ? -1 : uname(system);
}

static clock_t spoilt_times(struct tms *spent)
{
	if (!spoil("times"))
		return times(spent);
	errno = EFAULT;
	return (clock_t)-1;
}

#undef VIA
#define VIA(function) VIA_WRAPPER(function)
#define ctermid       spoilt_ctermid
#define getgroups     spoilt_getgroups
#define getenv        spoilt_getenv
#define getpwnam      spoilt_getpwnam
#define getpwuid      spoilt_getpwuid
#define getgrgid      spoilt_getgrgid
#define getcwd        spoilt_getcwd
#define uname(system) spoilt_uname(system)
#define times         spoilt_times
#define lm_jobs_libc  spoilt_libc
#include "jobs/libc.c"
