/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the integer and the floating-point arithmetic kinds share: short chains of dependent
 * operations on an accumulator a and a pair p, q, which go through cycles that end where they
 * began, so that nothing overflows or decays and the result can be checked. A loop is twelve
 * operations.
 *
 * The including file has defined KEEP_OPERAND(x), its barrier, and before it uses DEFINE_KIND()
 * struct operands { a, p, q } and check(ctx, is, want).
 */
#ifndef LM_ARITHMETIC_H
#define LM_ARITHMETIC_H

#include <loadmix/job.h>

#include "jobs/opaque.h"

#define APPLY(type, x, operator, y)            \
	do {                                   \
		(x) = (type)((x) operator(y)); \
		KEEP_OPERAND(x);               \
	} while (0)

/* Sums: (0, x, -x) becomes (0, -x, x). Products: (1, x, 1/x) becomes (1, 1/x, x). After a second
 * time all is back. 2 updates each of a, p and q. */
#define HALF_CYCLE(type, operator)           \
	do {                                 \
		APPLY(type, a, operator, p); \
		APPLY(type, p, operator, q); \
		APPLY(type, p, operator, q); \
		APPLY(type, q, operator, a); \
		APPLY(type, q, operator, a); \
		APPLY(type, a, operator, p); \
	} while (0)

#define FULL_CYCLE(type, operator)          \
	do {                                \
		HALF_CYCLE(type, operator); \
		HALF_CYCLE(type, operator); \
	} while (0)

/* The loops are a function of their own, so that nothing but them competes for registers. */
#define DEFINE_KIND(kind, type, loops, loop, a0, p0, q0)                                   \
	static AS_WRITTEN void kind##_loops(type *operand)                                 \
	{                                                                                  \
		type a = operand[0], p = operand[1], q = operand[2];                       \
                                                                                           \
		KEEP_OPERAND(a);                                                           \
		KEEP_OPERAND(p);                                                           \
		KEEP_OPERAND(q);                                                           \
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

/* A row; kind is both the name and the function. */
#define ROW(kind, job_class, thousands, label)                                         \
	{                                                                              \
		.name = #kind, .unit = label, .class = job_class, .factor = thousands, \
		.run = kind,                                                           \
	}

#endif
