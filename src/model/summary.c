/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/summary.h"

#include <math.h>
#include <stdlib.h>

/* A load of the curve: x is tasks, y is jobs/min. */
struct point {
	double x, y;
	int jti;
};

static int by_load(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

/* Steps of the same load become one point: their mean, and the worse JTI. */
static size_t merge(struct point *points, size_t count)
{
	size_t n = 0;

	for (size_t i = 0, same; i < count; i += same) {
		struct point p = points[i];

		for (same = 1; i + same < count && points[i + same].x <= p.x; same++) {
			p.y += points[i + same].y;
			p.jti = points[i + same].jti < p.jti ? points[i + same].jti : p.jti;
		}
		p.y /= (double)same;
		points[n++] = p;
	}
	return n;
}

static size_t take_points(const struct lm_record *records, size_t count, struct point *points)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (records[i].valid)
			points[n++] = (struct point){ records[i].tasks, records[i].jobs_per_min,
						      records[i].jti };
	qsort(points, n, sizeof(*points), by_load);
	return merge(points, n);
}

static void find_peak(const struct lm_record *records, size_t count, struct lm_figures *out)
{
	for (size_t i = 0; i < count; i++) {
		if (!records[i].valid || records[i].jobs_per_min <= out->peak_jobs_per_min)
			continue;
		out->peak_jobs_per_min = records[i].jobs_per_min;
		out->peak_tasks = records[i].tasks;
	}
}

static void find_jti(const struct point *points, size_t count, struct lm_figures *out)
{
	out->has_min_jti = count > 1;
	for (size_t i = 0; i + 1 < count; i++)
		if (i == 0 || points[i].jti < out->min_jti)
			out->min_jti = points[i].jti;
}

/* The first point that is not above the line jobs/min = tasks; count when all are. */
static size_t first_below(const struct point *points, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (points[i].y <= points[i].x)
			return i;
	return count;
}

static double trapezoid(struct point a, struct point b)
{
	return (b.x - a.x) * (a.y + b.y) / 2;
}

/* Crossover, and the area up to it; without one, up to the last point. */
static void find_area(const struct point *points, size_t count, struct lm_figures *out)
{
	size_t below = first_below(points, count);
	double area = 0;

	if (count < 2 || below == 0)
		return;
	for (size_t i = 1; i < below; i++)
		area += trapezoid(points[i - 1], points[i]);
	if (below < count) {
		struct point a = points[below - 1], b = points[below], meet = { 0 };

		meet.x = (a.x * b.y - b.x * a.y) / (a.x - a.y - b.x + b.y);
		meet.y = meet.x;
		area += trapezoid(a, meet);
		out->has_crossover = true;
		out->crossover = meet.x;
	}
	out->has_sustained = true;
	out->sustained = sqrt(area);
}

int lm_figures(const struct lm_record *records, size_t count, struct lm_figures *out)
{
	struct point *points = calloc(count ? count : 1, sizeof(*points));
	size_t n;

	if (!points)
		return -1;
	n = take_points(records, count, points);
	out->loads = (unsigned)n;
	out->most_tasks = n ? (unsigned)points[n - 1].x : 0;
	find_peak(records, count, out);
	find_jti(points, n, out);
	find_area(points, n, out);
	free(points);
	return 0;
}

void lm_summary_add(struct lm_summary *summary, const struct lm_record *record)
{
	summary->steps++;
	if (!record->valid) {
		summary->invalid++;
		return;
	}
	if (record->jobs_per_min > summary->peak_jobs_per_min) {
		summary->peak_jobs_per_min = record->jobs_per_min;
		summary->peak_tasks = record->tasks;
	}
}
