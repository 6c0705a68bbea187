/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/runs.h"

#include "model/compare.h"
#include "model/figures.h"
#include "model/metrics.h"

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NOTES 1000

/* --- building ---------------------------------------------------------------------------- */

/* Room for one more; grows by doubling. NULL with err. */
static void *grow(void *items, size_t count, size_t size, struct lm_error *err)
{
	void *more = items;

	if ((count & (count - 1)) == 0) /* 0 or a power of two: it is full */
		more = reallocarray(items, count ? 2 * count : 1, size);
	if (!more)
		lm_error_sys(err, "results that were read");
	return more;
}

int lm_run_text(char **field, const char *text, struct lm_error *err)
{
	char *copy = strdup(text);

	if (!copy)
		return lm_error_sys(err, "results that were read");
	free(*field);
	*field = copy;
	return 0;
}

struct lm_run *lm_runs_add(struct lm_runs *runs, const char *source, long line, const char *format,
			   struct lm_error *err)
{
	struct lm_run *more = grow(runs->items, runs->count, sizeof(*more), err), *run;

	if (!more)
		return NULL;
	runs->items = more;
	run = &more[runs->count++];
	*run = (struct lm_run){ .line = line, .complete = true };
	if (lm_run_text(&run->source, source, err) < 0 ||
	    lm_run_text(&run->format, format, err) < 0 || lm_run_text(&run->label, "", err) < 0 ||
	    lm_run_text(&run->workload, "", err) < 0 || lm_run_text(&run->machine, "", err) < 0 ||
	    lm_run_text(&run->version, "", err) < 0 || lm_run_text(&run->started, "", err) < 0)
		return NULL;
	return run;
}

struct lm_record *lm_run_step(struct lm_run *run, long line, struct lm_error *err)
{
	struct lm_record *more = grow(run->records, run->count, sizeof(*more), err);

	if (!more)
		return NULL;
	run->records = more;
	more[run->count] = (struct lm_record){ .step = (unsigned)run->count + 1,
					       .iteration = 1,
					       .valid = true,
					       .unknown = (1u << LM_FIGURES) - 1,
					       .line = line };
	return &more[run->count++];
}

/* A file may hold any number of different names: they are found by their hash (FNV-1a). */
static size_t *slot_of(const struct lm_runs *runs, const char *name)
{
	uint64_t hash = 14695981039346656037u;
	size_t i;

	for (const char *c = name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 1099511628211u;
	for (i = hash & (runs->slot_count - 1); runs->slots[i];
	     i = (i + 1) & (runs->slot_count - 1))
		if (strcmp(runs->names[runs->slots[i] - 1], name) == 0)
			break;
	return &runs->slots[i];
}

/* At least half of the slots stay free. */
static int grow_slots(struct lm_runs *runs, struct lm_error *err)
{
	size_t count = runs->slot_count ? 2 * runs->slot_count : 64, *slots;

	if (2 * runs->name_count < runs->slot_count)
		return 0;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return lm_error_sys(err, "results that were read");
	free(runs->slots);
	runs->slots = slots;
	runs->slot_count = count;
	for (size_t i = 0; i < runs->name_count; i++)
		*slot_of(runs, runs->names[i]) = i + 1;
	return 0;
}

const char *lm_runs_name(struct lm_runs *runs, const char *name, struct lm_error *err)
{
	char **more;
	size_t *slot;

	if (grow_slots(runs, err) < 0)
		return NULL;
	slot = slot_of(runs, name);
	if (*slot)
		return runs->names[*slot - 1];
	more = grow(runs->names, runs->name_count, sizeof(*more), err);
	if (!more)
		return NULL;
	runs->names = more;
	more[runs->name_count] = NULL;
	if (lm_run_text(&more[runs->name_count], name, err) < 0)
		return NULL;
	*slot = ++runs->name_count;
	return more[*slot - 1];
}

/* It takes the text over. */
static int add_note(struct lm_runs *runs, const char *source, long line, char *text,
		    struct lm_error *err)
{
	struct lm_note *more = grow(runs->notes, runs->note_count, sizeof(*more), err);
	struct lm_note note = { .line = line, .text = text };

	if (!more || lm_run_text(&note.source, source, err) < 0) {
		runs->notes = more ? more : runs->notes;
		free(text);
		return -1;
	}
	runs->notes = more;
	more[runs->note_count++] = note;
	return 0;
}

/* Anything may be in a file, and any number of times: the last note tells how many more there were.
 */
static int count_note(struct lm_runs *runs, const char *source, long line, struct lm_error *err)
{
	static const char beyond[] = "and %zu more notes, which are not kept";
	size_t room = sizeof(beyond) + 20;
	char *text = runs->notes_beyond ? runs->notes[MAX_NOTES].text : malloc(room);

	if (!text)
		return lm_error_sys(err, "a note on what was read");
	if (!runs->notes_beyond && add_note(runs, source, line, text, err) < 0)
		return -1;
	runs->notes[MAX_NOTES].line = line;
	snprintf(text, room, beyond, ++runs->notes_beyond);
	return 0;
}

int lm_runs_note(struct lm_runs *runs, const char *source, long line, struct lm_error *err,
		 const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	if (runs->note_count >= MAX_NOTES)
		return count_note(runs, source, line, err);
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return lm_error_sys(err, "a note on what was read");
	return add_note(runs, source, line, text, err);
}

/* --- figures that follow from others ------------------------------------------------------- */

static bool knows(const struct lm_record *r, enum lm_figure a, enum lm_figure b)
{
	return lm_figure_known(r, a) && lm_figure_known(r, b);
}

static void derive(struct lm_record *r, enum lm_figure figure, enum lm_figure from, double value,
		   double grain)
{
	if (lm_figure_known(r, figure) || !lm_figure_known(r, from))
		return;
	lm_figure_set(r, figure, value);
	r->grains[figure] = grain;
}

static void derive_step(struct lm_record *r)
{
	double tasks = r->tasks, grain = r->grains[LM_FIG_JOBS_PER_MIN];

	if (r->tasks == 0)
		return;
	derive(r, LM_FIG_JOBS_PER_MIN_TASK, LM_FIG_JOBS_PER_MIN, r->jobs_per_min / tasks,
	       grain / tasks);
	derive(r, LM_FIG_JOBS_PER_S_TASK, LM_FIG_JOBS_PER_MIN, r->jobs_per_min / tasks / 60,
	       grain / tasks / 60);
	if (lm_figure_known(r, LM_FIG_USER))
		derive(r, LM_FIG_CPU, LM_FIG_SYSTEM, r->user_s + r->system_s,
		       hypot(r->grains[LM_FIG_USER], r->grains[LM_FIG_SYSTEM]));
}

/* Before a conversion it may have been derived: then it is as coarse as what it follows from. */
static void match_grain(struct lm_record *r, enum lm_figure figure, double times)
{
	double exact = r->jobs_per_min, value = lm_figure_value(r, figure) * times;

	if (times > 0 && knows(r, figure, LM_FIG_JOBS_PER_MIN) &&
	    fabs(value - exact) <= 1e-9 * fabs(exact))
		r->grains[figure] = fmax(r->grains[figure], r->grains[LM_FIG_JOBS_PER_MIN] / times);
}

/* The digits that a run's rows have in a column are those of the whole column. */
static void find_grain(struct lm_run *run, enum lm_figure figure, double *room)
{
	size_t n = 0;
	double grain;

	for (size_t i = 0; i < run->count; i++)
		if (lm_figure_known(&run->records[i], figure))
			room[n++] = lm_figure_value(&run->records[i], figure);
	grain = lm_grain_of(room, n);
	for (size_t i = 0; i < run->count; i++)
		run->records[i].grains[figure] = grain;
}

static int find_grains(struct lm_run *run)
{
	double *room = calloc(run->count + 1, sizeof(*room));

	if (!room)
		return -1;
	for (enum lm_figure f = 0; f < LM_FIGURES; f++)
		find_grain(run, f, room);
	for (size_t i = 0; i < run->count && strcmp(run->format, "journal") != 0; i++) {
		match_grain(&run->records[i], LM_FIG_JOBS_PER_MIN_TASK, run->records[i].tasks);
		match_grain(&run->records[i], LM_FIG_JOBS_PER_S_TASK, 60.0 * run->records[i].tasks);
	}
	free(room);
	return 0;
}

/* No figure is known to more than the digits that one looks for. */
#define FINEST_GRAIN 1e-4

/* Narrow the bounds by a step: jobs/min * real / 60 / tasks, each off by half its grain. */
static void bound_jobs(struct lm_run *run, const struct lm_record *r)
{
	double per_min = fmax(r->grains[LM_FIG_JOBS_PER_MIN], FINEST_GRAIN) / 2;
	double real = fmax(r->grains[LM_FIG_REAL], FINEST_GRAIN) / 2;
	double least, most;

	if (!r->valid || r->tasks == 0 || !knows(r, LM_FIG_JOBS_PER_MIN, LM_FIG_REAL))
		return;
	least = fmax(r->jobs_per_min - per_min, 0) * fmax(r->real_s - real, 0) / 60 / r->tasks;
	most = (r->jobs_per_min + per_min) * (r->real_s + real) / 60 / r->tasks;
	run->jobs_least = fmax(run->jobs_least, least);
	run->jobs_most = run->jobs_most > 0 ? fmin(run->jobs_most, most) : most;
}

/* A task has a whole number of jobs: bounds without one are those of steps that differ, or of
 * figures that were not rounded but cut off. */
static void find_jobs(struct lm_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		bound_jobs(run, &run->records[i]);
	if (!(run->jobs_most < 1e6) || floor(run->jobs_most) < ceil(run->jobs_least) ||
	    floor(run->jobs_most) < 1)
		run->jobs_least = run->jobs_most = 0;
}

static bool tells_jobs(const struct lm_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->records[i].jobs_per_task)
			return true;
	return run->jobs_per_task > 0;
}

/* What every step of a run tells alike, the run tells. */
static unsigned jobs_of_steps(const struct lm_run *run)
{
	for (size_t i = 1; i < run->count; i++)
		if (run->records[i].jobs_per_task != run->records[0].jobs_per_task)
			return 0;
	return run->count ? run->records[0].jobs_per_task : 0;
}

void lm_run_derive(struct lm_run *run)
{
	/* without room there are no grains, and bounds would be too narrow */
	bool grains = find_grains(run) == 0;

	for (size_t i = 0; i < run->count; i++)
		derive_step(&run->records[i]);
	if (run->jobs_per_task == 0)
		run->jobs_per_task = jobs_of_steps(run);
	if (grains && !tells_jobs(run) && !lm_run_is_single(run))
		find_jobs(run);
}

unsigned lm_run_jobs(const struct lm_run *run)
{
	double least = ceil(run->jobs_least), most = floor(run->jobs_most);

	if (run->jobs_per_task)
		return run->jobs_per_task;
	return run->jobs_most - run->jobs_least < 1 && least <= most && least >= most
		       ? (unsigned)most
		       : 0;
}

/* --- what sort of run it is ----------------------------------------------------------------- */

/* As a table of such steps has it in a column, with no figures of its own; "": there is none. */
static const char *kind_of_row(const struct lm_record *record)
{
	return lm_facts_text_of(&record->system, "posted.kind", "");
}

bool lm_run_is_single(const struct lm_run *run)
{
	const struct lm_fact *period = lm_facts_find(&run->plan, "period_s");

	if (period)
		return period->type == LM_FACT_NUMBER && period->number > 0;
	return run->count > 0 && *kind_of_row(&run->records[0]);
}

const char *lm_run_kind(const struct lm_run *run, const struct lm_record *record)
{
	if (!lm_run_is_single(run))
		return "";
	return record->kind_count > 0 ? record->kinds[0].name : kind_of_row(record);
}

const char *lm_run_other_kernel(const struct lm_run *run)
{
	for (size_t i = 0; i < run->environment.count; i++) {
		const struct lm_fact *fact = &run->environment.items[i];

		if (fact->type == LM_FACT_TEXT &&
		    fnmatch("resumed.*.now.kernel.*", fact->key, 0) == 0)
			return fact->text;
	}
	return NULL;
}

/* --- the end --------------------------------------------------------------------------------- */

static void free_run(struct lm_run *run)
{
	free(run->source);
	free(run->format);
	free(run->label);
	free(run->workload);
	free(run->machine);
	free(run->version);
	free(run->started);
	free(run->head_text);
	free(run->tail_text);
	lm_facts_free(&run->plan);
	lm_facts_free(&run->means);
	lm_facts_free(&run->environment);
	for (size_t i = 0; i < run->count; i++)
		lm_record_free(&run->records[i]);
	free(run->records);
}

void lm_runs_free(struct lm_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		free_run(&runs->items[i]);
	free(runs->items);
	for (size_t i = 0; i < runs->note_count; i++) {
		free(runs->notes[i].source);
		free(runs->notes[i].text);
	}
	free(runs->notes);
	for (size_t i = 0; i < runs->name_count; i++)
		free(runs->names[i]);
	free(runs->names);
	free(runs->slots);
	*runs = (struct lm_runs){ 0 };
}
