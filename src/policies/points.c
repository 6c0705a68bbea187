/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of task counts and ranges, in the order in which they were written. */
#include "policies/policies.h"

#include "model/sweep.h"

static int points_next(const struct lm_sweep *sweep, const struct lm_record *records, size_t count,
		       unsigned *tasks, struct lm_reason *why)
{
	(void)records;
	(void)why;
	for (size_t i = 0; i < sweep->count; i++) {
		unsigned steps = lm_range_steps(&sweep->ranges[i]);

		if (count < steps) {
			*tasks = lm_range_at(&sweep->ranges[i], (unsigned)count);
			return 1;
		}
		count -= steps;
	}
	return 0;
}

const struct lm_policy lm_policy_points = {
	.name = "points",
	.summary = "the task counts of a list, in its order",
	.foreseeable = true,
	.next = points_next,
};
