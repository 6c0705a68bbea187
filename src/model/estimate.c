/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/estimate.h"

#include <stdlib.h>
#include <string.h>

/* Share of the jobs that must be done before their pace alone says anything. */
#define LEAST_SHARE 0.01

/* --- real times by load -------------------------------------------------------------------- */

/* The first point that is not below so many tasks. */
static size_t find(const struct lm_curve *c, unsigned tasks)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->points[middle].tasks < tasks)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int lm_curve_add(struct lm_curve *c, unsigned tasks, double real_s)
{
	size_t at = find(c, tasks);
	struct lm_curve_point *p;

	if (at == c->count || c->points[at].tasks != tasks) {
		p = realloc(c->points, (c->count + 1) * sizeof(*p));
		if (!p)
			return -1;
		c->points = p;
		memmove(&p[at + 1], &p[at], (c->count++ - at) * sizeof(*p));
		p[at] = (struct lm_curve_point){ .tasks = tasks };
	}
	p = &c->points[at];
	p->steps++;
	p->real_s += (real_s - p->real_s) / p->steps;
	return 0;
}

void lm_curve_free(struct lm_curve *c)
{
	free(c->points);
	*c = (struct lm_curve){ 0 };
}

static double slope(const struct lm_curve_point *a, const struct lm_curve_point *b)
{
	return (b->real_s - a->real_s) / (b->tasks - a->tasks);
}

/* As many seconds a job as at this load. */
static double in_proportion(const struct lm_curve_point *p, unsigned tasks)
{
	return p->real_s * tasks / p->tasks;
}

static double above(const struct lm_curve *c, unsigned tasks)
{
	const struct lm_curve_point *last = &c->points[c->count - 1];
	double rise;

	if (c->count == 1)
		return in_proportion(last, tasks);
	rise = slope(last - 1, last);
	return last->real_s + (rise > 0 ? rise * (tasks - last->tasks) : 0);
}

double lm_curve_at(const struct lm_curve *c, unsigned tasks)
{
	size_t at = find(c, tasks);
	const struct lm_curve_point *p;

	if (c->count == 0)
		return -1;
	if (at == c->count)
		return above(c, tasks);
	p = &c->points[at];
	if (p->tasks == tasks)
		return p->real_s;
	if (at == 0)
		return in_proportion(p, tasks);
	return p[-1].real_s + slope(&p[-1], p) * (tasks - p[-1].tasks);
}

/* --- what is left -------------------------------------------------------------------------- */

/* The more is done, the more its pace counts, and the less what the steps before have told. */
static double step_left(double expected_s, uint64_t done, uint64_t total, double elapsed_s)
{
	double share = total ? (double)done / (double)total : 1;
	double by_pace = done ? elapsed_s / share * (1 - share) : -1;

	if (share >= 1)
		return 0;
	if (expected_s < 0)
		return share >= LEAST_SHARE ? by_pace : -1;
	if (!done)
		return expected_s > elapsed_s ? expected_s - elapsed_s : -1;
	return (1 - share) * (1 - share) * expected_s + share * by_pace;
}

struct lm_left lm_estimate(const struct lm_outlook *o, uint64_t jobs_done, uint64_t jobs_total,
			   double elapsed_s)
{
	struct lm_left left = { step_left(o->step_s, jobs_done, jobs_total, elapsed_s), -1 };
	double step_s = elapsed_s + left.step_s, later_s = o->later_s;

	if (left.step_s < 0 || !o->foreseen)
		return left;
	/* what the present step shows holds for those that follow, too */
	if (o->step_s > 0)
		later_s *= step_s / o->step_s;
	else if (o->step_s < 0 && jobs_total)
		later_s = step_s / (double)jobs_total * (double)o->later_jobs;
	left.run_s = left.step_s + later_s + o->around_s;
	return left;
}
