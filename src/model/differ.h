/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What else differs between two sets of runs: plan and environment. Pure. */
#ifndef LM_MODEL_DIFFER_H
#define LM_MODEL_DIFFER_H

#include "model/compare.h"

/* "unknown" when a side does not tell; several values of one side are parted by " | ". */
struct lm_difference {
	char *key; /* "plan.seed", "environment.cpu.model" */
	char *base, *now;
	bool expected; /* kernel, time, free space, label: not suspicious when kernels are compared
			*/
};

struct lm_differences {
	struct lm_difference
		*items; /* suspicious ones first, else in the order of the base's facts */
	size_t count;
};

/* 0, or -1 with err when memory ran out. lm_differences_free() in either case. */
int lm_differ(const struct lm_set *base, const struct lm_set *now, struct lm_differences *out,
	      struct lm_error *err);
void lm_differences_free(struct lm_differences *d);

#endif
