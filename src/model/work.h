/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether two steps did the same work. Pure. */
#ifndef LM_MODEL_WORK_H
#define LM_MODEL_WORK_H

#include <loadmix/run.h>

#include <stdbool.h>

/* A step of the run that tells which jobs each task did, NULL: there is none. */
const struct lm_record *lm_telling_step(const struct lm_run *run);

/* Whether a task did the same jobs in two steps that tell their kinds, in whatever order, and each
 * kind that is a command in both runs is the same command. */
bool lm_same_work(const struct lm_run *a_run, const struct lm_record *a, const struct lm_run *b_run,
		  const struct lm_record *b);

/* Whether a job of each kind that both have is of as many operations: files may be larger. */
bool lm_same_operations(const struct lm_record *a, const struct lm_record *b);

#endif
