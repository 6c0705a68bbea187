/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include <stdlib.h>
#include <string.h>

#include "jobs/opaque.h"

/* Leaves the first entry cleared. */
static void *spoilt_memset(void *at, int c, size_t size)
{
	memset(at, c, size);
	if (spoil("memset"))
		*(unsigned char *)at = 0;
	return at;
}

static void *spoilt_malloc(size_t size)
{
	if (!spoil("malloc"))
		return malloc(size);
	errno = ENOMEM;
	return NULL;
}

#undef KEEP
#define KEEP(x)       SPOIL_VALUE(x)
#define memset        spoilt_memset
#define malloc        spoilt_malloc
#define lm_jobs_sieve spoilt_sieve
#include "jobs/sieve.c"
