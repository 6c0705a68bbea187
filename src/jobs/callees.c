/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <loadmix/job.h>

#include "jobs/callees.h"

/* Neither inlined nor changed to suit the callers, even when all files are compiled as one. */
#if defined(__has_attribute) && __has_attribute(noipa)
#define OPAQUE __attribute__((noipa))
#else
#define OPAQUE __attribute__((noinline))
#endif

static long *sum, step;

OPAQUE void lm_callees_use(long *sum_of_calls, long step_of_calls)
{
	sum = sum_of_calls;
	step = step_of_calls;
}

OPAQUE void lm_callee_0(void)
{
	*sum += step;
}

OPAQUE void lm_callee_1(int a)
{
	*sum += a;
}

OPAQUE void lm_callee_2(int a, int b)
{
	*sum += a + b;
}

#define IGNORE_OTHERS_OF_15()                                                                      \
	((void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)i, (void)j, (void)k, \
	 (void)l, (void)m, (void)n)

OPAQUE void lm_callee_15(PARAMETERS_15)
{
	IGNORE_OTHERS_OF_15();
	*sum += h + o;
}

OPAQUE void lm_never_0(void)
{
	*sum = LONG_MIN;
}

OPAQUE void lm_never_1(int a)
{
	(void)a;
	*sum = LONG_MIN;
}

OPAQUE void lm_never_2(int a, int b)
{
	(void)a;
	(void)b;
	*sum = LONG_MIN;
}

OPAQUE void lm_never_15(PARAMETERS_15)
{
	IGNORE_OTHERS_OF_15();
	(void)h;
	(void)o;
	*sum = LONG_MIN;
}
