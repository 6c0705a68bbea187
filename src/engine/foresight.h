/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session can tell of the steps to come: how many, and when they may end. */
#ifndef LM_ENGINE_FORESIGHT_H
#define LM_ENGINE_FORESIGHT_H

#include <loadmix/plan.h>
#include <loadmix/policy.h>
#include <loadmix/sink.h>

#include <stddef.h>

#include "model/estimate.h"

/* Set plan and policy, the rest is zero; lm_foresight_free() lets go of it. */
struct lm_foresight {
	const struct lm_plan *plan;
	const struct lm_policy *policy;
	struct lm_curve curve; /* of the valid steps */
	double around_s;       /* wall time around the steps so far */
	struct lm_outlook outlook;
	struct lm_progress progress; /* of the present step, for sinks */
};

/* Sweeps that the plan asks for. */
unsigned lm_iterations(const struct lm_plan *plan);

/* A step that has ended tells of those to come. 0, or -1 without memory. */
int lm_foresight_learn(struct lm_foresight *f, const struct lm_record *record);

/* The next step is one of so many tasks, after so many: before in all, in_sweep of them in this
 * sweep, which follows so many whole sweeps. */
void lm_foresight_expect(struct lm_foresight *f, unsigned tasks, size_t before, size_t in_sweep,
			 size_t sweeps);

/* The present step is so far. */
void lm_foresight_advance(struct lm_foresight *f, uint64_t jobs_done, double elapsed_s);

void lm_foresight_free(struct lm_foresight *f);

#endif
