/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include <string.h>

#include "jobs/opaque.h"

/* Leaves the last byte as it was. */
static void *spoilt_memcpy(void *to, const void *from, size_t size)
{
	bytes_copied += size;
	return memcpy(to, from, size - spoil("memcpy"));
}

#undef VIA
#define VIA(function)  VIA_WRAPPER(function)
#define lm_jobs_memory spoilt_memory
#include "jobs/memory.c"
