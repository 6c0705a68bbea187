/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two sets of runs side by side: what changed, and what can be said of it. Pure; distributions are
 * GSL's. The methods and their sources are in docs/compare.md. */
#ifndef LM_MODEL_COMPARE_H
#define LM_MODEL_COMPARE_H

#include <loadmix/error.h>
#include <loadmix/run.h>

/* Runs under one label. The runs belong to somebody else. */
struct lm_set {
	const char *label;
	const struct lm_run **runs;
	size_t count;
};

struct lm_stat {
	size_t n;
	double mean, min, max; /* 0 when n is 0 */
	double stddev;         /* of the sample, n - 1; 0 when n is below 2 */
};

/* A figure at one task count: the base's repeats against the new ones. Percent are of the base's
 * mean; NAN where there is no figure to give. */
struct lm_change {
	struct lm_stat base, now;
	double percent;
	double low, high; /* 95 % confidence interval of percent; NAN unless both have 2 repeats */
	double p;         /* two-sided, Welch's t-test; NAN as above */
	double mde; /* minimum detectable effect in percent: a change of that size would be found in
		     * 4 of 5 such comparisons; NAN as above */
	bool significant; /* p < 0.05 and the change is not below mde */
	bool worse;       /* the change is to the bad, significant or not */
};

struct lm_stat lm_stat_of(const double *values, size_t n);
struct lm_change lm_change_of(const double *base, size_t base_count, const double *now,
			      size_t now_count, bool more_is_better);

/* Repeats on either side that a change of so many percent needs to be found in 4 of 5 comparisons,
 * at the noise that was seen; 0 when the noise is not known, SIZE_MAX when more than 1000. */
size_t lm_repeats_needed(const struct lm_change *change, double percent);

/* One job kind's part in a change of the time that a task takes. Seconds a task, means of repeats.
 */
struct lm_blame_row {
	const char *kind;
	double base_s, now_s, change_s;
	double share; /* of lm_blame.change_s, in percent */
	double user_s, system_s,
		wait_s; /* change_s in parts; wait is elapsed that is no cpu time */
	double base_median_s, now_median_s, base_p99_s, now_p99_s; /* of one job */
};

/* The shares of all rows add up to 100. Sorted by change_s, the largest in the direction of the
 * whole first. count 0: a side does not tell its kinds. */
struct lm_blame {
	double base_s, now_s, change_s; /* a task's jobs together */
	double user_s, system_s, wait_s;
	struct lm_blame_row *rows;
	size_t count;
};

/* A task count that both sides have. Over valid steps. */
struct lm_cell {
	unsigned tasks;
	unsigned base_invalid, now_invalid; /* steps left out */
	unsigned known; /* bits 1 << enum lm_figure: both sides tell it in every valid step */
	struct lm_change figures[LM_FIGURES];
	struct lm_blame blame;
};

/* A workload that both sides have. */
struct lm_comparison {
	const char *workload; /* "" when neither tells one */
	const struct lm_set *base, *now;
	unsigned base_jobs, now_jobs; /* per task; when they differ the work differs: 0 not told */
	struct lm_cell *cells;        /* by task count */
	size_t count;
	unsigned *base_only, *now_only; /* task counts that only one side has; INVALID ones there
					 * count as missing */
	size_t base_only_count, now_only_count;
};

struct lm_comparisons {
	struct lm_comparison *items;
	size_t count;
};

/* Compare by workload, in the order of the base's runs. 0; -1 with err when the two have no
 * workload or no task count in common, saying what each has. lm_comparisons_free() in either case.
 */
int lm_compare(const struct lm_set *base, const struct lm_set *now, struct lm_comparisons *out,
	       struct lm_error *err);
void lm_comparisons_free(struct lm_comparisons *c);

#endif
