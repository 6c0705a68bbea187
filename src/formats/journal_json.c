/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/journal_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "formats/json.h"
#include "model/figures.h"
#include "model/kinds.h"
#include "model/mix.h"
#include "model/next.h"
#include "model/order.h"

/* The object that a fact "group.name" goes into, made at need. */
static json_t *group(json_t *all, const char *key, const char **name)
{
	const char *dot = strchr(key, '.');
	char text[64];
	json_t *o;

	*name = key;
	if (!dot || (size_t)(dot - key) >= sizeof(text))
		return all;
	snprintf(text, sizeof(text), "%.*s", (int)(dot - key), key);
	o = json_object_get(all, text);
	if (!o) {
		o = json_object();
		json_object_set_new(all, text, o);
	}
	if (!json_is_object(o))
		return all;
	*name = dot + 1;
	return o;
}

static json_t *fact_value(const struct lm_fact *fact)
{
	switch (fact->type) {
	case LM_FACT_NUMBER:
		return json_real(fact->number);
	case LM_FACT_TEXT:
		return lm_json_text(fact->text);
	case LM_FACT_NULL:
		break;
	}
	return json_null();
}

json_t *lm_journal_facts(const struct lm_facts *f, const char *prefix)
{
	json_t *o = json_object();
	size_t length = strlen(prefix);

	for (size_t i = 0; i < f->count; i++) {
		const struct lm_fact *fact = &f->items[i];
		const char *name;
		json_t *into;

		if (strncmp(fact->key, prefix, length) != 0)
			continue;
		into = group(o, fact->key + length, &name);
		json_object_set_new(into, name, fact_value(fact));
	}
	return o;
}

static json_t *texts(const char *const *list, size_t count)
{
	json_t *a = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(a, lm_json_text(list[i]));
	return a;
}

static size_t argv_count(const char *const *argv)
{
	size_t n = 0;

	while (argv && argv[n])
		n++;
	return n;
}

static json_t *ranges(const struct lm_sweep *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->count; i++)
		json_array_append_new(a, json_pack("{s:I, s:I, s:I}", "start",
						   (json_int_t)s->ranges[i].start, "end",
						   (json_int_t)s->ranges[i].end, "increment",
						   (json_int_t)s->ranges[i].step));
	return a;
}

/* Fields of a plan that say which loads come, beside the ranges. */
static json_t *sweep_json(const struct lm_sweep *s)
{
	json_t *most = s->open ? json_integer(s->ranges[0].end) : json_null();
	json_t *floor = s->until == LM_UNTIL_CROSSOVER ? json_real(s->floor) : json_null();
	json_t *tolerance = s->tolerance > 0 ? json_real(s->tolerance) : json_null();

	return json_pack("{s:s, s:s, s:o, s:o, s:b, s:b, s:o, s:o, s:I}", "policy", s->policy,
			 "until", lm_until_name(s->until), "floor", floor, "tolerance", tolerance,
			 "reaim", s->reaim, "newton", s->newton, "max_tasks", most, "guard",
			 lm_json_text(s->guard), "iterations",
			 (json_int_t)(s->iterations ? s->iterations : 1));
}

static json_t *plan_json(const struct lm_plan *p)
{
	json_t *o = json_pack(
		"{s:s, s:f, s:o, s:o, s:o, s:o, s:I, s:s, s:I, s:I, s:I, s:o, s:o, s:f, s:b, s:b, "
		"s:o, s:o}",
		"semantics", lm_semantics_name(p->semantics), "period_s", p->period_s, "skipped",
		texts(p->skipped, p->skipped_count), "workload", lm_json_text(p->mix->name),
		"workfile", lm_json_text(p->mix->path), "sweep", ranges(&p->sweep), "jobs",
		(json_int_t)p->jobs, "order", lm_order_name(p->order), "seed", (json_int_t)p->seed,
		"filesize_kib", (json_int_t)p->mix->filesize_kib, "poolsize_kib",
		(json_int_t)p->mix->poolsize_kib, "dirs", texts(p->dirs, p->dir_count), "cpus",
		lm_json_text(p->cpu_list), "step_timeout_s", p->step_timeout_s, "sync", p->sync,
		"start_delay", p->start_delay, "command", texts(p->argv, argv_count(p->argv)),
		"cwd", lm_json_text(p->cwd));
	json_t *rest = sweep_json(&p->sweep);

	json_object_update(o, rest);
	json_decref(rest);
	return o;
}

static json_t *entry_json(const struct lm_mix *mix, const struct lm_mix_entry *entry)
{
	const char *command = lm_mix_command(mix, entry->job);
	json_t *o =
		json_pack("{s:s, s:s, s:I, s:I}", "kind", entry->job->name, "label", entry->label,
			  "weight", (json_int_t)entry->weight, "jobs", (json_int_t)entry->jobs);

	if (command)
		json_object_set_new(o, "command", lm_json_text(command));
	if (entry->file) {
		json_object_set_new(o, "file", lm_json_text(entry->file));
		json_object_set_new(o, "digest",
				    lm_json_text(entry->digest[0] ? entry->digest : NULL));
	}
	return o;
}

static json_t *mix_json(const struct lm_mix *mix)
{
	json_t *a = json_array();

	for (size_t i = 0; i < mix->count; i++)
		json_array_append_new(a, entry_json(mix, &mix->entries[i]));
	return a;
}

static json_t *kinds_json(const struct lm_record *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->kind_count; i++) {
		const struct lm_kind_record *k = &r->kinds[i];

		json_array_append_new(
			a,
			json_pack("{s:s, s:s, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "kind",
				  k->name, "unit", k->unit, "operations", k->operations, "jobs",
				  (json_int_t)k->jobs, "elapsed_s", k->elapsed_s, "user_s",
				  k->user_s, "system_s", k->system_s, "min_s", k->min_s, "median_s",
				  k->median_s, "p99_s", k->p99_s, "max_s", k->max_s));
	}
	return a;
}

static json_t *problems_json(const struct lm_record *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->problem_count; i++)
		json_array_append_new(a, lm_json_text(r->problems[i]));
	return a;
}

/* Set a number that is null when it is not told. */
static void set(json_t *o, const char *name, bool told, double value)
{
	json_object_set_new(o, name, told ? json_real(value) : json_null());
}

static void set_count(json_t *o, const char *name, bool told, uint64_t value)
{
	json_object_set_new(o, name, told ? json_integer((json_int_t)value) : json_null());
}

static void set_figures(json_t *o, const struct lm_record *r)
{
	for (enum lm_figure f = 0; f < LM_FIGURES; f++) {
		const char *name = lm_figure_info(f)->name;

		if (f == LM_FIG_JTI)
			set_count(o, name, lm_figure_known(r, f), (uint64_t)r->jti);
		else
			set(o, name, lm_figure_known(r, f), lm_figure_value(r, f));
	}
}

json_t *lm_journal_step_line(const struct lm_record *r, bool foreign)
{
	json_t *o = json_pack("{s:s, s:I, s:I, s:o, s:I, s:b}", "type", "step", "index",
			      (json_int_t)r->step, "iteration", (json_int_t)r->iteration, "ended",
			      lm_json_text(r->ended[0] ? r->ended : NULL), "tasks",
			      (json_int_t)r->tasks, "valid", r->valid);
	json_t *rest =
		json_pack("{s:I, s:o, s:o, s:o}", "problem_total", (json_int_t)r->problem_total,
			  "problems", problems_json(r), "kinds", kinds_json(r), "system",
			  lm_journal_facts(&r->system, ""));

	set_count(o, "jobs_per_task", !foreign || r->jobs_per_task, r->jobs_per_task);
	set_count(o, "jobs_done", !foreign || r->jobs_done, r->jobs_done);
	set_count(o, "file_kib", !foreign || r->file_kib, r->file_kib);
	set(o, "deadline_s", !foreign || r->deadline_s > 0, r->deadline_s);
	set_figures(o, r);
	set(o, "files_s", !foreign || r->files_s > 0, r->files_s);
	set(o, "ready_s", !foreign || r->ready_s > 0, r->ready_s);
	set(o, "outside_s", !foreign || r->outside_s > 0, r->outside_s);
	json_object_update(o, rest);
	json_decref(rest);
	return o;
}

json_t *lm_journal_run_line(const struct lm_plan *plan, const struct lm_facts *environment)
{
	char now[32];

	lm_now_text(now, sizeof(now));
	return json_pack("{s:s, s:i, s:o, s:s, s:o, s:s, s:I, s:o, s:o, s:o}", "type", "run",
			 "schema", LM_JOURNAL_SCHEMA, "warnings",
			 texts(plan->warnings, plan->warning_count), "loadmix", LM_VERSION, "label",
			 lm_json_text(plan->label), "started", now, "jobs_per_task",
			 (json_int_t)plan->mix->jobs_per_task, "plan", plan_json(plan), "mix",
			 mix_json(plan->mix), "environment", lm_journal_facts(environment, ""));
}

static json_t *told(const char *text)
{
	return lm_json_text(*text ? text : NULL);
}

json_t *lm_journal_foreign_line(const struct lm_run *run)
{
	return json_pack("{s:s, s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:n, s:n, s:o}",
			 "type", "run", "schema", LM_JOURNAL_SCHEMA, "loadmix", LM_VERSION,
			 "format", run->format, "label", lm_json_text(run->label), "workload",
			 told(run->workload), "machine", told(run->machine), "version",
			 told(run->version), "started", told(run->started), "jobs_per_task",
			 run->jobs_per_task ? json_integer(run->jobs_per_task) : json_null(),
			 "plan", "mix", "environment", lm_journal_facts(&run->environment, ""));
}

static json_t *sweeps_json(const struct lm_summary *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->sweep_count; i++) {
		const struct lm_figures *f = &s->sweeps[i];

		json_array_append_new(
			a,
			json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "iteration",
				  (json_int_t)f->iteration, "loads", (json_int_t)f->loads,
				  "peak_jobs_per_min",
				  f->peak_tasks ? json_real(f->peak_jobs_per_min) : json_null(),
				  "peak_tasks",
				  f->peak_tasks ? json_integer(f->peak_tasks) : json_null(),
				  "most_tasks",
				  f->loads ? json_integer(f->most_tasks) : json_null(), "min_jti",
				  f->has_min_jti ? json_integer(f->min_jti) : json_null(),
				  "crossover",
				  f->has_crossover ? json_real(f->crossover) : json_null(),
				  "sustained",
				  f->has_sustained ? json_real(f->sustained) : json_null(), "ended",
				  f->ended.text[0] ? lm_json_text(f->ended.text) : json_null()));
	}
	return a;
}

json_t *lm_journal_end_line(const struct lm_summary *s, const char *ended)
{
	return json_pack("{s:s, s:o, s:I, s:I, s:f, s:I, s:b, s:o, s:o}", "type", "end", "ended",
			 told(ended), "steps", (json_int_t)s->steps, "invalid",
			 (json_int_t)s->invalid, "peak_jobs_per_min", s->peak_jobs_per_min,
			 "peak_tasks", (json_int_t)s->peak_tasks, "complete", !s->stopped,
			 "stopped", lm_json_text(s->stopped), "sweeps", sweeps_json(s));
}

char *lm_journal_dump(json_t *line, size_t *length)
{
	char *s = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;

	json_decref(line);
	if (!s)
		return NULL;
	*length = strlen(s) + 1;
	s[*length - 1] = '\n'; /* over the NUL: one write is one line */
	return s;
}
