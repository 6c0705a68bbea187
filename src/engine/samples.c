/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/samples.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "model/order.h"

static size_t slot_stride(unsigned jobs_per_task)
{
	size_t size = sizeof(struct lm_task_slot) + jobs_per_task * sizeof(struct lm_sample);

	return (size + 63) & ~(size_t)63;
}

size_t lm_samples_size(unsigned tasks, unsigned jobs_per_task)
{
	size_t size;

	if (__builtin_mul_overflow(slot_stride(jobs_per_task), (size_t)tasks, &size) ||
	    __builtin_add_overflow(size, sizeof(struct lm_gate), &size))
		return 0;
	return size;
}

static int fill_orders(struct lm_samples *s, const struct lm_plan *plan, struct lm_error *err)
{
	unsigned jobs = plan->mix->jobs_per_task;
	uint16_t *order = calloc(jobs, sizeof(*order));

	for (unsigned task = 0; order && task < s->tasks; task++) {
		struct lm_task_slot *slot = lm_samples_slot(s, task);

		if (lm_order_fill(plan->mix, plan->order, plan->seed, task, order) < 0) {
			free(order);
			order = NULL;
			break;
		}
		for (unsigned i = 0; i < jobs; i++)
			slot->samples[i].entry = order[i];
	}
	if (!order)
		return lm_error_sys(err, "the order of jobs for %u tasks", s->tasks);
	free(order);
	return 0;
}

int lm_samples_map(struct lm_samples *s, const struct lm_plan *plan, unsigned tasks,
		   struct lm_error *err)
{
	unsigned jobs = plan->mix->jobs_per_task;

	*s = (struct lm_samples){ .size = lm_samples_size(tasks, jobs),
				  .stride = slot_stride(jobs),
				  .tasks = tasks };
	if (!s->size)
		return lm_error_set(err, LM_ERR_SYSTEM,
				    "%u tasks of %u jobs are too many to record", tasks, jobs);
	s->map = mmap(NULL, s->size, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (s->map == MAP_FAILED) {
		s->map = NULL;
		return lm_error_sys(err, "cannot map %zu KiB for the samples of %u tasks",
				    s->size / 1024, tasks);
	}
	s->gate = s->map;
	s->gate->expected = tasks;
	s->slots = (unsigned char *)s->map + sizeof(struct lm_gate);
	return fill_orders(s, plan, err);
}

void lm_samples_unmap(struct lm_samples *s)
{
	if (s->map)
		munmap(s->map, s->size);
	s->map = NULL;
}

uint64_t lm_samples_jobs_done(const struct lm_samples *s)
{
	uint64_t done = 0;

	for (unsigned i = 0; i < s->tasks; i++)
		done += atomic_load_explicit(&lm_samples_slot(s, i)->jobs_done,
					     memory_order_relaxed);
	return done;
}
