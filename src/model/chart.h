/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a picture shows: lines of points over task counts, or bars by job kind. Plain data; made of
 * sets of runs here, drawn by gnuplot elsewhere. Pure. */
#ifndef LM_MODEL_CHART_H
#define LM_MODEL_CHART_H

#include "model/study.h"

#include <stdbool.h>

/* --- a figure over task counts -----------------------------------------------------------------
 */

struct lm_chart_point {
	unsigned tasks;
	struct lm_stat y; /* over the valid steps there; n 0: only INVALID ones */
	unsigned invalid; /* steps that were */
};

struct lm_chart_line {
	const char *label;             /* of the set */
	size_t set;                    /* its place among the sets: what it is drawn in */
	struct lm_chart_point *points; /* by tasks */
	size_t count;
};

/* A figure of one workload over task counts, a line a set. */
struct lm_chart {
	const char *workload;
	enum lm_figure figure;
	struct lm_chart_line *lines;
	size_t line_count;
	size_t valid_points, invalid_steps; /* in all lines */
	bool crossover; /* some load is at or above, another at or below the crossover, where
			 * jobs/min is the number of tasks */
};

/*
 * The workloads of sets, each once, in the order of the runs. Runs that name none are taken to be
 * of the only one that is named, else they are of "". Runs of single mode, where each kind is a
 * step of its own, are of no workload. The array is the caller's, the names are not. 0, or -1 with
 * err.
 */
int lm_chart_workloads(const struct lm_set *sets, size_t count, const char ***names, size_t *n,
		       struct lm_error *err);

/* Steps of the same task count are repeats. Sets that do not tell the figure have no line;
 * line_count 0: none does. 0, or -1 with err; lm_chart_free() in either case. */
int lm_chart_make(const struct lm_set *sets, size_t count, const char *workload,
		  enum lm_figure figure, struct lm_chart *out, struct lm_error *err);
void lm_chart_free(struct lm_chart *chart);

/* The point of a line at a task count; NULL when there is none. */
const struct lm_chart_point *lm_chart_find(const struct lm_chart_line *line, unsigned tasks);

/* The task counts of all lines, ascending, each once; the caller frees them. NULL without memory.
 */
unsigned *lm_chart_loads(const struct lm_chart *chart, size_t *count);

/* --- the time of a task by job kind ------------------------------------------------------------
 */

struct lm_kind_bar {
	const char *label; /* of the set */
	double *seconds;   /* a task spends in each kind, mean of the valid steps */
	double total;
	size_t n; /* those steps */
};

struct lm_kind_chart {
	const char *workload;
	unsigned tasks;
	const char **kinds; /* the one that takes the longest in any bar first */
	size_t kind_count;
	struct lm_kind_bar *bars; /* a set that tells its kinds there */
	size_t bar_count;
};

/* The load whose kinds are worth a picture: where the time of a task has changed most in the first
 * comparison that blame is shown for, else the largest of which some set tells its kinds; 0: none.
 */
unsigned lm_kind_chart_load(const struct lm_study *study, const char *workload);

/* 0, or -1 with err; lm_kind_chart_free() in either case. */
int lm_kind_chart_make(const struct lm_set *sets, size_t count, const char *workload,
		       unsigned tasks, struct lm_kind_chart *out, struct lm_error *err);
void lm_kind_chart_free(struct lm_kind_chart *chart);

#endif
