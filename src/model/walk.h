/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Going through the steps of sets by workload, for charts. Pure. */
#ifndef LM_MODEL_WALK_H
#define LM_MODEL_WALK_H

#include "model/compare.h"

#include <stdbool.h>

/* What runs without a workload are taken for: the only one that is named in all sets, else "". */
const char *lm_walk_unnamed(const struct lm_set *sets, size_t count);

/* The workload of a run; NULL for one of single mode. */
const char *lm_walk_workload(const struct lm_run *run, const char *unnamed);

/* The steps of a set. Zero-initialise but for the first three. */
struct lm_walk {
	const struct lm_set *set;
	const char *workload, *unnamed;
	size_t run, step;
};

/* The next step of the workload; NULL after the last. */
const struct lm_record *lm_walk_next(struct lm_walk *walk);

#endif
