/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a task has left in its slot, which may be anything when it was killed. Pure. */
#ifndef LM_MODEL_SLOTS_H
#define LM_MODEL_SLOTS_H

#include <loadmix/result.h>

/* An enum lm_task_state, or anything. */
unsigned lm_slot_state(const struct lm_task_slot *slot);

/* Jobs done that have samples: at most jobs_per_task. */
unsigned lm_slot_jobs(const struct lm_step_result *result, const struct lm_task_slot *slot);

/* All jobs of a task, of which the samples of single mode hold only the last. */
uint64_t lm_slot_all_jobs(const struct lm_step_result *result, const struct lm_task_slot *slot);

/* When the last task of the step ended, on the clock of the slots; 0: none did. */
uint64_t lm_step_last_end(const struct lm_step_result *result);

#endif
