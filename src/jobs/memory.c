/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory to memory copies. */
#include <loadmix/job.h>

#include "jobs/jobs.h"

#include <string.h>

enum {
	ALIGNMENTS = 8,
	COPIES = ALIGNMENTS * ALIGNMENTS, /* every pair of alignments once */
	LARGEST = 8192,
};

#define SEVENS 7, 7, 7, 7, 7, 7
#define SMALL  1, 2, 3, 4, 5, 6
#define MIDDLE 8, 9, 11, 17, 33, 63

/* Bytes to copy, in order; the copies of a run end within the table. */
static const unsigned short copy_size[] = {
	SMALL,  SEVENS, MIDDLE, SEVENS, SMALL,  SEVENS, 127,    256,  1001,
	1200,   1492,   1500,   1024,   2048,   3172,   4096,   8192, 512,
	SEVENS, SMALL,  SEVENS, MIDDLE, SEVENS, SMALL,  SEVENS,
};

static unsigned char source[LARGEST + ALIGNMENTS];
static unsigned char target[LARGEST + ALIGNMENTS];

/* Through this pointer every copy is a call of the library, whatever is known of its size. */
static __typeof__(&memcpy) volatile const call_memcpy = memcpy;

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
	for (unsigned n = 0; n < COPIES; n++) {
		unsigned from = n / ALIGNMENTS % ALIGNMENTS, to = n % ALIGNMENTS;
		size_t size = copy_size[n % (sizeof(copy_size) / sizeof(copy_size[0]))];

		if (!copy_checked(target + to, source + from, size))
			return lm_job_wrong(ctx,
					    "copy %u of %d, %zu bytes from alignment %u to %u: the "
					    "target differs from the source",
					    n + 1, COPIES, size, from, to);
	}
	return LM_JOB_OK;
}

const struct lm_job lm_jobs_memory[] = {
	{
		.name = "ram_copy",
		.unit = "Memory to Memory Copy",
		.class = LM_CLASS_MEMORY,
		.factor = 25020, /* bytes: the sum of the first 64 sizes */
		.prepare = ram_copy_prepare,
		.run = ram_copy,
	},
	{ 0 },
};
