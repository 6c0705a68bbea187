/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison for programs. */
#include <math.h>

#include "formats/json.h"
#include "formats/studies.h"
#include "model/figures.h"

static json_t *stat_json(const struct lm_stat *s)
{
	return json_pack("{s:I, s:f, s:f, s:f, s:o}", "n", (json_int_t)s->n, "mean", s->mean, "min",
			 s->min, "max", s->max, "stddev",
			 lm_json_number(s->n > 1 ? s->stddev : NAN));
}

static json_t *change_json(const struct lm_change *c)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "base",
			 stat_json(&c->base), "new", stat_json(&c->now), "change_percent",
			 lm_json_number(c->percent), "low_percent", lm_json_number(c->low),
			 "high_percent", lm_json_number(c->high), "p", lm_json_number(c->p),
			 "visible_percent", lm_json_number(c->mde), "significant", c->significant,
			 "worse", c->worse);
}

static json_t *figures_json(const struct lm_study *study, const struct lm_cell *cell)
{
	json_t *o = json_object();

	for (size_t i = 0; i < study->figure_count; i++)
		if (lm_cell_knows(cell, study->figures[i]))
			json_object_set_new(o, lm_figure_info(study->figures[i])->name,
					    change_json(&cell->figures[study->figures[i]]));
	return o;
}

static json_t *blame_row_json(const struct lm_blame_row *r)
{
	return json_pack("{s:o, s:f, s:f, s:f, s:o, s:f, s:f, s:f, s:o, s:o, s:o, s:o}", "kind",
			 lm_json_text(r->kind), "base_s", r->base_s, "new_s", r->now_s, "change_s",
			 r->change_s, "share_percent", lm_json_number(r->share), "user_s",
			 r->user_s, "system_s", r->system_s, "wait_s", r->wait_s, "base_median_s",
			 lm_json_number(r->base_median_s), "new_median_s",
			 lm_json_number(r->now_median_s), "base_p99_s",
			 lm_json_number(r->base_p99_s), "new_p99_s", lm_json_number(r->now_p99_s));
}

static json_t *blame_json(const struct lm_study *study, const struct lm_cell *cell)
{
	const struct lm_blame *b = &cell->blame;
	json_t *rows;

	if (!lm_study_blames(study, cell))
		return json_null();
	rows = json_array();
	for (size_t i = 0; i < b->count; i++)
		json_array_append_new(rows, blame_row_json(&b->rows[i]));
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "base_s", b->base_s, "new_s",
			 b->now_s, "change_s", b->change_s, "user_s", b->user_s, "system_s",
			 b->system_s, "wait_s", b->wait_s, "kinds", rows);
}

static json_t *loads_json(const struct lm_loads *loads)
{
	json_t *a = json_array();

	for (size_t i = 0; i < loads->count; i++)
		json_array_append_new(a, json_integer(loads->tasks[i]));
	return a;
}

static json_t *cells_json(const struct lm_study *study, const struct lm_comparison *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->count; i++) {
		const struct lm_cell *cell = &c->cells[i];

		json_array_append_new(
			a, json_pack("{s:I, s:I, s:I, s:o, s:o}", "tasks", (json_int_t)cell->tasks,
				     "base_invalid", (json_int_t)cell->base_invalid, "new_invalid",
				     (json_int_t)cell->now_invalid, "figures",
				     figures_json(study, cell), "blame", blame_json(study, cell)));
	}
	return a;
}

static json_t *differences_json(const struct lm_differences *d)
{
	json_t *a = json_array();

	for (size_t i = 0; i < d->count; i++)
		json_array_append_new(a, json_pack("{s:o, s:o, s:o, s:b}", "key",
						   lm_json_text(d->items[i].key), "base",
						   lm_json_text(d->items[i].base), "new",
						   lm_json_text(d->items[i].now), "expected",
						   d->items[i].expected));
	return a;
}

static json_t *doubts_json(const struct lm_doubts *doubts)
{
	json_t *a = json_array();

	for (size_t i = 0; i < doubts->count; i++)
		json_array_append_new(a, lm_json_text(doubts->texts[i]));
	return a;
}

static json_t *jobs_json(const struct lm_jobs *j)
{
	return json_pack("{s:I, s:I, s:b}", "least", (json_int_t)j->least, "most",
			 (json_int_t)j->most, "told", j->told);
}

/* The number that all of a side have; 0 when there is none. */
static json_int_t jobs_number(const struct lm_jobs *j)
{
	return j->told && j->least == j->most ? (json_int_t)j->least : 0;
}

static json_t *work_json(const struct lm_comparison *c)
{
	return json_pack("{s:I, s:I, s:o, s:o, s:b}", "base_jobs_per_task",
			 jobs_number(&c->base_jobs), "new_jobs_per_task", jobs_number(&c->now_jobs),
			 "base_jobs", jobs_json(&c->base_jobs), "new_jobs", jobs_json(&c->now_jobs),
			 "jobs_differ", c->jobs_differ);
}

static json_t *comparison_json(const struct lm_study *study, const struct lm_contrast *contrast,
			       size_t i)
{
	const struct lm_comparison *c = &contrast->comparisons.items[i];
	json_t *o =
		json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "workload",
			  lm_json_text(c->workload), "kind", lm_json_text(c->kind), "base",
			  lm_json_text(c->base->label), "new", lm_json_text(c->now->label), "loads",
			  cells_json(study, c), "base_only_tasks", loads_json(&c->base_only),
			  "new_only_tasks", loads_json(&c->now_only), "base_invalid_tasks",
			  loads_json(&c->base_invalid), "new_invalid_tasks",
			  loads_json(&c->now_invalid), "doubts", doubts_json(&contrast->doubts[i]),
			  "differences", differences_json(&contrast->differences));
	json_t *work = work_json(c);

	json_object_update(o, work);
	json_decref(work);
	return o;
}

static void add_contrast(const struct lm_study *study, const struct lm_contrast *contrast,
			 json_t *comparisons)
{
	for (size_t k = 0; k < contrast->comparisons.count; k++)
		json_array_append_new(comparisons, comparison_json(study, contrast, k));
}

static void add_left_out(const struct lm_contrast *contrast, json_t *all)
{
	json_t *texts = doubts_json(&contrast->left_out);

	json_array_extend(all, texts);
	json_decref(texts);
}

static int write_json(const struct lm_study *study, FILE *out)
{
	json_t *comparisons = json_array(), *left_out = json_array(), *all;
	char verdict[1024];
	int rc;

	for (size_t i = 0; i + 1 < study->set_count; i++) {
		add_contrast(study, &study->contrasts[i], comparisons);
		add_left_out(&study->contrasts[i], left_out);
	}
	lm_study_verdict(study, verdict, sizeof(verdict));
	all = json_pack("{s:o, s:o, s:o, s:o}", "verdict", lm_json_text(verdict), "command",
			lm_json_text(study->command), "comparisons", comparisons, "left_out",
			left_out);
	rc = all ? json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) : -1;
	json_decref(all);
	fputc('\n', out);
	return rc;
}

const struct lm_study_format lm_study_json = {
	.name = "json",
	.summary = "everything, as one JSON object",
	.write = write_json,
};
