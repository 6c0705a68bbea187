/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/chart.h"

#include "model/figures.h"
#include "model/walk.h"

#include <stdlib.h>
#include <string.h>

/* --- workloads -------------------------------------------------------------------------------- */

static bool has(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

int lm_chart_workloads(const struct lm_set *sets, size_t count, const char ***names, size_t *n,
		       struct lm_error *err)
{
	const char *unnamed = lm_walk_unnamed(sets, count);
	size_t runs = 0;

	for (size_t i = 0; i < count; i++)
		runs += sets[i].count;
	*n = 0;
	*names = calloc(runs + 1, sizeof(**names));
	if (!*names)
		return lm_error_sys(err, "a list of workloads");
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sets[i].count; k++) {
			const char *name = lm_walk_workload(sets[i].runs[k], unnamed);

			if (name && !has(*names, *n, name))
				(*names)[(*n)++] = name;
		}
	return 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A figure of one step. */
struct reading {
	unsigned tasks;
	bool valid;
	double value;
};

static int by_tasks(const void *a, const void *b)
{
	const struct reading *p = a, *q = b;

	return (p->tasks > q->tasks) - (p->tasks < q->tasks);
}

static size_t count_steps(const struct lm_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->count; i++)
		n += set->runs[i]->count;
	return n;
}

static size_t read_all(struct lm_walk walk, enum lm_figure figure, struct reading *out)
{
	const struct lm_record *r;
	size_t n = 0;

	while ((r = lm_walk_next(&walk)) != NULL)
		if (lm_figure_known(r, figure))
			out[n++] = (struct reading){ .tasks = r->tasks,
						     .valid = r->valid,
						     .value = lm_figure_value(r, figure) };
	qsort(out, n, sizeof(*out), by_tasks);
	return n;
}

/* Readings of one task count; returns how many they were. values has room for all. */
static size_t make_point(const struct reading *r, size_t n, double *values,
			 struct lm_chart_point *out)
{
	size_t i, valid = 0;

	*out = (struct lm_chart_point){ .tasks = r->tasks };
	for (i = 0; i < n && r[i].tasks == r->tasks; i++)
		if (r[i].valid)
			values[valid++] = r[i].value;
		else
			out->invalid++;
	out->y = lm_stat_of(values, valid);
	return i;
}

static void make_points(const struct reading *r, size_t n, double *values,
			struct lm_chart_line *line)
{
	for (size_t i = 0; i < n;)
		i += make_point(r + i, n - i, values, &line->points[line->count++]);
}

/* 0, or -1 when memory ran out. A line without points is freed. */
static int make_line(struct lm_walk walk, enum lm_figure figure, struct lm_chart_line *line)
{
	size_t most = count_steps(walk.set) + 1;
	struct reading *readings = calloc(most, sizeof(*readings));
	double *values = calloc(most, sizeof(*values));
	int rc = -1;

	line->points = calloc(most, sizeof(*line->points));
	if (readings && values && line->points) {
		make_points(readings, read_all(walk, figure, readings), values, line);
		rc = 0;
	}
	free(readings);
	free(values);
	if (rc < 0 || line->count == 0)
		free(line->points);
	return rc;
}

/* How far above the crossover a point is: 1 is on it. */
static double height(const struct lm_chart *chart, const struct lm_chart_point *p)
{
	return chart->figure == LM_FIG_JOBS_PER_MIN ? p->y.mean / p->tasks : p->y.mean;
}

static void look_over(struct lm_chart *chart)
{
	bool above = false, below = false;

	for (size_t i = 0; i < chart->line_count; i++)
		for (size_t k = 0; k < chart->lines[i].count; k++) {
			const struct lm_chart_point *p = &chart->lines[i].points[k];

			chart->invalid_steps += p->invalid;
			if (p->y.n == 0)
				continue;
			chart->valid_points++;
			above |= height(chart, p) >= 1;
			below |= height(chart, p) <= 1;
		}
	chart->crossover =
		above && below &&
		(chart->figure == LM_FIG_JOBS_PER_MIN || chart->figure == LM_FIG_JOBS_PER_MIN_TASK);
}

int lm_chart_make(const struct lm_set *sets, size_t count, const char *workload,
		  enum lm_figure figure, struct lm_chart *out, struct lm_error *err)
{
	struct lm_walk walk = { .workload = workload, .unnamed = lm_walk_unnamed(sets, count) };

	*out = (struct lm_chart){ .workload = workload,
				  .figure = figure,
				  .lines = calloc(count + 1, sizeof(*out->lines)) };
	if (!out->lines)
		return lm_error_sys(err, "a chart");
	for (size_t i = 0; i < count; i++) {
		struct lm_chart_line *line = &out->lines[out->line_count];

		*line = (struct lm_chart_line){ .label = sets[i].label, .set = i };
		walk.set = &sets[i];
		if (make_line(walk, figure, line) < 0)
			return lm_error_sys(err, "a chart");
		out->line_count += line->count > 0;
	}
	look_over(out);
	return 0;
}

void lm_chart_free(struct lm_chart *chart)
{
	for (size_t i = 0; i < chart->line_count; i++)
		free(chart->lines[i].points);
	free(chart->lines);
	*chart = (struct lm_chart){ 0 };
}

const struct lm_chart_point *lm_chart_find(const struct lm_chart_line *line, unsigned tasks)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->points[i].tasks == tasks)
			return &line->points[i];
	return NULL;
}

static int by_number(const void *a, const void *b)
{
	unsigned p = *(const unsigned *)a, q = *(const unsigned *)b;

	return (p > q) - (p < q);
}

unsigned *lm_chart_loads(const struct lm_chart *chart, size_t *count)
{
	size_t n = 0, kept = 0;
	unsigned *loads;

	for (size_t i = 0; i < chart->line_count; i++)
		n += chart->lines[i].count;
	loads = calloc(n + 1, sizeof(*loads));
	if (!loads)
		return NULL;
	n = 0;
	for (size_t i = 0; i < chart->line_count; i++)
		for (size_t k = 0; k < chart->lines[i].count; k++)
			loads[n++] = chart->lines[i].points[k].tasks;
	qsort(loads, n, sizeof(*loads), by_number);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || loads[kept - 1] != loads[i])
			loads[kept++] = loads[i];
	*count = kept;
	return loads;
}
