/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How AIM7 and re-aim-7 choose the increment of a load. Pure. */
#ifndef LM_MODEL_INCREMENT_H
#define LM_MODEL_INCREMENT_H

#include <loadmix/plan.h>
#include <loadmix/result.h>

/* The increment that follows from the real times of the last two steps, seconds. */
unsigned lm_increment_adapt(unsigned increment, double before_s, double now_s);

/* Near the crossover, half the way to it, at least 1; else the increment as it was. */
unsigned lm_increment_newton(unsigned increment, const struct lm_record *now);

/* The load after tasks, which is never above the range's end: 1; 0 when that is where we are. */
int lm_increment_apply(const struct lm_range *range, unsigned tasks, unsigned increment,
		       unsigned *next);

#endif
