/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Function calls with 0, 1, 2 and 15 arguments, through a pointer that is chosen at run time. */
#include <loadmix/job.h>

#include "jobs/callees.h"
#include "jobs/jobs.h"
#include "jobs/opaque.h"

enum { TURNS = 1000, CALLS_A_TURN = 512, WRITTEN_OUT = 16, INNER = CALLS_A_TURN / WRITTEN_OUT };

/* What the calls add up to: a turn's number, 999 to 0, and an inner turn's. */
#define SUM_OF_NONE       512000L
#define SUM_OF_TURNS      (512L * (999 * 1000 / 2))
#define SUM_OF_INNER      (1000L * 16 * (31 * 32 / 2))
#define SUM_OF_INNER_OF_1 (1000L * (511 * 512 / 2))

#define FOUR(call)        call, call, call, call
#define SIXTEEN(call)     FOUR(call), FOUR(call), FOUR(call), FOUR(call)

static long sum;

static enum lm_outcome check(struct lm_job_ctx *ctx, long want)
{
	if (sum == want)
		return LM_JOB_OK;
	return lm_job_wrong(ctx, "the calls added up to %ld; want %ld", sum, want);
}

/* A kind of calls, written out or not, and with which arguments; turn and inner are their numbers.
 * A step has at least one task, but no compiler can know. */
#define DEFINE_KIND(kind, arguments, inner_turns, calls, want)                    \
	static __attribute__((noinline)) void kind##_turns(                       \
		__typeof__(&lm_callee_##arguments) callee)                        \
	{                                                                         \
		for (int turn = TURNS - 1; turn >= 0; turn--)                     \
			for (int inner = (inner_turns)-1; inner >= 0; inner--)    \
				calls;                                            \
	}                                                                         \
                                                                                  \
	static enum lm_outcome kind(struct lm_job_ctx *ctx)                       \
	{                                                                         \
		__typeof__(&lm_callee_##arguments) callee = lm_never_##arguments; \
                                                                                  \
		if (ctx->tasks)                                                   \
			callee = lm_callee_##arguments;                           \
		KEEP(callee);                                                     \
		sum = 0;                                                          \
		lm_callees_use(&sum, 1);                                          \
		kind##_turns(callee);                                             \
		return check(ctx, want);                                          \
	}

DEFINE_KIND(fun_cal, 0, INNER, SIXTEEN(callee()), SUM_OF_NONE)
DEFINE_KIND(fun_cal1, 1, INNER, SIXTEEN(callee(turn)), SUM_OF_TURNS)
DEFINE_KIND(fun_cal2, 2, INNER, SIXTEEN(callee(turn, inner)), SUM_OF_TURNS + SUM_OF_INNER)
DEFINE_KIND(fun_cal15, 15, CALLS_A_TURN,
	    callee(1, 2, 3, 4, 5, 6, 7, turn, 9, 10, 11, 12, 13, 14, inner),
	    SUM_OF_TURNS + SUM_OF_INNER_OF_1)

#define ROW(kind, label)                                                 \
	{                                                                \
		.name = #kind, .unit = label, .class = LM_CLASS_CPU_INT, \
		.factor = TURNS * CALLS_A_TURN, .run = kind,             \
	}

const struct lm_job lm_jobs_calls[] = {
	ROW(fun_cal, "Function Calls (no arguments)"),
	ROW(fun_cal1, "Function Calls (1 argument)"),
	ROW(fun_cal2, "Function Calls (2 arguments)"),
	ROW(fun_cal15, "Function Calls (15 arguments)"),
	{ 0 },
};
