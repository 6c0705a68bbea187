/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a step and a sweep may end, from the steps before and the pace of the present one. Pure.
 * What is not known is negative. */
#ifndef LM_MODEL_ESTIMATE_H
#define LM_MODEL_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Real times of the loads measured so far, ascending in tasks; a load that was repeated has the
 * mean. All steps have the same jobs per task. Zero-initialise. */
struct lm_curve {
	struct lm_curve_point {
		unsigned tasks, steps;
		double real_s;
	} * points;
	size_t count;
};

/* Add a valid step. 0, or -1 without memory. */
int lm_curve_add(struct lm_curve *curve, unsigned tasks, double real_s);
void lm_curve_free(struct lm_curve *curve);

/* The real time of a load: along lines between those that were measured; above them along the last
 * line; a single one says how long a job takes. Negative when there is none. */
double lm_curve_at(const struct lm_curve *curve, unsigned tasks);

/* What is known when a step begins. */
struct lm_outlook {
	double step_s;       /* its real time, negative: no step was measured */
	bool foreseen;       /* the steps that follow it are known: */
	double later_s;      /* their real times, if step_s is known */
	uint64_t later_jobs; /* and their jobs */
	double around_s;     /* wall time around them */
};

/* Seconds left of the step, and of all. */
struct lm_left {
	double step_s, run_s;
};

struct lm_left lm_estimate(const struct lm_outlook *outlook, uint64_t jobs_done,
			   uint64_t jobs_total, double elapsed_s);

#endif
