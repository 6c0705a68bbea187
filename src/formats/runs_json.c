/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs for programs, as one JSON array. */
#include <math.h>

#include "formats/json.h"
#include "formats/writers.h"
#include "model/figures.h"

static json_t *facts_json(const struct lm_facts *facts)
{
	json_t *o = json_object();

	for (size_t i = 0; i < facts->count; i++) {
		const struct lm_fact *f = &facts->items[i];

		json_object_set_new(o, f->key,
				    f->type == LM_FACT_NUMBER ? lm_json_number(f->number)
				    : f->type == LM_FACT_TEXT ? lm_json_text(f->text)
							      : json_null());
	}
	return o;
}

static json_t *problems_json(const struct lm_record *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->problem_count; i++)
		json_array_append_new(a, lm_json_text(r->problems[i]));
	return a;
}

static json_t *kinds_json(const struct lm_record *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->kind_count; i++) {
		const struct lm_kind_record *k = &r->kinds[i];

		json_array_append_new(a, json_pack("{s:o, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
						   "kind", lm_json_text(k->name), "jobs",
						   (json_int_t)k->jobs, "elapsed_s", k->elapsed_s,
						   "user_s", k->user_s, "system_s", k->system_s,
						   "min_s", k->min_s, "median_s", k->median_s,
						   "p99_s", k->p99_s, "max_s", k->max_s));
	}
	return a;
}

static json_t *step_json(const struct lm_record *r)
{
	json_t *o = json_pack(
		"{s:I, s:I, s:I, s:o, s:b, s:o, s:I}", "index", (json_int_t)r->step, "iteration",
		(json_int_t)r->iteration, "tasks", (json_int_t)r->tasks, "jobs_per_task",
		r->jobs_per_task ? json_integer(r->jobs_per_task) : json_null(), "valid", r->valid,
		"ended", r->ended[0] ? lm_json_text(r->ended) : json_null(), "line",
		(json_int_t)r->line);

	for (enum lm_figure f = 0; f < LM_FIGURES; f++)
		json_object_set_new(
			o, lm_figure_info(f)->name,
			lm_json_number(lm_figure_known(r, f) ? lm_figure_value(r, f) : NAN));
	json_object_set_new(o, "problems", problems_json(r));
	json_object_set_new(o, "kinds", kinds_json(r));
	json_object_set_new(o, "system", facts_json(&r->system));
	return o;
}

static json_t *run_json(const struct lm_run *run)
{
	json_t *steps = json_array();

	for (size_t i = 0; i < run->count; i++)
		json_array_append_new(steps, step_json(&run->records[i]));
	return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}",
			 "source", lm_json_text(run->source), "line", (json_int_t)run->line,
			 "format", lm_json_text(run->format), "label", lm_json_text(run->label),
			 "workload", lm_json_text(run->workload), "machine",
			 lm_json_text(run->machine), "version", lm_json_text(run->version),
			 "started", lm_json_text(run->started), "jobs_per_task",
			 run->jobs_per_task ? json_integer(run->jobs_per_task) : json_null(),
			 "complete", run->complete, "plan", facts_json(&run->plan), "environment",
			 facts_json(&run->environment), "steps", steps);
}

static int write_json(const struct lm_runs *runs, FILE *out, struct lm_error *err)
{
	json_t *all = json_array();
	int rc;

	for (size_t i = 0; i < runs->count; i++)
		json_array_append_new(all, run_json(&runs->items[i]));
	rc = all && json_array_size(all) == runs->count
		     ? json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12))
		     : -1;
	json_decref(all);
	fputc('\n', out);
	return rc < 0 && !ferror(out) ? lm_error_set(err, LM_ERR_SYSTEM, "out of memory") : 0;
}

const struct lm_writer lm_writer_json = {
	.name = "json",
	.summary = "one JSON array of runs, with all that was read",
	.write = write_json,
};
