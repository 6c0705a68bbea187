/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/walk.h"

#include <string.h>

static bool is_single(const struct lm_run *run)
{
	return lm_facts_number_of(&run->plan, "period_s", 0) > 0;
}

const char *lm_walk_unnamed(const struct lm_set *sets, size_t count)
{
	const char *only = "";

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sets[i].count; k++) {
			const char *name = sets[i].runs[k]->workload;

			if (is_single(sets[i].runs[k]) || name[0] == '\0')
				continue;
			if (only[0] && strcmp(only, name) != 0)
				return "";
			only = name;
		}
	return only;
}

const char *lm_walk_workload(const struct lm_run *run, const char *unnamed)
{
	if (is_single(run))
		return NULL;
	return run->workload[0] ? run->workload : unnamed;
}

static bool belongs(const struct lm_walk *walk, const struct lm_run *run)
{
	const char *workload = lm_walk_workload(run, walk->unnamed);

	return workload && strcmp(workload, walk->workload) == 0;
}

const struct lm_record *lm_walk_next(struct lm_walk *walk)
{
	for (; walk->run < walk->set->count; walk->run++, walk->step = 0) {
		const struct lm_run *run = walk->set->runs[walk->run];

		if (walk->step < run->count && belongs(walk, run))
			return &run->records[walk->step++];
	}
	return NULL;
}
