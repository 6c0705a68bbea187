/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One range whose increment follows the real times: AIM7's rule, or re-aim-7's. */
#include "policies/policies.h"

#include "model/increment.h"

#define FIRST_STEPS 8  /* with the increment as it was given */
#define HIGH_START  20 /* AIM7: from here on there are none of them */

/* Whether the increment changes after the step of that index, from 0. */
static bool adapts(const struct lm_sweep *sweep, size_t index)
{
	if (sweep->reaim)
		return index + 1 > FIRST_STEPS;
	return index + 1 >= FIRST_STEPS || sweep->ranges[0].start >= HIGH_START;
}

/* The increment is made anew from all records: a policy remembers nothing. What was measured in an
 * INVALID step says nothing of the load, so it is passed over. */
static unsigned increment_after(const struct lm_sweep *sweep, const struct lm_record *records,
				size_t count)
{
	unsigned increment = sweep->ranges[0].step;
	const struct lm_record *before = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct lm_record *now = &records[i];

		if (!now->valid)
			continue;
		if (before && adapts(sweep, i))
			increment = lm_increment_adapt(increment, before->real_s, now->real_s);
		if (sweep->newton || sweep->reaim)
			increment = lm_increment_newton(increment, now);
		before = now;
	}
	return increment;
}

static int adaptive_next(const struct lm_sweep *sweep, const struct lm_record *records,
			 size_t count, unsigned *tasks, struct lm_reason *why)
{
	(void)why;
	if (sweep->count == 0)
		return 0;
	*tasks = sweep->ranges[0].start;
	if (count == 0)
		return 1;
	return lm_increment_apply(&sweep->ranges[0], records[count - 1].tasks,
				  increment_after(sweep, records, count), tasks);
}

const struct lm_policy lm_policy_adaptive = {
	.name = "adaptive",
	.summary = "from the start by an increment that follows the real times",
	.next = adaptive_next,
};
