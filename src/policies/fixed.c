/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One range: from its start by its step to its end. */
#include "policies/policies.h"

#include "model/sweep.h"

static int fixed_next(const struct lm_sweep *sweep, const struct lm_record *records, size_t count,
		      unsigned *tasks, struct lm_reason *why)
{
	(void)records;
	(void)why;
	if (sweep->count == 0 || count >= lm_range_steps(&sweep->ranges[0]))
		return 0;
	*tasks = lm_range_at(&sweep->ranges[0], (unsigned)count);
	return 1;
}

const struct lm_policy lm_policy_fixed = {
	.name = "fixed",
	.summary = "from the start by a fixed increment to the end",
	.foreseeable = true,
	.next = fixed_next,
};
