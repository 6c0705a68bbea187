/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Integer arithmetic: short chains of dependent additions, multiplications and divisions.
 *
 * Three operands, an accumulator a and a pair p, q, go through cycles that end where they began, so
 * that nothing overflows and the result can be checked. A loop is twelve operations.
 */
#include <loadmix/job.h>

#include "jobs/jobs.h"

/* The compiler must have x in a register here and knows nothing of its value afterwards: an
 * operation before it is carried out as written, is not merged with the next and not vectorised. */
#define KEEP(x) __asm__ volatile("" : "+r"(x))

#define APPLY(type, x, operator, y)            \
	do {                                   \
		(x) = (type)((x) operator(y)); \
		KEEP(x);                       \
	} while (0)

/* (0, x, -x) becomes (0, -x, x), and after a second time is back: 2 updates each of a, p, q. */
#define ADD_HALF_CYCLE(type)          \
	do {                          \
		APPLY(type, a, +, p); \
		APPLY(type, p, +, q); \
		APPLY(type, p, +, q); \
		APPLY(type, q, +, a); \
		APPLY(type, q, +, a); \
		APPLY(type, a, +, p); \
	} while (0)

#define ADD_LOOP(type)                \
	do {                          \
		ADD_HALF_CYCLE(type); \
		ADD_HALF_CYCLE(type); \
	} while (0)

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

/* The loops are a function of their own, so that nothing but them competes for registers. */
#define DEFINE_KIND(kind, type, loops, loop, a0, p0, q0)                                   \
	static __attribute__((noinline)) void kind##_loops(type *operand)                  \
	{                                                                                  \
		type a = operand[0], p = operand[1], q = operand[2];                       \
                                                                                           \
		KEEP(a);                                                                   \
		KEEP(p);                                                                   \
		KEEP(q);                                                                   \
		for (unsigned n = 0; n < (loops); n++)                                     \
			loop(type);                                                        \
		operand[0] = a;                                                            \
		operand[1] = p;                                                            \
		operand[2] = q;                                                            \
	}                                                                                  \
                                                                                           \
	static enum lm_outcome kind(struct lm_job_ctx *ctx)                                \
	{                                                                                  \
		type operand[] = { a0, p0, q0 };                                           \
                                                                                           \
		kind##_loops(operand);                                                     \
		return check(ctx, (struct operands){ operand[0], operand[1], operand[2] }, \
			     (struct operands){ a0, p0, q0 });                             \
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

/* A row; kind is both the name and the function. */
#define ROW(kind, thousands, label)                                                           \
	{                                                                                     \
		.name = #kind, .unit = label, .class = LM_CLASS_CPU_INT, .factor = thousands, \
		.run = kind,                                                                  \
	}

const struct lm_job lm_jobs_integer[] = {
	ROW(add_int, 60000, "Thousand Integer Additions"),
	ROW(add_long, 60000, "Thousand Long Integer Additions"),
	ROW(add_short, 24000, "Thousand Short Integer Additions"),
	ROW(mul_int, 240, "Thousand Integer Multiplies"),
	ROW(mul_long, 240, "Thousand Long Integer Multiplies"),
	ROW(mul_short, 300, "Thousand Short Integer Multiplies"),
	ROW(div_int, 900, "Thousand Integer Divides"),
	ROW(div_long, 900, "Thousand Long Integer Divides"),
	ROW(div_short, 900, "Thousand Short Integer Divides"),
	{ 0 },
};
