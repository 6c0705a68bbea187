/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search for the load with the most jobs/min (docs/sweeps.md): double the load until they have
 * clearly fallen or no longer grow, halve the gaps beside the highest, and read the highest again
 * before it is believed. Loads are spaced by ratios, as the curve is.
 */
#include "policies/policies.h"

#include <math.h>
#include <stdio.h>

#define MOST_STEPS    128
#define MOST_READINGS 3 /* of one load */

/* A load and its readings. One that was INVALID every time is as bad as can be: it has 0. */
struct point {
	unsigned tasks;
	unsigned readings, valid;
	double mean, lowest, highest; /* of jobs/min in valid steps */
};

/* All loads, ascending. */
struct curve {
	struct point points[MOST_STEPS];
	size_t count, top; /* the index of the highest mean */
};

static struct point *point_of(struct curve *c, unsigned tasks)
{
	size_t i = c->count;

	for (size_t k = 0; k < c->count; k++)
		if (c->points[k].tasks == tasks)
			return &c->points[k];
	for (; i > 0 && c->points[i - 1].tasks > tasks; i--)
		c->points[i] = c->points[i - 1];
	c->points[i] = (struct point){ .tasks = tasks };
	c->count++;
	return &c->points[i];
}

static void add_reading(struct curve *c, const struct lm_record *record)
{
	struct point *p = point_of(c, record->tasks);
	double value = record->jobs_per_min;

	p->readings++;
	if (!record->valid)
		return;
	p->lowest = p->valid && p->lowest < value ? p->lowest : value;
	p->highest = p->valid && p->highest > value ? p->highest : value;
	p->valid++;
	p->mean += (value - p->mean) / p->valid;
}

static void gather(struct curve *c, const struct lm_record *records, size_t count)
{
	c->count = c->top = 0;
	for (size_t i = 0; i < count; i++)
		add_reading(c, &records[i]);
	for (size_t i = 1; i < c->count; i++)
		if (c->points[i].mean > c->points[c->top].mean)
			c->top = i;
}

/* Lower than the highest by more than so many tolerances. */
static bool is_low(const struct curve *c, size_t index, double tolerances)
{
	return c->points[index].mean < c->points[c->top].mean * (1 - tolerances);
}

/* One low reading may be noise; a very low one, or two in a row, are not. */
static bool has_fallen(const struct curve *c, double tolerance)
{
	size_t last = c->count - 1;

	if (c->top + 1 > last)
		return false;
	return is_low(c, last, 4 * tolerance) ||
	       (c->top + 2 <= last && is_low(c, last, tolerance) && is_low(c, last - 1, tolerance));
}

/* Two doublings have gained less than the tolerance. Each gains half of the one before or less,
 * once a resource is full, so all that are left would gain less, too. */
static bool has_levelled(const struct curve *c, double tolerance)
{
	double before = 0;

	if (c->count < 3)
		return false;
	for (size_t i = 0; i + 2 < c->count; i++)
		before = fmax(before, c->points[i].mean);
	return fmax(c->points[c->count - 2].mean, c->points[c->count - 1].mean) <=
	       before * (1 + tolerance);
}

/* jobs/min a task between two loads; before the first load it is a line from nothing. */
static double slope(const struct curve *c, size_t right)
{
	const struct point *b = &c->points[right];

	if (right == 0)
		return b->mean / b->tasks;
	return (b->mean - b[-1].mean) / (b->tasks - b[-1].tasks);
}

/* The most that may be between a load and the next. Where a curve is bent downwards, it stays below
 * the line through the two loads before and below that through the two behind. */
static double most_between(const struct curve *c, size_t left)
{
	const struct point *a = &c->points[left], *b = a + 1;
	double rise = fmax(slope(c, left), 0), fall, width = b->tasks - a->tasks, at;

	if (left + 2 >= c->count)
		return a->mean + rise * width;
	fall = fmax(-slope(c, left + 2), 0);
	if (rise + fall <= 0)
		return fmax(a->mean, b->mean);
	/* where the two lines meet, which may be at either end */
	at = (b->mean + fall * width - a->mean) / (rise + fall);
	return a->mean + rise * fmin(fmax(at, 0), width);
}

/* The load in the middle of two neighbours by ratio; 0 when the gap may stay: it is narrow, or
 * nothing that is in it can be much higher than the highest. */
static unsigned middle(const struct curve *c, size_t left, double tolerance)
{
	unsigned a = c->points[left].tasks, b = c->points[left + 1].tasks;
	double narrow = 1 / ((1 - tolerance) * (1 - tolerance));
	unsigned m;

	if (b - a < 2 || b <= a * narrow ||
	    most_between(c, left) <= c->points[c->top].mean * (1 + tolerance))
		return 0;
	m = (unsigned)lround(sqrt((double)a * b));
	return m <= a ? a + 1 : m >= b ? b - 1 : m;
}

/* The wider of the gaps beside the highest first. */
static unsigned refine(const struct curve *c, double tolerance)
{
	unsigned below = c->top > 0 ? middle(c, c->top - 1, tolerance) : 0;
	unsigned above = c->top + 1 < c->count ? middle(c, c->top, tolerance) : 0;
	double top = c->points[c->top].tasks;

	if (!below || !above)
		return below + above;
	return top / c->points[c->top - 1].tasks > c->points[c->top + 1].tasks / top ? below
										     : above;
}

/* The highest of many readings is too high: read it again, unless two of them agree. */
static bool is_sure(const struct point *p, double tolerance)
{
	if (p->readings >= MOST_READINGS)
		return true;
	return p->valid >= 2 && p->highest - p->lowest <= tolerance / 2 * p->mean;
}

static int found(const struct curve *c, const struct lm_sweep *sweep, struct lm_reason *why)
{
	const struct point *top = &c->points[c->top];
	char bound[80] = "";

	if (!top->valid) {
		snprintf(why->text, sizeof(why->text), "no valid step, so no peak was found");
		return 0;
	}
	/* then nobody knows what is behind */
	if (top->tasks == sweep->ranges[0].end && sweep->open)
		snprintf(bound, sizeof(bound), ", the limit (%s)", sweep->guard);
	else if (top->tasks == sweep->ranges[0].end)
		snprintf(bound, sizeof(bound), ", the end of the range");
	snprintf(why->text, sizeof(why->text), "peak at %u task%s%s: %.2f jobs/min (mean of %u)",
		 top->tasks, top->tasks == 1 ? "" : "s", bound, top->mean, top->valid);
	return 0;
}

static int peak_next(const struct lm_sweep *sweep, const struct lm_record *records, size_t count,
		     unsigned *tasks, struct lm_reason *why)
{
	const struct lm_range *range = sweep->ranges;
	struct curve c;
	unsigned last, between;

	if (sweep->count == 0)
		return 0;
	*tasks = range->start;
	if (count == 0)
		return 1;
	gather(&c, records, count < MOST_STEPS ? count : MOST_STEPS);
	if (count >= MOST_STEPS)
		return found(&c, sweep, why);
	last = c.points[c.count - 1].tasks;
	if (last < range->end && !has_fallen(&c, sweep->tolerance) &&
	    !has_levelled(&c, sweep->tolerance)) {
		*tasks = range->end - last > last ? 2 * last : range->end;
		return 1;
	}
	between = refine(&c, sweep->tolerance);
	*tasks = between ? between : c.points[c.top].tasks;
	if (between || !is_sure(&c.points[c.top], sweep->tolerance))
		return 1;
	return found(&c, sweep, why);
}

const struct lm_policy lm_policy_peak = {
	.name = "peak",
	.summary = "a search for the load with the most jobs/min, within a tolerance",
	.next = peak_next,
};
