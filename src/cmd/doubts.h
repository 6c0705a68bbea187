/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings before a run whose figures would be doubtful. */
#ifndef LM_CMD_DOUBTS_H
#define LM_CMD_DOUBTS_H

#include <loadmix/plan.h>
#include <loadmix/policy.h>

#include "model/doubts.h"

/*
 * Look at the machine and at the plan, print a warning for each reason to doubt the figures that
 * will come, and make them the plan's warnings, which results keep. What was seen of the machine
 * becomes the plan's environment, so that the two are of one moment. doubts owns both: empty it
 * when the plan is no longer used. 0, or -1 with err.
 */
int lm_doubts_warn(struct lm_plan *plan, const struct lm_policy *policy, struct lm_doubts *doubts,
		   struct lm_error *err);

/* The same for a further plan of a command: what was printed of the machine is not printed again,
 * but results keep it. */
int lm_doubts_warn_again(struct lm_plan *plan, const struct lm_policy *policy,
			 struct lm_doubts *doubts, struct lm_error *err);

#endif
