/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floating-point arithmetic. All values are exact, so that the cycles close to the last bit. */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/opaque.h"

#define KEEP_OPERAND(x) KEEP_REAL(x)
#include "jobs/arithmetic.h"

#define ADD_LOOP(type) FULL_CYCLE(type, +)
#define MUL_LOOP(type) FULL_CYCLE(type, *)

/* (1, x, 1/x) is back at the end: 2 updates of a, 1 of p, 3 of q. */
#define DIV_CYCLE(type)               \
	do {                          \
		APPLY(type, a, /, p); \
		APPLY(type, q, /, a); \
		APPLY(type, p, /, q); \
		APPLY(type, q, /, p); \
		APPLY(type, a, /, q); \
		APPLY(type, q, /, a); \
	} while (0)

#define DIV_LOOP(type)           \
	do {                     \
		DIV_CYCLE(type); \
		DIV_CYCLE(type); \
	} while (0)

struct operands {
	double a, p, q;
};

static enum lm_outcome check(struct lm_job_ctx *ctx, struct operands is, struct operands want)
{
	if (is.a == want.a && is.p == want.p && is.q == want.q)
		return LM_JOB_OK;
	return lm_job_wrong(
		ctx,
		"operands ended as %.17g, %.17g, %.17g; want %.17g, %.17g, %.17g as at the start",
		is.a, is.p, is.q, want.a, want.p, want.q);
}

DEFINE_KIND(add_double, double, 1500000, ADD_LOOP, 0, 3.14159, -3.14159)
DEFINE_KIND(add_float, float, 1000000, ADD_LOOP, 0, 3.5f, -3.5f)
DEFINE_KIND(mul_double, double, 1000000, MUL_LOOP, 1, 4, 0.25)
DEFINE_KIND(mul_float, float, 1000000, MUL_LOOP, 1, 4, 0.25f)
DEFINE_KIND(div_double, double, 250000, DIV_LOOP, 1, 4, 0.25)
DEFINE_KIND(div_float, float, 250000, DIV_LOOP, 1, 4, 0.25f)

const struct lm_job lm_jobs_float[] = {
	ROW(add_double, LM_CLASS_CPU_FLOAT, 18000, "Thousand Double Precision Additions"),
	ROW(add_float, LM_CLASS_CPU_FLOAT, 12000, "Thousand Single Precision Additions"),
	ROW(mul_double, LM_CLASS_CPU_FLOAT, 12000, "Thousand Double Precision Multiplies"),
	ROW(mul_float, LM_CLASS_CPU_FLOAT, 12000, "Thousand Single Precision Multiplies"),
	ROW(div_double, LM_CLASS_CPU_FLOAT, 3000, "Thousand Double Precision Divides"),
	ROW(div_float, LM_CLASS_CPU_FLOAT, 3000, "Thousand Single Precision Divides"),
	{ 0 },
};
