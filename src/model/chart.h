/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a picture shows: lines of points over task counts, or bars by job kind. Plain data; made of
 * sets of runs here, drawn by gnuplot elsewhere. Pure. */
#ifndef LM_MODEL_CHART_H
#define LM_MODEL_CHART_H

#include "model/compare.h"

#include <stdbool.h>

struct lm_chart_point {
	double x;         /* tasks */
	struct lm_stat y; /* over the valid steps there; n 0: only INVALID ones */
	unsigned invalid; /* steps that were */
};

struct lm_chart_line {
	const char *label;             /* of the set */
	struct lm_chart_point *points; /* by x */
	size_t count;
};

/* A figure of one workload over task counts, a line a set. */
struct lm_chart {
	const char *workload;
	enum lm_figure figure;
	struct lm_chart_line *lines;
	size_t line_count;
	bool crossover; /* the line where jobs/min is the number of tasks crosses the drawn range */
};

/* Sets that do not tell the figure have no line; line_count 0: none does. 0, or -1 with err;
 * lm_chart_free() in either case. */
int lm_chart_make(const struct lm_set *sets, size_t count, const char *workload,
		  enum lm_figure figure, struct lm_chart *out, struct lm_error *err);
void lm_chart_free(struct lm_chart *chart);

#endif
