/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One range by a fixed increment, and in small steps near the crossover. */
#include "policies/policies.h"

#include "model/increment.h"

static int newton_next(const struct lm_sweep *sweep, const struct lm_record *records, size_t count,
		       unsigned *tasks, struct lm_reason *why)
{
	unsigned increment;

	(void)why;
	if (sweep->count == 0)
		return 0;
	*tasks = sweep->ranges[0].start;
	if (count == 0)
		return 1;
	increment = sweep->ranges[0].step;
	/* an INVALID step says nothing of the load: as before */
	for (size_t i = 0; i < count; i++)
		if (records[i].valid)
			increment = lm_increment_newton(increment, &records[i]);
	return lm_increment_apply(&sweep->ranges[0], records[count - 1].tasks, increment, tasks);
}

const struct lm_policy lm_policy_newton = {
	.name = "newton",
	.summary = "from the start by a fixed increment, half the way when the crossover is near",
	.next = newton_next,
};
