/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/runs.h"

#include "model/figures.h"
#include "model/metrics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AIM7_DELAY_S 10
#define MAX_NOTES    1000

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

/* jobs/min * real / 60 / tasks; 0 when it cannot be told to within half a job. */
static unsigned jobs_per_task_of(const struct lm_record *r)
{
	double jobs;

	if (!knows(r, LM_FIG_JOBS_PER_MIN, LM_FIG_REAL) || r->tasks == 0)
		return 0;
	jobs = r->jobs_per_min * r->real_s / 60 / r->tasks;
	return jobs >= 1 && jobs < 1e6 ? (unsigned)lround(jobs) : 0;
}

static void derive_step(struct lm_record *r)
{
	if (r->tasks == 0)
		return;
	if (!lm_figure_known(r, LM_FIG_JOBS_PER_MIN_TASK) &&
	    lm_figure_known(r, LM_FIG_JOBS_PER_MIN))
		lm_figure_set(r, LM_FIG_JOBS_PER_MIN_TASK, r->jobs_per_min / r->tasks);
	if (!lm_figure_known(r, LM_FIG_JOBS_PER_S_TASK) && lm_figure_known(r, LM_FIG_JOBS_PER_MIN))
		lm_figure_set(r, LM_FIG_JOBS_PER_S_TASK, r->jobs_per_min / r->tasks / 60);
	if (!lm_figure_known(r, LM_FIG_CPU) && knows(r, LM_FIG_USER, LM_FIG_SYSTEM))
		lm_figure_set(r, LM_FIG_CPU, r->user_s + r->system_s);
	if (r->jobs_per_task == 0)
		r->jobs_per_task = jobs_per_task_of(r);
}

/* Printed figures are rounded, so the step with the longest time tells it best. */
static unsigned best_jobs_per_task(const struct lm_run *run)
{
	unsigned jobs = 0;
	double longest = -1;

	for (size_t i = 0; i < run->count; i++) {
		const struct lm_record *r = &run->records[i];

		if (r->jobs_per_task == 0 || r->real_s <= longest)
			continue;
		longest = r->real_s;
		jobs = r->jobs_per_task;
	}
	return jobs;
}

void lm_run_derive(struct lm_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		derive_step(&run->records[i]);
	if (run->jobs_per_task == 0)
		run->jobs_per_task = best_jobs_per_task(run);
}

/* --- AIM7's start delay -------------------------------------------------------------------- */

static bool has_delay(const struct lm_run *run)
{
	return strcmp(run->format, "suite7") == 0 || strcmp(run->format, "multitask") == 0 ||
	       strcmp(run->format, "posted") == 0;
}

static void take_delay(struct lm_record *r)
{
	double factor;

	if (!lm_figure_known(r, LM_FIG_REAL)) {
		lm_record_problem(r, "real is not told, so AIM7's delay cannot be taken out");
		return;
	}
	if (r->real_s <= AIM7_DELAY_S) {
		lm_record_problem(r, "real is %g s, not above the %d s of AIM7's delay", r->real_s,
				  AIM7_DELAY_S);
		return;
	}
	factor = r->real_s / (r->real_s - AIM7_DELAY_S);
	r->real_s -= AIM7_DELAY_S;
	r->jobs_per_min *= factor;
	r->jobs_per_min_task *= factor;
	r->jobs_per_s_task *= factor;
}

size_t lm_run_take_delay(struct lm_run *run)
{
	if (!has_delay(run))
		return 0;
	for (size_t i = 0; i < run->count; i++)
		take_delay(&run->records[i]);
	return run->count;
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
