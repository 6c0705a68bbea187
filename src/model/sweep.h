/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task counts and processors as people write them. Pure. */
#ifndef LM_MODEL_SWEEP_H
#define LM_MODEL_SWEEP_H

#include <loadmix/error.h>
#include <loadmix/plan.h>

/* Task counts of a range: how many, and the index-th of them (from 0, below that many). */
unsigned lm_range_steps(const struct lm_range *range);
unsigned lm_range_at(const struct lm_range *range, unsigned index);

/* Parse "4", "4-32", "4-32:4", "1,5,9,50" or a list of such, each 1 to LM_MAX_TASKS; or "4-" or
 * "4-:4", which is open and ends at LM_MAX_TASKS until a guard is set. out is empty on entry.
 * source names the option for errors; the column is set. 0, or -1 with err. */
int lm_sweep_parse(const char *text, const char *source, struct lm_sweep *out,
		   struct lm_error *err);
void lm_sweep_free(struct lm_sweep *sweep);

/* Parse a cpu list ("0-3,8-14:2") into a new array, ascending, no doubles; caller frees.
 * Numbers are below limit. 0, or -1 with err. */
int lm_cpus_parse(const char *text, const char *source, unsigned limit, unsigned **cpus,
		  size_t *count, struct lm_error *err);

#endif
