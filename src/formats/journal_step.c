/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a step line of a journal to its record. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/journal_fields.h"
#include "model/figures.h"
#include "model/metrics.h"
#include "model/runs.h"
#include "model/validity.h"

#include <loadmix/plan.h>

#define MAX_COUNT ((uint64_t)1 << 53)
#define MAX_INDEX 1000000000u
#define CLOSE     1e-9 /* figures are stored with 12 digits */

static bool close_to(double a, double b)
{
	return fabs(a - b) <= CLOSE * fmax(fabs(a), fabs(b)) + 1e-12;
}

static unsigned unsigned_of(struct lm_fields *f, const char *name, unsigned flags, uint64_t most,
			    unsigned fallback)
{
	uint64_t value = fallback;

	lm_field_count(f, name, flags, most, &value);
	return (unsigned)value;
}

/* --- the fields ---------------------------------------------------------------------------- */

static void take_figures(struct lm_fields *f, struct lm_record *r)
{
	for (enum lm_figure i = 0; i < LM_FIGURES; i++) {
		const char *name = lm_figure_info(i)->name;
		uint64_t jti = 0;
		double value;

		if (i == LM_FIG_JTI) {
			if (lm_field_count(f, name, LM_NULLABLE, 100, &jti))
				lm_figure_set(r, i, (double)jti);
		} else if (lm_field_number(f, name, LM_NULLABLE, &value)) {
			lm_figure_set(r, i, value);
		}
	}
}

static void take_numbers(struct lm_fields *f, struct lm_record *r)
{
	const char *ended = "";

	r->step = unsigned_of(f, "index", 0, MAX_INDEX, 0);
	r->iteration = unsigned_of(f, "iteration", 0, MAX_INDEX, 1);
	r->tasks = unsigned_of(f, "tasks", 0, LM_MAX_TASKS, 0);
	r->jobs_per_task =
		unsigned_of(f, "jobs_per_task", LM_NULLABLE, LM_MAX_JOBS + LM_MAX_ENTRIES, 0);
	lm_field_bool(f, "valid", &r->valid);
	lm_field_count(f, "jobs_done", LM_NULLABLE, MAX_COUNT, &r->jobs_done);
	lm_field_count(f, "file_kib", LM_NULLABLE, 2 * LM_MAX_SIZE_KIB, &r->file_kib);
	lm_field_number(f, "deadline_s", LM_NULLABLE, &r->deadline_s);
	lm_field_number(f, "files_s", LM_NULLABLE, &r->files_s);
	lm_field_number(f, "ready_s", LM_NULLABLE, &r->ready_s);
	lm_field_number(f, "outside_s", LM_NULLABLE, &r->outside_s);
	lm_field_text(f, "ended", LM_NULLABLE, &ended);
	if (strlen(ended) >= sizeof(r->ended))
		lm_fields_wrong(f, "the field 'ended' is no time");
	else
		memcpy(r->ended, ended, strlen(ended) + 1);
	take_figures(f, r);
	if (!f->broken && (r->step == 0 || r->iteration == 0 || r->tasks == 0))
		lm_fields_wrong(f, "it has index, iteration or tasks 0");
}

static int take_problems(struct lm_fields *f, struct lm_record *r, struct lm_error *err)
{
	const json_t *problems = lm_field_array(f, "problems", 0);
	size_t n = json_array_size(problems);
	uint64_t total = 0;

	lm_field_count(f, "problem_total", 0, MAX_COUNT, &total);
	if (n != (total < LM_MAX_PROBLEMS ? total : LM_MAX_PROBLEMS) || r->valid != (total == 0))
		lm_fields_wrong(f, "its problems do not fit its validity");
	for (size_t i = 0; i < n && !f->broken; i++) {
		const char *text = json_string_value(json_array_get(problems, i));
		bool valid = r->valid;

		if (text)
			lm_record_problem(r, "%s", text);
		else
			lm_fields_wrong(f, "a problem is no text");
		r->valid = valid;
	}
	if (!f->broken && r->problem_count != n)
		return lm_error_sys(err, "results that were read");
	r->problem_total = (size_t)total;
	return 0;
}

/* --- kinds --------------------------------------------------------------------------------- */

static int take_name(struct lm_fields *f, const char *field, struct lm_runs *runs, const char **out,
		     struct lm_error *err)
{
	const char *text = "";

	lm_field_text(f, field, 0, &text);
	*out = lm_runs_name(runs, text, err);
	return *out ? 0 : -1;
}

static int take_kind(struct lm_fields *f, struct lm_runs *runs, const json_t *kinds,
		     struct lm_kind_record *k, struct lm_error *err)
{
	if (kinds && !json_object_get(kinds, json_string_value(json_object_get(f->object, "kind"))))
		lm_fields_wrong(f, "a kind is not in the mix");
	if (f->broken)
		return 0;
	lm_field_count(f, "jobs", 0, MAX_COUNT, &k->jobs);
	lm_field_number(f, "operations", 0, &k->operations);
	lm_field_number(f, "elapsed_s", 0, &k->elapsed_s);
	lm_field_number(f, "user_s", 0, &k->user_s);
	lm_field_number(f, "system_s", 0, &k->system_s);
	lm_field_number(f, "min_s", 0, &k->min_s);
	lm_field_number(f, "median_s", 0, &k->median_s);
	lm_field_number(f, "p99_s", 0, &k->p99_s);
	lm_field_number(f, "max_s", 0, &k->max_s);
	if (k->min_s > k->median_s || k->median_s > k->p99_s || k->p99_s > k->max_s)
		lm_fields_wrong(f, "the times of a kind are not in their order");
	if (take_name(f, "kind", runs, &k->name, err) < 0)
		return -1;
	return take_name(f, "unit", runs, &k->unit, err);
}

static int take_kinds(struct lm_fields *f, struct lm_runs *runs, const json_t *kinds,
		      struct lm_record *r, struct lm_error *err)
{
	const json_t *rows = lm_field_array(f, "kinds", 0);
	size_t n = json_array_size(rows);

	if (n == 0 || f->broken)
		return 0;
	r->kinds = calloc(n, sizeof(*r->kinds));
	if (!r->kinds)
		return lm_error_sys(err, "results that were read");
	for (size_t i = 0; i < n && !f->broken; i++) {
		struct lm_fields row = { .object = json_array_get(rows, i) };

		if (take_kind(&row, runs, kinds, &r->kinds[i], err) < 0)
			return -1;
		if (row.broken)
			lm_fields_wrong(f, "in row %zu of its kinds: %.100s", i + 1, row.why);
	}
	r->kind_count = n;
	return 0;
}

/* --- figures that must agree --------------------------------------------------------------- */

/* A flipped bit in one of them is seen in the others. */
static void check_figures(struct lm_fields *f, const struct lm_record *r)
{
	if (r->unknown)
		return;
	/* a step that never began has no rate */
	if (r->real_s > 0 ? !close_to(r->jobs_per_min * r->real_s, (double)r->jobs_done * 60)
			  : r->jobs_per_min > 0)
		lm_fields_wrong(f, "its jobs/min, real and jobs do not agree");
	if (!close_to(r->jobs_per_min_task * r->tasks, r->jobs_per_min) ||
	    !close_to(r->jobs_per_s_task * r->tasks * 60, r->jobs_per_min))
		lm_fields_wrong(f, "its jobs/min, jobs/min/task and jobs/s/task do not agree");
	if (!close_to(r->user_s + r->system_s, r->cpu_s))
		lm_fields_wrong(f, "its cpu, user and system do not agree");
}

static void check_jobs(struct lm_fields *f, const struct lm_run *run, const struct lm_record *r)
{
	uint64_t jobs = 0;

	if (r->jobs_per_task != run->jobs_per_task)
		lm_fields_wrong(f, "it has %u jobs per task, its run has %u", r->jobs_per_task,
				run->jobs_per_task);
	if (r->jobs_done > (uint64_t)r->tasks * r->jobs_per_task ||
	    (r->valid && r->jobs_done < (uint64_t)r->tasks * r->jobs_per_task))
		lm_fields_wrong(f, "its jobs, tasks and jobs per task do not agree");
	for (size_t i = 0; i < r->kind_count; i++) {
		const struct lm_kind_record *k = &r->kinds[i];
		double n = (double)k->jobs;

		jobs += k->jobs;
		if (k->elapsed_s < n * k->min_s * (1 - CLOSE) - 1e-12 ||
		    k->elapsed_s > n * k->max_s * (1 + CLOSE) + 1e-12)
			lm_fields_wrong(f, "the times of %.60s do not agree", k->name);
	}
	if (r->valid && r->kind_count && jobs != r->jobs_done)
		lm_fields_wrong(f, "its jobs are not those of its kinds together");
}

/* --- the record ---------------------------------------------------------------------------- */

static int fill(struct lm_fields *f, const struct lm_step_place *place, struct lm_record *r,
		struct lm_error *err)
{
	const json_t *system = lm_field_object(f, "system", 0);
	size_t left_out = 0;

	take_numbers(f, r);
	if (take_problems(f, r, err) < 0 || take_kinds(f, place->runs, place->kinds, r, err) < 0)
		return -1;
	if (!f->broken && lm_fields_facts(system, "", &r->system, &left_out, err) < 0)
		return -1;
	if (left_out > 0)
		lm_fields_wrong(f, "its field 'system' is too long");
	return 0;
}

int lm_journal_take_step(struct lm_fields *f, long line, const struct lm_step_place *place,
			 struct lm_error *err)
{
	struct lm_run *run = place->run;
	struct lm_record *r = lm_run_step(run, line, err);
	int rc = r ? fill(f, place, r, err) : -1;

	/* other programs print rounded figures */
	if (rc == 0 && !f->broken && strcmp(run->format, "journal") == 0) {
		check_figures(f, r);
		if (!place->single)
			check_jobs(f, run, r);
	}
	if (!r || (rc == 0 && !f->broken))
		return rc;
	lm_record_free(r);
	run->count--;
	return rc;
}
