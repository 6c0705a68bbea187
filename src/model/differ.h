/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What else differs between two sets of runs: plan and environment. Pure. */
#ifndef LM_MODEL_DIFFER_H
#define LM_MODEL_DIFFER_H

#include "model/compare.h"

/*
 * Keys are "run.KEY" (label, format, version, machine, started, jobs_per_task), "plan.KEY" and
 * "environment.KEY". A side's values are those of all its runs, each once, ascending and parted by
 * " | "; after four of them their number is told. "unknown" stands where a run does not tell, or
 * its value is null; for null of a plan "none". There is a difference when the two do not have the
 * same values.
 *
 * When no run of a side tells a whole block, there is one difference for it, with the key "plan" or
 * "environment" and the values "told" and "unknown".
 */
struct lm_difference {
	char *key;
	char *base, *now;
	bool expected; /* kernel, time, free space, background load, label: not suspicious when
			* kernels are compared. A boot command line counts if only words that name
			* the kernel's image differ, total memory if it is nearly the same,
			* where the workload was read from if the jobs are the same. The rules
			* are the table in harmless.c */
	bool decides;  /* both plans tell, and ask for other work or another way to measure it */
};

struct lm_differences {
	/* suspicious ones first, else in the order of the base's facts; those of now alone follow
	 */
	struct lm_difference *items;
	size_t count;
};

/* 0, or -1 with err when memory ran out. lm_differences_free() in either case. */
int lm_differ(const struct lm_set *base, const struct lm_set *now, struct lm_differences *out,
	      struct lm_error *err);
void lm_differences_free(struct lm_differences *d);

#endif
