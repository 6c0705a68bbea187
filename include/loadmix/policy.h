/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep policy: which task count comes next. Pure: it sees the plan and the records so far. */
#ifndef LOADMIX_POLICY_H
#define LOADMIX_POLICY_H

#include <loadmix/plan.h>
#include <loadmix/result.h>

#include <stdbool.h>
#include <stddef.h>

/*
 * next  in the parent, before each step: set *tasks and return 1, or return 0 when the sweep is
 *       done. Mandatory. records are those of this sweep, INVALID ones too; count is their number,
 *       which is also the number of steps run. why may be filled when 0 is returned. Every policy
 *       ends: it never goes above the end of its ranges, and never forever below it
 *
 * A policy whose steps depend on the sweep alone is foreseeable: it looks at count only, so that
 * a plan can be printed and the end of a sweep be estimated. What ends any sweep (enum lm_until) is
 * looked at before next is called: see lm_sweep_next().
 */
struct lm_policy {
	const char *name;
	const char *summary;
	bool foreseeable;
	int (*next)(const struct lm_sweep *sweep, const struct lm_record *records, size_t count,
		    unsigned *tasks, struct lm_reason *why);
};

#endif
