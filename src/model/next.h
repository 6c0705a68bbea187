/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy and what ends any sweep, together. Pure. */
#ifndef LM_MODEL_NEXT_H
#define LM_MODEL_NEXT_H

#include <loadmix/error.h>
#include <loadmix/policy.h>

/* A sweep whose policy cannot be foreseen ends after so many INVALID steps in a row. */
#define LM_MOST_INVALID 3

/* Whether all steps are known before the first. */
bool lm_sweep_foreseeable(const struct lm_policy *policy, const struct lm_sweep *sweep);

/* The load of the next step: 1; 0 when the sweep is done, and then why ("": that is all of it).
 * records are those of this sweep; NULL if it is foreseeable. */
int lm_sweep_next(const struct lm_policy *policy, const struct lm_sweep *sweep,
		  const struct lm_record *records, size_t count, unsigned *tasks,
		  struct lm_reason *why);

/* The largest load that the sweep may come to. */
unsigned lm_sweep_largest(const struct lm_sweep *sweep);

/* Parse what --until takes: end, crossover, crossover=N, quick, peak. 0, or -1 with err. */
int lm_until_parse(const char *text, struct lm_sweep *sweep, struct lm_error *err);

/* The name of a rule: "crossover". */
const char *lm_until_name(enum lm_until until);

#endif
