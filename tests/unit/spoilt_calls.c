/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One call gets lost. */
#include "spoil.h"

#include "jobs/callees.h"

static void spoilt_0(void)
{
	if (!spoil("fun_cal"))
		lm_callee_0();
}

static void spoilt_1(int a)
{
	if (!spoil("fun_cal1"))
		lm_callee_1(a);
}

static void spoilt_2(int a, int b)
{
	if (!spoil("fun_cal2"))
		lm_callee_2(a, b);
}

static void spoilt_15(PARAMETERS_15)
{
	if (!spoil("fun_cal15"))
		lm_callee_15(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
}

#define lm_callee_0   spoilt_0
#define lm_callee_1   spoilt_1
#define lm_callee_2   spoilt_2
#define lm_callee_15  spoilt_15
#define lm_jobs_calls spoilt_calls
#include "jobs/calls.c"
