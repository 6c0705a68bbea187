/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether what a step measured counts, and why not. Pure. */
#ifndef LM_MODEL_VALIDITY_H
#define LM_MODEL_VALIDITY_H

#include <loadmix/plan.h>
#include <loadmix/result.h>

/* How the problem of a step that a signal ended begins. */
#define LM_INTERRUPTED "interrupted by signal "

/* Set whether the step is valid, with a problem for each reason why not, of the whole step first.
 * 0, or -1 when memory ran out. */
int lm_validity_judge(const struct lm_mix *mix, const struct lm_step_result *result,
		      struct lm_record *record);

/* Add a problem that makes the record invalid. Without memory it is counted, not told. */
void lm_record_problem(struct lm_record *record, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
