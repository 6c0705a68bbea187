/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doubts.h"

#include "base/units.h"
#include "cmd/cmd.h"
#include "engine/limits.h"
#include "model/mix.h"
#include "model/next.h"
#include "model/sweep.h"
#include "probes/probes.h"

/* What is asked of each check. */
struct doubting {
	const struct lm_plan *plan;
	const struct lm_policy *policy;
	struct lm_doubts *doubts;
};

/* --- room on the disk ---------------------------------------------------------------------- */

/* The load that needs the most of a disk, of those that are sure to come; of a sweep that cannot be
 * foreseen that is the first. */
static uint64_t largest_disk_need(const struct doubting *d)
{
	const struct lm_sweep *sweep = &d->plan->sweep;
	uint64_t most = 0;
	struct lm_reason why;
	unsigned tasks;

	if (!lm_sweep_foreseeable(d->policy, sweep))
		return lm_mix_disk_kib(d->plan->mix, sweep->ranges[0].start);
	for (size_t n = 0; lm_sweep_next(d->policy, sweep, NULL, n, &tasks, &why); n++) {
		uint64_t need = lm_mix_disk_kib(d->plan->mix, tasks);

		most = need > most ? need : most;
	}
	return most;
}

/* The first load that needs more than what is free, 0 when there is none. */
static unsigned load_that_needs(const struct doubting *d, uint64_t have)
{
	for (unsigned tasks = 1; tasks <= lm_sweep_largest(&d->plan->sweep); tasks++)
		if (lm_mix_disk_kib(d->plan->mix, tasks) > have)
			return tasks;
	return 0;
}

static int doubt_space(const struct doubting *d, const char *dir, struct lm_error *err)
{
	uint64_t have = lm_limits_free_kib(dir), need = largest_disk_need(d);
	char have_text[32], need_text[32];
	unsigned tasks;

	lm_format_about(have, have_text, sizeof(have_text));
	if (need > have)
		return lm_doubts_add(d->doubts, err,
				     "a step can need %s in %s, where %s are free: jobs may fail",
				     lm_format_about(need, need_text, sizeof(need_text)), dir,
				     have_text);
	if (lm_sweep_foreseeable(d->policy, &d->plan->sweep))
		return 0;
	tasks = load_that_needs(d, have);
	if (!tasks)
		return 0;
	return lm_doubts_add(d->doubts, err,
			     "steps of %u tasks and more, if the sweep comes to them, can need "
			     "more than the %s that are free in %s: jobs may fail then",
			     tasks, have_text, dir);
}

/* --- kinds without work -------------------------------------------------------------------- */

static int doubt_halves(const struct doubting *d, struct lm_error *err)
{
	const struct lm_mix *mix = d->plan->mix;
	unsigned tasks = lm_sweep_largest(&d->plan->sweep);

	for (size_t i = 0; i < mix->count; i++)
		if (mix->entries[i].job->ops_per == LM_OPS_PER_HALF_BLOCK &&
		    lm_mix_file_kib(mix, tasks) < 2 &&
		    lm_doubts_add(d->doubts, err,
				  "%s works on half the file size, which is 0 KiB at %u tasks: it "
				  "does no synchronous I/O",
				  mix->entries[i].job->name, tasks) < 0)
			return -1;
	return 0;
}

/* --- all of it ----------------------------------------------------------------------------- */

static int doubt_machine(const struct doubting *d, struct lm_error *err)
{
	struct lm_facts *facts = &d->doubts->environment;

	if (lm_probes_describe(d->plan, facts, err) < 0)
		return -1;
	return lm_doubts_judge(d->plan, facts, d->doubts, err);
}

/* What the plan gives reason for stands before what the machine does. */
static int find_all(const struct doubting *d, size_t *of_plan, struct lm_error *err)
{
	for (size_t i = 0; i < d->plan->dir_count; i++)
		if (doubt_space(d, d->plan->dirs[i], err) < 0)
			return -1;
	if (doubt_halves(d, err) < 0)
		return -1;
	*of_plan = d->doubts->count;
	return doubt_machine(d, err);
}

static int warn(struct lm_plan *plan, const struct lm_policy *policy, bool of_machine,
		struct lm_doubts *doubts, struct lm_error *err)
{
	const struct doubting d = { plan, policy, doubts };
	size_t of_plan;

	if (find_all(&d, &of_plan, err) < 0)
		return -1;
	for (size_t i = 0; i < (of_machine ? doubts->count : of_plan); i++)
		lm_cmd_warn("%s", doubts->texts[i]);
	plan->warnings = (const char *const *)doubts->texts;
	plan->warning_count = doubts->count;
	plan->environment = &doubts->environment;
	return 0;
}

int lm_doubts_warn(struct lm_plan *plan, const struct lm_policy *policy, struct lm_doubts *doubts,
		   struct lm_error *err)
{
	return warn(plan, policy, true, doubts, err);
}

int lm_doubts_warn_again(struct lm_plan *plan, const struct lm_policy *policy,
			 struct lm_doubts *doubts, struct lm_error *err)
{
	return warn(plan, policy, false, doubts, err);
}
