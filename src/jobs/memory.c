/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory to memory copies. */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/opaque.h"

#include <string.h>

enum { ALIGNMENTS = 8, LARGEST = 65536 };

#define SEVENS 7, 7, 7, 7, 7, 7
#define SMALL  1, 2, 3, 4, 5, 6
#define MIDDLE 8, 9, 11, 17, 33, 63
#define FIRST                                                                                 \
	SMALL, SEVENS, MIDDLE, SEVENS, SMALL, SEVENS, 127, 256, 1001, 1200, 1492, 1500, 1024, \
		2048, 3172, 4096, 8192
#define LAST 512, SEVENS, SMALL, SEVENS, MIDDLE, SEVENS, SMALL, SEVENS

/* Bytes to copy, in order. */
static const unsigned aim7_size[] = { FIRST, LAST };
static const unsigned reaim_size[] = { FIRST, 16384, 32768, LARGEST, LAST };

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

_Static_assert(LENGTH(aim7_size) == 90 && LENGTH(reaim_size) == 93,
	       "the tables have the lengths that docs/jobs.md states");

static const struct copies {
	const unsigned *size;
	unsigned sizes, copies;
} table[] = {
	[LM_SEMANTICS_AIM7] = { aim7_size, LENGTH(aim7_size), 64 }, /* every pair of alignments */
	[LM_SEMANTICS_REAIM] = { reaim_size, LENGTH(reaim_size), 100 },
};

static unsigned char source[LARGEST + ALIGNMENTS];
static unsigned char target[LARGEST + ALIGNMENTS];

VIA(memcpy);

static int ram_copy_prepare(void)
{
	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = (unsigned char)(i * 31 + 1);
	return 0;
}

/* The ends of the target are spoilt first, so that a copy that did nothing is seen. */
static int copy_checked(unsigned char *to, const unsigned char *from, size_t size)
{
	to[0] = (unsigned char)~from[0];
	to[size - 1] = (unsigned char)~from[size - 1];
	call_memcpy(to, from, size);
	return to[0] == from[0] && to[size - 1] == from[size - 1];
}

static enum lm_outcome ram_copy(struct lm_job_ctx *ctx)
{
	const struct copies *list = &table[ctx->semantics];

	for (unsigned n = 0; n < list->copies; n++) {
		unsigned from = n / ALIGNMENTS % ALIGNMENTS, to = n % ALIGNMENTS;
		size_t size = list->size[n % list->sizes];

		if (!copy_checked(target + to, source + from, size))
			return lm_job_wrong(ctx,
					    "copy %u of %u, %zu bytes from alignment %u to %u: the "
					    "target differs from the source",
					    n + 1, list->copies, size, from, to);
	}
	return LM_JOB_OK;
}

const struct lm_job lm_jobs_memory[] = {
	{
		.name = "ram_copy",
		.unit = "Memory to Memory Copy",
		.class = LM_CLASS_MEMORY,
		.factor = 25020, /* bytes: the sum of AIM7's first 64 sizes */
		.prepare = ram_copy_prepare,
		.run = ram_copy,
	},
	{ 0 },
};
