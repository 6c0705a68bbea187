/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that kernel people post: kernel, Tasks, Jobs/Min, Real, CPU. */
#ifndef LM_FORMATS_POSTED_TABLE_H
#define LM_FORMATS_POSTED_TABLE_H

#include <stdio.h>

#include "model/compare.h"

/* A block a workload, or a kind of single mode, in it a block a task count, a row a set that has
 * it; means over valid steps,
 * "-" for what is not told. 0, or -1 when memory ran out. */
int lm_posted_table(const struct lm_set *sets, size_t count, FILE *out);

/* The same rows with minimum, average, maximum and standard deviation of one figure. */
int lm_posted_spread(const struct lm_set *sets, size_t count, enum lm_figure figure, FILE *out);

#endif
