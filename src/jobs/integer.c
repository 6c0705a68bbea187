/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer arithmetic. */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/opaque.h"

#define KEEP_OPERAND(x) KEEP(x)
#include "jobs/arithmetic.h"

#define ADD_LOOP(type) FULL_CYCLE(type, +)

/* (x, 1, 1) stays as it is: 1 update each. */
#define MUL_CYCLE(type)               \
	do {                          \
		APPLY(type, p, *, q); \
		APPLY(type, q, *, p); \
		APPLY(type, a, *, q); \
	} while (0)

#define MUL_LOOP(type)           \
	do {                     \
		MUL_CYCLE(type); \
		MUL_CYCLE(type); \
		MUL_CYCLE(type); \
		MUL_CYCLE(type); \
	} while (0)

/* (x, 1, 1) stays as it is: 2 updates of a, 1 each of p and q. */
#define DIV_CYCLE(type)               \
	do {                          \
		APPLY(type, p, /, q); \
		APPLY(type, a, /, p); \
		APPLY(type, q, /, p); \
		APPLY(type, a, /, q); \
	} while (0)

#define DIV_LOOP(type)           \
	do {                     \
		DIV_CYCLE(type); \
		DIV_CYCLE(type); \
		DIV_CYCLE(type); \
	} while (0)

struct operands {
	long a, p, q;
};

static enum lm_outcome check(struct lm_job_ctx *ctx, struct operands is, struct operands want)
{
	if (is.a == want.a && is.p == want.p && is.q == want.q)
		return LM_JOB_OK;
	return lm_job_wrong(ctx,
			    "operands ended as %ld, %ld, %ld; want %ld, %ld, %ld as at the start",
			    is.a, is.p, is.q, want.a, want.p, want.q);
}

DEFINE_KIND(add_int, int, 5000000, ADD_LOOP, 0, 3, -3)
DEFINE_KIND(add_long, long, 5000000, ADD_LOOP, 0, 3, -3)
DEFINE_KIND(add_short, short, 2000000, ADD_LOOP, 0, 3, -3)
DEFINE_KIND(mul_int, int, 20000, MUL_LOOP, 12345678, 1, 1)
DEFINE_KIND(mul_long, long, 20000, MUL_LOOP, 12345678, 1, 1)
DEFINE_KIND(mul_short, short, 25000, MUL_LOOP, 1234, 1, 1)
DEFINE_KIND(div_int, int, 75000, DIV_LOOP, 1234578, 1, 1)
DEFINE_KIND(div_long, long, 75000, DIV_LOOP, 1234578, 1, 1)
DEFINE_KIND(div_short, short, 75000, DIV_LOOP, 1234, 1, 1)

const struct lm_job lm_jobs_integer[] = {
	ROW(add_int, LM_CLASS_CPU_INT, 60000, "Thousand Integer Additions"),
	ROW(add_long, LM_CLASS_CPU_INT, 60000, "Thousand Long Integer Additions"),
	ROW(add_short, LM_CLASS_CPU_INT, 24000, "Thousand Short Integer Additions"),
	ROW(mul_int, LM_CLASS_CPU_INT, 240, "Thousand Integer Multiplies"),
	ROW(mul_long, LM_CLASS_CPU_INT, 240, "Thousand Long Integer Multiplies"),
	ROW(mul_short, LM_CLASS_CPU_INT, 300, "Thousand Short Integer Multiplies"),
	ROW(div_int, LM_CLASS_CPU_INT, 900, "Thousand Integer Divides"),
	ROW(div_long, LM_CLASS_CPU_INT, 900, "Thousand Long Integer Divides"),
	ROW(div_short, LM_CLASS_CPU_INT, 900, "Thousand Short Integer Divides"),
	{ 0 },
};
