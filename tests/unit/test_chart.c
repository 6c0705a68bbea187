/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/chart.h"
#include "model/figures.h"
#include "model/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two sets of a run each. */
struct pair {
	struct lm_runs runs;
	const struct lm_run *list[2];
	struct lm_set sets[2];
};

static void make_pair(struct pair *p)
{
	*p = (struct pair){ 0 };
	lm_runs_add(&p->runs, "a", 1, "journal", NULL);
	lm_runs_add(&p->runs, "b", 1, "journal", NULL);
	for (size_t i = 0; i < 2; i++) {
		p->list[i] = &p->runs.items[i];
		p->sets[i] = (struct lm_set){ .label = i ? "new" : "base",
					      .runs = &p->list[i],
					      .count = 1 };
	}
}

static struct lm_record *step(struct pair *p, size_t run, unsigned tasks, bool valid,
			      double per_min)
{
	struct lm_record *r = lm_run_step(&p->runs.items[run], 1, NULL);

	r->tasks = tasks;
	r->valid = valid;
	lm_figure_set(r, LM_FIG_JOBS_PER_MIN, per_min);
	return r;
}

/* Repeats are pooled whatever their order; INVALID ones are counted and have no figure. */
static void test_points(void **state)
{
	struct pair p;
	struct lm_chart chart;
	const struct lm_chart_line *line;

	(void)state;
	make_pair(&p);
	step(&p, 0, 8, true, 200);
	step(&p, 0, 2, true, 90);
	step(&p, 0, 2, true, 110);
	step(&p, 0, 2, false, 5000);
	step(&p, 0, 8, false, 5000);
	step(&p, 0, 16, false, 5000);
	assert_int_equal(lm_chart_make(p.sets, 2, "", LM_FIG_JOBS_PER_MIN, &chart, NULL), 0);
	assert_int_equal(chart.line_count, 1); /* the other set has no step */
	line = &chart.lines[0];
	assert_string_equal(line->label, "base");
	assert_int_equal(line->count, 3);
	assert_int_equal(line->points[0].tasks, 2);
	assert_int_equal(line->points[0].y.n, 2);
	assert_true(line->points[0].y.mean == 100);
	assert_true(line->points[0].y.min == 90 && line->points[0].y.max == 110);
	assert_int_equal(line->points[0].invalid, 1);
	assert_int_equal(line->points[1].y.n, 1);
	assert_int_equal(line->points[2].tasks, 16);
	assert_int_equal(line->points[2].y.n, 0);
	assert_int_equal(chart.valid_points, 2);
	assert_int_equal(chart.invalid_steps, 3);
	assert_null(lm_chart_find(line, 4));
	assert_ptr_equal(lm_chart_find(line, 8), &line->points[1]);
	lm_chart_free(&chart);
	lm_runs_free(&p.runs);
}

/* The crossover is where jobs/min is the number of tasks: 100 of 50 tasks is above, 90 of 100
 * below; 100 of 50 and 120 of 60 alone are not. */
static void test_crossover(void **state)
{
	const double at_100[] = { 120, 90 };
	const bool crosses[] = { false, true };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct pair p;
		struct lm_chart chart;

		make_pair(&p);
		step(&p, 0, 50, true, 100);
		step(&p, 1, 100, true, at_100[i]);
		lm_chart_make(p.sets, 2, "", LM_FIG_JOBS_PER_MIN, &chart, NULL);
		assert_int_equal(chart.crossover, crosses[i]);
		assert_int_equal(chart.lines[1].set, 1);
		lm_chart_free(&chart);
		lm_chart_make(p.sets, 2, "", LM_FIG_REAL, &chart, NULL);
		assert_int_equal(chart.line_count, 0); /* nobody tells it */
		assert_false(chart.crossover);
		lm_chart_free(&chart);
		lm_runs_free(&p.runs);
	}
}

static void test_loads(void **state)
{
	struct pair p;
	struct lm_chart chart;
	unsigned *loads;
	size_t n;

	(void)state;
	make_pair(&p);
	step(&p, 0, 4, true, 1);
	step(&p, 0, 1, true, 1);
	step(&p, 1, 4, true, 1);
	step(&p, 1, 3, true, 1);
	lm_chart_make(p.sets, 2, "", LM_FIG_JOBS_PER_MIN, &chart, NULL);
	loads = lm_chart_loads(&chart, &n);
	assert_int_equal(n, 3);
	assert_int_equal(loads[0], 1);
	assert_int_equal(loads[1], 3);
	assert_int_equal(loads[2], 4);
	free(loads);
	lm_chart_free(&chart);
	lm_runs_free(&p.runs);
}

/* A run that names no workload is of the only one there is; one of single mode is of none. */
static void test_workloads(void **state)
{
	struct pair p;
	struct lm_chart chart;
	const char **names;
	size_t n;

	(void)state;
	make_pair(&p);
	lm_run_text(&p.runs.items[0].workload, "fserver", NULL);
	step(&p, 0, 4, true, 1);
	step(&p, 1, 4, true, 2);
	assert_int_equal(lm_chart_workloads(p.sets, 2, &names, &n, NULL), 0);
	assert_int_equal(n, 1);
	assert_string_equal(names[0], "fserver");
	lm_chart_make(p.sets, 2, names[0], LM_FIG_JOBS_PER_MIN, &chart, NULL);
	assert_int_equal(chart.line_count, 2);
	lm_chart_free(&chart);
	free(names);
	lm_run_text(&p.runs.items[1].workload, "dbase", NULL);
	lm_chart_workloads(p.sets, 2, &names, &n, NULL);
	assert_int_equal(n, 2);
	assert_string_equal(names[1], "dbase");
	free(names);
	lm_facts_number(&p.runs.items[1].plan, "period_s", 5);
	lm_chart_workloads(p.sets, 2, &names, &n, NULL);
	assert_int_equal(n, 1);
	free(names);
	lm_runs_free(&p.runs);
}

static void kind(struct lm_record *r, const char *name, double elapsed)
{
	r->kinds = reallocarray(r->kinds, r->kind_count + 1, sizeof(*r->kinds));
	r->kinds[r->kind_count++] = (struct lm_kind_record){ .name = name, .elapsed_s = elapsed };
}

/* Seconds of a task: 8 s of two tasks are 4 s of one, 12 s are 6 s, and 5 s their mean. */
static void test_kinds(void **state)
{
	struct pair p;
	struct lm_kind_chart chart;
	struct lm_study study = { 0 };
	struct lm_record *r;

	(void)state;
	make_pair(&p);
	r = step(&p, 0, 2, true, 1);
	kind(r, "short", 2);
	kind(r, "long", 8);
	r = step(&p, 0, 2, true, 1);
	kind(r, "short", 4);
	kind(r, "long", 12);
	kind(step(&p, 0, 2, false, 1), "long", 1e6);
	kind(step(&p, 1, 2, true, 1), "other", 6);
	step(&p, 1, 64, true, 1); /* tells no kinds */
	study.sets = p.sets;
	study.set_count = 1;
	assert_int_equal(lm_kind_chart_load(&study, ""), 2);
	assert_int_equal(lm_kind_chart_make(p.sets, 2, "", 2, &chart, NULL), 0);
	assert_int_equal(chart.kind_count, 3);
	assert_string_equal(chart.kinds[0], "long");
	assert_string_equal(chart.kinds[1], "other");
	assert_string_equal(chart.kinds[2], "short");
	assert_int_equal(chart.bar_count, 2);
	assert_int_equal(chart.bars[0].n, 2);
	assert_true(fabs(chart.bars[0].seconds[0] - 5) < 1e-12);
	assert_true(chart.bars[0].seconds[1] == 0);
	assert_true(fabs(chart.bars[0].seconds[2] - 1.5) < 1e-12);
	assert_true(fabs(chart.bars[0].total - 6.5) < 1e-12);
	assert_true(fabs(chart.bars[1].seconds[1] - 3) < 1e-12);
	lm_kind_chart_free(&chart);
	lm_runs_free(&p.runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_points), cmocka_unit_test(test_crossover),
		cmocka_unit_test(test_loads),  cmocka_unit_test(test_workloads),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
