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

/*
 * A figure at one task count: the base's repeats against the new ones. Percent are of the base's
 * mean. No member is infinite. NAN is where there is no figure to give:
 *
 *   percent      a side has no value, or the base's mean is 0
 *   p            a side has fewer than 2 values: nothing is known of its noise
 *   mde          as p, or the base's mean is 0
 *   low, high    as mde, or the base is so noisy that its mean cannot be told from 0 (most often
 *                with 2 repeats); always both or none
 */
struct lm_change {
	struct lm_stat base, now;
	double percent;
	double low, high; /* 95 % confidence interval of percent; without 0 when p < 0.05 */
	double p;         /* two-sided, Welch's t-test */
	double mde;       /* minimum detectable effect in percent: a true change of that size gives
			   * p < 0.05 in 4 of 5 such comparisons. Never below what rounding hides */
	double base_grain, now_grain; /* as in struct lm_values */
	bool significant; /* p < 0.05 and the change is not below mde. It may be with a base of 0 */
	bool worse;       /* the change is to the bad, significant or not */
};

/* Repeats of a figure. */
struct lm_values {
	const double *items;
	size_t count;
	double grain; /* what they are rounded to, where the figure was printed; 0: not rounded */
};

struct lm_stat lm_stat_of(const double *values, size_t n);
struct lm_change lm_change_of(const struct lm_values *base, const struct lm_values *now,
			      bool more_is_better);

/* What all of these values, as they were read, seem to be rounded to: 1, 0.1 ... 0.0001; 0: they
 * have more decimals, or there are none. */
double lm_grain_of(const double *values, size_t count);

/* Repeats on either side, at least 2, with which mde would not be above percent, at the noise that
 * was seen; 0 when mde is NAN, SIZE_MAX when more than 1000. */
size_t lm_repeats_needed(const struct lm_change *change, double percent);

/* One job kind's part in a change of the time that a task takes. Seconds a task, means of repeats.
 * A kind that a side does not have took 0 s there. Kinds are told apart by name and parameters, as
 * in the records. */
struct lm_blame_row {
	const char *kind;
	double base_s, now_s, change_s;
	double share; /* of lm_blame.change_s, in percent; 0 when that is 0 */
	/* change_s in parts; wait is elapsed that is no cpu time. A side's wait may come out a bit
	 * below 0, by the kernel's ticks, or by jobs whose processes ran side by side */
	double user_s, system_s, wait_s;
	/* of one job: the median of the steps' own; NAN when the side has none */
	double base_median_s, now_median_s;
	double base_p99_s, now_p99_s;
};

/* The rows add up to the whole, their shares to 100. Sorted by change_s, the largest in the
 * direction of the whole first. Over the valid steps that tell their kinds; count 0: a side has
 * none. */
struct lm_blame {
	double base_s, now_s, change_s; /* a task's jobs together */
	double user_s, system_s, wait_s;
	struct lm_blame_row *rows;
	size_t count;
};

/* A task count of which both sides have a valid step. Over valid steps. */
struct lm_cell {
	unsigned tasks;
	unsigned base_invalid, now_invalid; /* steps left out */
	unsigned known; /* bits 1 << enum lm_figure: both sides tell it in every valid step */
	struct lm_change figures[LM_FIGURES]; /* without values where not known */
	struct lm_blame blame;
};

struct lm_loads {
	unsigned *tasks; /* ascending */
	size_t count;
};

/* Jobs per task of a side, from the fewest to the most; 0: not known. */
struct lm_jobs {
	unsigned least, most;
	bool told; /* by every step that says anything; else worked out from printed rates */
};

/* A workload that both sides have. A side that names none in any run is taken to be of the other's,
 * if that names just one. */
struct lm_comparison {
	const char *workload; /* "" when neither tells one */
	const char *kind;     /* of single mode, where each kind is a step of its own; else NULL */
	const struct lm_set *base, *now;
	struct lm_jobs base_jobs, now_jobs; /* in single mode: not known */
	bool jobs_differ;      /* between the sides or within one: not all did the same work */
	bool kinds_differ;     /* the same: of which kinds, how many, or how large their files */
	struct lm_cell *cells; /* by task count; may be none when there are other comparisons */
	size_t count;
	/* task counts of which only one side has a valid step */
	struct lm_loads base_only, now_only;
	/* task counts of which a side has steps, and all are INVALID; the other may have any */
	struct lm_loads base_invalid, now_invalid;
};

struct lm_names {
	const char **names;
	size_t count;
};

struct lm_comparisons {
	struct lm_comparison *items;
	size_t count;
	/* what only one side has steps of: workloads, or kinds of single mode */
	struct lm_names base_only, now_only;
};

/* Compare by workload, in the order of the base's runs; all valid steps of a set with the same task
 * count are repeats, over runs and iterations. 0; -1 with err when the two have no workload or no
 * task count in common, saying what each has. lm_comparisons_free() in either case. The result
 * points to the sets, the runs, and names in them. */
int lm_compare(const struct lm_set *base, const struct lm_set *now, struct lm_comparisons *out,
	       struct lm_error *err);
void lm_comparisons_free(struct lm_comparisons *c);

/* What is compared, for people: workload and, in single mode, kind; "" when neither is told. It is
 * text of files. Returns buf. */
const char *lm_comparison_name(const struct lm_comparison *c, char *buf, size_t size);

/* "101", "97 to 103" or "an unknown number of". Returns buf. */
const char *lm_jobs_text(const struct lm_jobs *jobs, char *buf, size_t size);

#endif
