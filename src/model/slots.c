/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/slots.h"

#include <stdatomic.h>

unsigned lm_slot_state(const struct lm_task_slot *slot)
{
	return atomic_load_explicit(&slot->state, memory_order_acquire);
}

/* No index goes past the samples. */
unsigned lm_slot_jobs(const struct lm_step_result *result, const struct lm_task_slot *slot)
{
	uint64_t jobs = atomic_load_explicit(&slot->jobs_done, memory_order_acquire);

	return jobs < result->jobs_per_task ? (unsigned)jobs : result->jobs_per_task;
}

uint64_t lm_slot_all_jobs(const struct lm_step_result *result, const struct lm_task_slot *slot)
{
	if (result->period_s > 0)
		return atomic_load_explicit(&slot->jobs_done, memory_order_acquire);
	return lm_slot_jobs(result, slot);
}

uint64_t lm_step_last_end(const struct lm_step_result *result)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < result->tasks; i++) {
		uint64_t end = lm_result_slot(result, i)->end_ns;

		last = end > last ? end : last;
	}
	return last;
}
