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
 *       done. Mandatory. count is the number of records, which is also the number of steps run
 *
 * A policy whose steps depend on the sweep alone is foreseeable: it looks at count only, so that
 * a plan can be printed and the end of a sweep be estimated.
 */
struct lm_policy {
	const char *name;
	const char *summary;
	bool foreseeable;
	int (*next)(const struct lm_sweep *sweep, const struct lm_record *records, size_t count,
		    unsigned *tasks);
};

#endif
