/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shared mapping of a step: the gate, and a slot with samples for every task. */
#ifndef LM_ENGINE_SAMPLES_H
#define LM_ENGINE_SAMPLES_H

#include <loadmix/error.h>
#include <loadmix/plan.h>
#include <loadmix/result.h>

#include "engine/gate.h"

struct lm_samples {
	void *map;
	size_t size;
	struct lm_gate *gate;
	unsigned char *slots;
	size_t stride;
	unsigned tasks;
};

/* Bytes of the mapping for a step of that size, 0 when it does not fit the address space. */
size_t lm_samples_size(unsigned tasks, unsigned jobs_per_task);

/* Map it, with every page present, and write each task's order of jobs into its samples.
 * 0, or -1 with err. */
int lm_samples_map(struct lm_samples *s, const struct lm_plan *plan, unsigned tasks,
		   struct lm_error *err);
void lm_samples_unmap(struct lm_samples *s);

static inline struct lm_task_slot *lm_samples_slot(const struct lm_samples *s, unsigned task)
{
	return (struct lm_task_slot *)(void *)(s->slots + (size_t)task * s->stride);
}

/* Jobs ended ok so far, over all tasks. */
uint64_t lm_samples_jobs_done(const struct lm_samples *s);

#endif
