/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a step by name. Pure. */
#ifndef LM_MODEL_FIGURES_H
#define LM_MODEL_FIGURES_H

#include <loadmix/result.h>

#include <stdbool.h>

struct lm_figure_info {
	const char *name;  /* in options and stored results: "jobs_per_min" */
	const char *title; /* for people: "jobs/min" */
	const char *unit;  /* "s", "jobs/min", "" */
	bool more_is_better;
	int decimals; /* that tables of the field print */
};

const struct lm_figure_info *lm_figure_info(enum lm_figure figure);

/* Decimals that show a value to four digits, and no fewer than tables of the field print; six at
 * most, and none more of a figure that has none. */
int lm_figure_decimals(const struct lm_figure_info *info, double value);

/* By name or title, '-' and '_' interchangeable. LM_FIGURES when there is none. */
enum lm_figure lm_figure_find(const char *name);

bool lm_figure_known(const struct lm_record *record, enum lm_figure figure);
double lm_figure_value(const struct lm_record *record, enum lm_figure figure);

/* Set it and mark it known. */
void lm_figure_set(struct lm_record *record, enum lm_figure figure, double value);

#endif
