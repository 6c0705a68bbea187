/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of re-aim-7 have in common: a head, a row a step, an end. */
#ifndef LM_FORMATS_REAIM_ROWS_H
#define LM_FORMATS_REAIM_ROWS_H

#include <loadmix/sink.h>

#include <stdio.h>

/* A record, and figures of the tasks that it does not have: seconds of elapsed time. */
struct lm_reaim_row {
	const struct lm_record *r;
	double mean_s, longest_s, shortest_s; /* 0 when no task has started */
};

/* The standard deviation of the tasks' times in percent of their mean. */
double lm_reaim_percent(const struct lm_reaim_row *row);

/* How one of the files is written; each hook may be NULL. */
struct lm_reaim_layout {
	void (*head)(FILE *out, const struct lm_plan *plan, const struct lm_facts *environment);
	void (*row)(FILE *out, const struct lm_reaim_row *row);
	/* crossed: the last step was at or below the floor that the sweep was to end at */
	void (*end)(FILE *out, const struct lm_summary *summary, bool crossed);
};

/* Make the sink of a layout; path NULL is standard output. 0, or -1 with err. */
int lm_reaim_rows_open(const char *path, const struct lm_reaim_layout *layout, struct lm_sink *out,
		       struct lm_error *err);

#endif
