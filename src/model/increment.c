/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/increment.h"

#define GENTLE_RISE 1.20
#define STEEP_RISE  1.30
#define NEAR        0.10 /* of the crossover, as a share of the load */

/* Cut to an integer; a result below 1 is none. */
static unsigned whole(double value, unsigned otherwise)
{
	if (!(value >= 1))
		return otherwise;
	return value < LM_MAX_TASKS ? (unsigned)value : LM_MAX_TASKS;
}

unsigned lm_increment_adapt(unsigned increment, double before_s, double now_s)
{
	double rise, factor;

	if (!(before_s > 0))
		return increment;
	rise = now_s / before_s;
	factor = 2 / (before_s / ((now_s + before_s) / 2));
	if (rise < GENTLE_RISE)
		return whole(increment * factor, increment);
	if (rise > STEEP_RISE)
		return whole(increment / factor, increment);
	return increment;
}

unsigned lm_increment_newton(unsigned increment, const struct lm_record *now)
{
	double above = now->jobs_per_min - now->tasks;

	if (above / now->tasks > NEAR)
		return increment;
	return whole(above / 2, 1);
}

int lm_increment_apply(const struct lm_range *range, unsigned tasks, unsigned increment,
		       unsigned *next)
{
	if (tasks >= range->end)
		return 0;
	*next = range->end - tasks > increment ? tasks + increment : range->end;
	return 1;
}
