/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/study_doubts.h"

#include "model/delay.h"
#include "model/figures.h"
#include "model/likeness.h"
#include "model/runs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int doubt_loads(const char *what, const struct lm_loads *loads, struct lm_doubts *out,
		       struct lm_error *err)
{
	char *list = NULL;
	size_t size;
	FILE *f;
	int rc;

	if (loads->count == 0)
		return 0;
	f = open_memstream(&list, &size);
	for (size_t i = 0; f && i < loads->count; i++)
		fprintf(f, "%s%u", i ? ", " : "", loads->tasks[i]);
	if (!f || fclose(f) != 0) {
		free(list);
		return lm_error_sys(err, "a comparison");
	}
	rc = lm_doubts_add(out, err, "%s %s tasks.", what, list);
	free(list);
	return rc;
}

static int doubt_cells(const struct lm_comparison *c, struct lm_doubts *out, struct lm_error *err)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct lm_cell *cell = &c->cells[i];

		if ((cell->base_invalid || cell->now_invalid) &&
		    lm_doubts_add(out, err,
				  "At %u %s INVALID steps are left out: %u of the base, %u of "
				  "the new.",
				  cell->tasks, cell->tasks == 1 ? "task" : "tasks",
				  cell->base_invalid, cell->now_invalid) < 0)
			return -1;
	}
	return 0;
}

#define WARNINGS "warnings."

/* What may be hidden in noise before repeats are asked for, and what they are to show: percent. */
#define VISIBLE 5.0

/* The load whose noise hides the largest change of a figure. */
static const struct lm_cell *noisiest(const struct lm_comparison *c, enum lm_figure figure)
{
	const struct lm_cell *most = NULL;

	for (size_t i = 0; i < c->count; i++) {
		const struct lm_cell *cell = &c->cells[i];

		if (lm_cell_knows(cell, figure) && cell->figures[figure].mde > VISIBLE &&
		    (!most || cell->figures[figure].mde > most->figures[figure].mde))
			most = cell;
	}
	return most;
}

static int doubt_noise(const struct lm_study *study, const struct lm_comparison *c,
		       struct lm_doubts *out, struct lm_error *err)
{
	enum lm_figure figure = lm_study_first_figure(study);
	const char *title = lm_figure_info(figure)->title;
	const struct lm_cell *cell = noisiest(c, figure);
	size_t repeats;

	if (c->count && lm_comparison_single(c))
		return lm_doubts_add(out, err,
				     c->kind ? "Single runs: nothing can be said about noise. "
					       "Several runs in files named together are "
					       "repeats: LABEL=FILE,FILE."
					     : "Single runs: nothing can be said about noise. "
					       "--repeat 5 gives repeats.");
	if (!cell)
		return 0;
	repeats = lm_repeats_needed(&cell->figures[figure], VISIBLE);
	if (repeats == SIZE_MAX)
		return lm_doubts_add(out, err,
				     "At %u %s changes of %s below %.1f %% are hidden: more "
				     "than 1000 repeats would be needed to see %g %%.",
				     cell->tasks, cell->tasks == 1 ? "task" : "tasks", title,
				     cell->figures[figure].mde, VISIBLE);
	return lm_doubts_add(out, err,
			     "At %u %s changes of %s below %.1f %% are hidden: with %zu "
			     "repeats on either side %g %% would be seen.",
			     cell->tasks, cell->tasks == 1 ? "task" : "tasks", title,
			     cell->figures[figure].mde, repeats, VISIBLE);
}

const char *lm_study_work(const struct lm_comparison *c, char *buf, size_t size)
{
	char base[64], now[64];

	buf[0] = '\0';
	if (c->kinds_differ && c->base_jobs.least == c->now_jobs.least &&
	    c->base_jobs.most == c->now_jobs.most)
		snprintf(buf, size,
			 "The work differs: the jobs of a task are of other kinds or commands, not "
			 "as many of each, or their files of another size. Real and cpu times are "
			 "no measure "
			 "of each other.");
	else if (c->jobs_differ)
		snprintf(buf, size,
			 "The work differs: %s jobs per task in the base, %s in the new. Their "
			 "real and cpu times are no measure of each other.",
			 lm_jobs_text(&c->base_jobs, base, sizeof(base)),
			 lm_jobs_text(&c->now_jobs, now, sizeof(now)));
	return buf;
}

/* What was said before the runs of a side began; each once. */
static int doubt_warnings(const char *side, const struct lm_set *set, struct lm_doubts *out,
			  struct lm_error *err)
{
	const char *last = "";

	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < set->runs[i]->environment.count; k++) {
			const struct lm_fact *fact = &set->runs[i]->environment.items[k];

			if (strncmp(fact->key, WARNINGS, strlen(WARNINGS)) != 0 ||
			    fact->type != LM_FACT_TEXT || strcmp(fact->text, last) == 0)
				continue;
			last = fact->text;
			if (lm_doubts_add(out, err, "The run of %s began with a warning: %.300s.",
					  side, last) < 0)
				return -1;
		}
	return 0;
}

bool lm_set_was_busy(const struct lm_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < set->runs[i]->environment.count; k++) {
			const struct lm_fact *fact = &set->runs[i]->environment.items[k];

			if (strncmp(fact->key, WARNINGS, strlen(WARNINGS)) == 0 &&
			    fact->type == LM_FACT_TEXT && strstr(fact->text, "is not idle"))
				return true;
		}
	return false;
}

static const struct lm_run *shared_run(const struct lm_set *base, const struct lm_set *now)
{
	for (size_t i = 0; i < base->count; i++)
		for (size_t k = 0; k < now->count; k++)
			if (lm_run_same(base->runs[i], now->runs[k]))
				return now->runs[k];
	return NULL;
}

static int doubt_shared(const struct lm_set *base, const struct lm_set *now, struct lm_doubts *out,
			struct lm_error *err)
{
	const struct lm_run *run = shared_run(base, now);

	if (!run)
		return 0;
	return lm_doubts_add(out, err, "The run in %.300s stands on both sides.", run->source);
}

/* AIM7's own, or asked for with the plan. */
static bool holds_delay(const struct lm_run *run)
{
	return lm_run_has_delay(run) ||
	       strcmp(lm_facts_text_of(&run->plan, "start_delay", ""), "true") == 0;
}

static bool mix_delays(const struct lm_set *base, const struct lm_set *now)
{
	const struct lm_set *const sets[] = { base, now };
	size_t with = 0, without = 0;

	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < sets[side]->count; i++)
			*(holds_delay(sets[side]->runs[i]) ? &with : &without) += 1;
	return with && without;
}

static int doubt_delays(const struct lm_set *base, const struct lm_set *now, struct lm_doubts *out,
			struct lm_error *err)
{
	if (!mix_delays(base, now))
		return 0;
	return lm_doubts_add(
		out, err,
		"Some of these times have AIM7's 10 idle seconds in them and some have "
		"not: see --aim7-delay.");
}

/* What a plan decides of the measurement itself, where the sides were not asked for the same. */
static int doubt_plan(const struct lm_contrast *contrast, struct lm_doubts *out,
		      struct lm_error *err)
{
	for (size_t i = 0; i < contrast->differences.count; i++) {
		const struct lm_difference *d = &contrast->differences.items[i];

		if (d->decides && lm_doubts_add(out, err,
						"The runs were not asked for the same: %s is %s in "
						"the base, %s in the new.",
						d->key, d->base, d->now) < 0)
			return -1;
	}
	return 0;
}

/* Steps under one label that are of two kernels. */
static int doubt_resumes(const char *side, const struct lm_set *set, struct lm_doubts *out,
			 struct lm_error *err)
{
	for (size_t i = 0; i < set->count; i++) {
		const char *kernel = lm_run_other_kernel(set->runs[i]);

		if (kernel && lm_doubts_add(out, err,
					    "A run of %s was resumed under another kernel, %.300s: "
					    "not all of its steps are of the first.",
					    side, kernel) < 0)
			return -1;
	}
	return 0;
}

int lm_study_unfit(const struct lm_contrast *contrast, const struct lm_set *base,
		   const struct lm_set *now, struct lm_doubts *out, struct lm_error *err)
{
	if (doubt_shared(base, now, out, err) < 0 || doubt_delays(base, now, out, err) < 0 ||
	    doubt_plan(contrast, out, err) < 0 || doubt_resumes("the base", base, out, err) < 0)
		return -1;
	return doubt_resumes("the new side", now, out, err);
}

int lm_study_doubt(const struct lm_study *study, const struct lm_contrast *contrast, size_t index,
		   struct lm_doubts *out, struct lm_error *err)
{
	const struct lm_comparison *c = &contrast->comparisons.items[index];
	char work[256];

	if (doubt_loads("Only the base has a valid step at", &c->base_only, out, err) < 0 ||
	    doubt_loads("Only the new side has a valid step at", &c->now_only, out, err) < 0 ||
	    doubt_loads("Every step of the base is INVALID at", &c->base_invalid, out, err) < 0 ||
	    doubt_loads("Every step of the new side is INVALID at", &c->now_invalid, out, err) <
		    0 ||
	    doubt_cells(c, out, err) < 0)
		return -1;
	if (lm_study_work(c, work, sizeof(work))[0] && lm_doubts_add(out, err, "%s", work) < 0)
		return -1;
	if (lm_study_unfit(contrast, c->base, c->now, out, err) < 0 ||
	    doubt_warnings("the base", c->base, out, err) < 0 ||
	    doubt_warnings("the new side", c->now, out, err) < 0)
		return -1;
	return doubt_noise(study, c, out, err);
}

static int doubt_names(const char *side, const struct lm_names *names, struct lm_doubts *out,
		       struct lm_error *err)
{
	for (size_t i = 0; i < names->count; i++)
		if (lm_doubts_add(out, err, "Only %s has %s.", side,
				  names->names[i][0] ? names->names[i]
						     : "results of no named workload") < 0)
			return -1;
	return 0;
}

int lm_study_doubt_whole(struct lm_contrast *c, struct lm_error *err)
{
	if (c->missing[0] && lm_doubts_add(&c->left_out, err, "Not compared: %s.", c->missing) < 0)
		return -1;
	if (doubt_names("the base", &c->comparisons.base_only, &c->left_out, err) < 0)
		return -1;
	return doubt_names("the new side", &c->comparisons.now_only, &c->left_out, err);
}
