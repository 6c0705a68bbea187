/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/compare.h"
#include "model/delay.h"
#include "model/figures.h"
#include "model/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void near(double found, double expected, double tolerance)
{
	if (!(fabs(found - expected) <= tolerance))
		fail_msg("found %.10g, expected %.10g", found, expected);
}

/* --- runs to compare
 * ------------------------------------------------------------------------------ */

static struct lm_run *add_run(struct lm_runs *runs, const char *workload)
{
	struct lm_run *run = lm_runs_add(runs, "test", 1, "journal", NULL);

	assert_non_null(run);
	assert_int_equal(lm_run_text(&run->workload, workload, NULL), 0);
	return run;
}

/* A step that tells jobs/min and real. */
static struct lm_record *add_step(struct lm_run *run, unsigned tasks, double jobs_per_min,
				  double real)
{
	struct lm_record *r = lm_run_step(run, 1, NULL);

	assert_non_null(r);
	r->tasks = tasks;
	lm_figure_set(r, LM_FIG_JOBS_PER_MIN, jobs_per_min);
	lm_figure_set(r, LM_FIG_REAL, real);
	return r;
}

#define MOST_RUNS 8

struct side {
	struct lm_runs runs;
	const struct lm_run *list[MOST_RUNS];
	struct lm_set set;
};

static const struct lm_set *set_of(struct side *s, const char *label)
{
	assert_true(s->runs.count <= MOST_RUNS);
	for (size_t i = 0; i < s->runs.count; i++)
		s->list[i] = &s->runs.items[i];
	s->set = (struct lm_set){ label, s->list, s->runs.count };
	return &s->set;
}

struct pair {
	struct side base, now;
	struct lm_comparisons result;
	struct lm_error err;
};

static int compare(struct pair *p)
{
	lm_comparisons_free(&p->result);
	p->err = (struct lm_error){ 0 };
	return lm_compare(set_of(&p->base, "old"), set_of(&p->now, "new"), &p->result, &p->err);
}

static void free_pair(struct pair *p)
{
	lm_comparisons_free(&p->result);
	lm_runs_free(&p->base.runs);
	lm_runs_free(&p->now.runs);
}

/* --- which steps stand against each other
 * ----------------------------------------------------------- */

/* Posted to the kernel list in 2003 for 2.5.69 and 2.5.70: single runs. */
static void test_posted_figures(void **state)
{
	struct pair p = { 0 };
	struct lm_run *run = add_run(&p.base.runs, "fserver");
	struct lm_comparison *c;

	(void)state;
	add_step(run, 32, 234.3, 827.6);
	add_step(run, 4, 120.9, 200.5);
	add_step(add_run(&p.base.runs, "dbase"), 256, 769.9, 1975.2);
	add_step(add_run(&p.now.runs, "dbase"), 256, 1042.7, 1458.4);
	run = add_run(&p.now.runs, "fserver");
	add_step(run, 4, 79.0, 306.9);
	add_step(run, 32, 239.7, 809.1);
	assert_int_equal(compare(&p), 0);

	assert_int_equal(p.result.count, 2);
	c = p.result.items;
	assert_string_equal(c[0].workload, "fserver");
	assert_string_equal(c[1].workload, "dbase");
	assert_int_equal(c[0].count, 2);
	assert_int_equal(c[0].cells[0].tasks, 4);
	near(c[0].cells[0].figures[LM_FIG_JOBS_PER_MIN].percent, -34.7, 0.05);
	near(c[0].cells[0].figures[LM_FIG_REAL].percent, 53.1, 0.05);
	assert_true(c[0].cells[0].figures[LM_FIG_JOBS_PER_MIN].worse);
	assert_true(c[0].cells[0].figures[LM_FIG_REAL].worse);
	near(c[0].cells[1].figures[LM_FIG_JOBS_PER_MIN].percent, 2.3, 0.05);
	near(c[1].cells[0].figures[LM_FIG_JOBS_PER_MIN].percent, 35.4, 0.05);
	assert_false(c[1].cells[0].figures[LM_FIG_JOBS_PER_MIN].worse);
	for (size_t i = 0; i < 2; i++) {
		struct lm_cell *cell = &c[i].cells[0];

		assert_int_equal(cell->known, 1 << LM_FIG_JOBS_PER_MIN | 1 << LM_FIG_REAL);
		assert_false(cell->figures[LM_FIG_JOBS_PER_MIN].significant);
		assert_true(isnan(cell->figures[LM_FIG_JOBS_PER_MIN].p));
		assert_true(isnan(cell->figures[LM_FIG_CPU].percent));
		assert_int_equal(cell->blame.count, 0);
	}
	free_pair(&p);
}

/* Repeats are valid steps of the same load, over runs and iterations. */
static void test_repeats_are_pooled(void **state)
{
	struct pair p = { 0 };
	struct lm_run *run = add_run(&p.base.runs, "mix");
	struct lm_cell *cell;

	(void)state;
	add_step(run, 4, 100, 10);
	add_step(run, 4, 104, 10);
	add_step(run, 4, 9999, 10)->valid = false;
	add_step(add_run(&p.base.runs, "mix"), 4, 96, 10);
	run = add_run(&p.now.runs, "mix");
	add_step(run, 4, 50, 10);
	add_step(run, 4, 52, 10)->unknown |= 1 << LM_FIG_REAL;
	assert_int_equal(compare(&p), 0);
	assert_int_equal(p.result.count, 1);
	assert_int_equal(p.result.items[0].count, 1);
	cell = &p.result.items[0].cells[0];
	assert_int_equal(cell->base_invalid, 1);
	assert_int_equal(cell->now_invalid, 0);
	assert_int_equal(cell->figures[LM_FIG_JOBS_PER_MIN].base.n, 3);
	near(cell->figures[LM_FIG_JOBS_PER_MIN].base.mean, 100, 1e-12);
	assert_int_equal(cell->figures[LM_FIG_JOBS_PER_MIN].now.n, 2);
	near(cell->figures[LM_FIG_JOBS_PER_MIN].percent, -49, 1e-9);
	assert_true(cell->figures[LM_FIG_JOBS_PER_MIN].significant);
	/* one step does not tell it */
	assert_int_equal(cell->known, 1 << LM_FIG_JOBS_PER_MIN);
	assert_int_equal(cell->figures[LM_FIG_REAL].base.n, 0);
	free_pair(&p);
}

static void test_nothing_is_dropped(void **state)
{
	struct pair p = { 0 };
	struct lm_run *base = add_run(&p.base.runs, "mix"), *now = add_run(&p.now.runs, "mix");
	struct lm_comparison *c;

	(void)state;
	for (unsigned tasks = 6; tasks >= 1; tasks--)
		add_step(base, tasks, 100, 1)->valid = tasks != 2 && tasks != 3;
	for (unsigned tasks = 2; tasks <= 8; tasks++)
		add_step(now, tasks, 100, 1)->valid = tasks != 2 && tasks != 6;
	add_step(add_run(&p.base.runs, "old one"), 4, 1, 1);
	add_step(add_run(&p.now.runs, ""), 4, 1, 1);
	assert_int_equal(compare(&p), 0);
	assert_int_equal(p.result.count, 1);
	c = &p.result.items[0];
	assert_int_equal(c->count, 2);
	assert_int_equal(c->cells[0].tasks, 4);
	assert_int_equal(c->cells[1].tasks, 5);
	assert_int_equal(c->base_only.count, 2);
	assert_int_equal(c->base_only.tasks[0], 1);
	assert_int_equal(c->base_only.tasks[1], 6);
	assert_int_equal(c->now_only.count, 3);
	assert_int_equal(c->now_only.tasks[0], 3);
	assert_int_equal(c->now_only.tasks[2], 8);
	assert_int_equal(c->base_invalid.count, 2);
	assert_int_equal(c->base_invalid.tasks[0], 2);
	assert_int_equal(c->base_invalid.tasks[1], 3);
	assert_int_equal(c->now_invalid.count, 2);
	assert_int_equal(c->now_invalid.tasks[1], 6);
	assert_int_equal(p.result.base_only.count, 1);
	assert_string_equal(p.result.base_only.names[0], "old one");
	assert_int_equal(p.result.now_only.count, 1);
	assert_string_equal(p.result.now_only.names[0], "");
	free_pair(&p);
}

/* Posted figures do not tell their workload. */
static void test_unnamed_workload(void **state)
{
	struct pair p = { 0 };

	(void)state;
	add_step(add_run(&p.base.runs, ""), 4, 100, 1);
	add_step(add_run(&p.now.runs, ""), 4, 101, 1);
	assert_int_equal(compare(&p), 0);
	assert_string_equal(p.result.items[0].workload, "");
	/* one name: it is taken to be that */
	add_step(add_run(&p.base.runs, ""), 4, 100, 1);
	assert_int_equal(lm_run_text(&p.now.runs.items[0].workload, "mix", NULL), 0);
	assert_int_equal(compare(&p), 0);
	assert_string_equal(p.result.items[0].workload, "mix");
	assert_int_equal(p.result.items[0].cells[0].figures[LM_FIG_REAL].base.n, 2);
	/* two names: nobody knows which */
	add_step(add_run(&p.now.runs, "other"), 4, 1, 1);
	assert_int_equal(compare(&p), -1);
	free_pair(&p);
}

static void expect_jobs(const struct lm_jobs *jobs, const char *text, bool told)
{
	char buf[64];

	assert_string_equal(lm_jobs_text(jobs, buf, sizeof(buf)), text);
	assert_int_equal(jobs->told, told);
}

static void test_jobs_per_task(void **state)
{
	struct pair p = { 0 };
	const struct lm_comparison *c;

	(void)state;
	add_step(add_run(&p.base.runs, "mix"), 4, 1, 1)->jobs_per_task = 101;
	add_step(add_run(&p.now.runs, "mix"), 4, 1, 1);
	assert_int_equal(compare(&p), 0);
	c = p.result.items;
	expect_jobs(&c->base_jobs, "101", true);
	expect_jobs(&c->now_jobs, "an unknown number of", false);
	assert_false(c->jobs_differ);
	p.now.runs.items[0].jobs_per_task = 99;
	assert_int_equal(compare(&p), 0);
	expect_jobs(&p.result.items->now_jobs, "99", true);
	assert_true(p.result.items->jobs_differ);
	p.now.runs.items[0].jobs_per_task = 101;
	assert_int_equal(compare(&p), 0);
	assert_false(p.result.items->jobs_differ);
	/* a side that mixes says so */
	add_step(&p.now.runs.items[0], 4, 1, 1)->jobs_per_task = 50;
	assert_int_equal(compare(&p), 0);
	assert_true(p.result.items->jobs_differ);
	expect_jobs(&p.result.items->base_jobs, "101", true);
	expect_jobs(&p.result.items->now_jobs, "50 to 101", true);
	free_pair(&p);
}

/* What was worked out differs only when there is no number that all may have. */
static void test_bounds_on_jobs(void **state)
{
	struct pair p = { 0 };
	struct lm_run *base = add_run(&p.base.runs, "mix"), *now = add_run(&p.now.runs, "mix");

	(void)state;
	add_step(base, 4, 1, 1);
	add_step(now, 4, 1, 1);
	base->jobs_least = 95.9;
	base->jobs_most = 100.2;
	now->jobs_least = 99.5;
	now->jobs_most = 103.1;
	assert_int_equal(compare(&p), 0);
	assert_false(p.result.items->jobs_differ);
	expect_jobs(&p.result.items->base_jobs, "96 to 100", false);
	now->jobs_least = 100.5;
	assert_int_equal(compare(&p), 0);
	assert_true(p.result.items->jobs_differ);
	expect_jobs(&p.result.items->now_jobs, "101 to 103", false);
	now->jobs_per_task = 98; /* told */
	assert_int_equal(compare(&p), 0);
	assert_false(p.result.items->jobs_differ);
	now->jobs_per_task = 101;
	assert_int_equal(compare(&p), 0);
	assert_true(p.result.items->jobs_differ);
	free_pair(&p);
}

/* 174.7 three times against 174.6 three times, as tables have them: of jobs/min, of jobs/min/task,
 * and with AIM7's delay taken out of both. */
static void test_one_grain_stays_one(void **state)
{
	struct pair p = { 0 };

	(void)state;
	for (int i = 0; i < 6; i++) {
		struct lm_runs *runs = i < 3 ? &p.base.runs : &p.now.runs;
		struct lm_run *run = add_run(runs, "mix");

		lm_run_text(&run->format, "suite7", NULL);
		add_step(run, 7, i < 3 ? 174.7 : 174.6, 242.9);
		add_step(run, 8, 180.3, 269.1);
		lm_run_derive(run);
	}
	for (int delay = 0; delay < 2; delay++) {
		const struct lm_cell *cell;

		assert_int_equal(compare(&p), 0);
		cell = &p.result.items[0].cells[0];
		for (enum lm_figure f = 0; f < LM_FIGURES; f++) {
			assert_false(cell->figures[f].significant);
			assert_false(cell->figures[f].p < 0.05);
		}
		assert_true(cell->figures[LM_FIG_JOBS_PER_MIN].percent < -0.05);
		assert_true(cell->known & 1u << LM_FIG_JOBS_PER_MIN_TASK);
		for (size_t i = 0; i < 3; i++) {
			lm_run_take_delay(&p.base.runs.items[i]);
			lm_run_take_delay(&p.now.runs.items[i]);
		}
	}
	free_pair(&p);
}

static void test_name(void **state)
{
	struct lm_comparison c = { .workload = "fserver" };
	char buf[64];

	(void)state;
	assert_string_equal(lm_comparison_name(&c, buf, sizeof(buf)), "fserver");
	c.kind = "disk_rr";
	assert_string_equal(lm_comparison_name(&c, buf, sizeof(buf)), "fserver, disk_rr");
	c.workload = "";
	assert_string_equal(lm_comparison_name(&c, buf, sizeof(buf)), "disk_rr");
	c.kind = NULL;
	assert_string_equal(lm_comparison_name(&c, buf, sizeof(buf)), "");
}

static void test_nothing_in_common(void **state)
{
	struct pair p = { 0 };

	(void)state;
	assert_int_equal(compare(&p), -1);
	assert_non_null(strstr(p.err.text, "no step"));
	add_step(add_run(&p.base.runs, "fserver"), 4, 1, 1);
	add_step(add_run(&p.now.runs, "dbase"), 4, 1, 1);
	assert_int_equal(compare(&p), -1);
	assert_int_equal(p.err.code, LM_ERR_INPUT);
	assert_non_null(strstr(p.err.text, "has fserver, the other has dbase"));
	add_step(add_run(&p.now.runs, "fserver"), 8, 1, 1);
	add_step(&p.now.runs.items[1], 4, 1, 1)->valid = false;
	assert_int_equal(compare(&p), -1);
	assert_int_equal(p.err.code, LM_ERR_INPUT);
	assert_non_null(strstr(p.err.text, "has 4, the other has 8, 4 (INVALID)"));
	for (unsigned tasks = 10; tasks < 1000; tasks++)
		add_step(&p.now.runs.items[1], tasks * 1000, 1, 1);
	assert_int_equal(compare(&p), -1);
	assert_non_null(strstr(p.err.text, "..."));
	free_pair(&p);
}

/* --- kinds
 * -------------------------------------------------------------------------------------------- */

static struct lm_kind_record kind(const char *name, double elapsed, double user, double system,
				  double median)
{
	return (struct lm_kind_record){ .name = name,
					.unit = "",
					.jobs = 10,
					.elapsed_s = elapsed,
					.user_s = user,
					.system_s = system,
					.median_s = median,
					.p99_s = 2 * median };
}

/* The record owns its kinds. */
static void set_kinds(struct lm_record *r, const struct lm_kind_record *kinds, size_t count)
{
	r->kinds = reallocarray(NULL, count, sizeof(*kinds));
	assert_non_null(r->kinds);
	memcpy(r->kinds, kinds, count * sizeof(*kinds));
	r->kind_count = count;
}

/*
 * 2 tasks, so seconds a task are half of these. By hand:
 *
 *   kind        base              now (mean of 2 repeats)   change   user  system  wait
 *   add_int     4 (u 4)      2    4 (u 4)               2        0      0     0       0
 *   disk_rd     6 (s 2)      3    (10 + 14) / 2 = 12    6        3    0.5     1     1.5
 *   disk_wrt    2 (s 2)      1    -                     0       -1      0    -1       0
 *   sync_wrt    -            0    (0 + 8) / 2 = 4       2        2      0     0       2
 *   all        12            6    20                   10        4    0.5     0     3.5
 */
static void make_kinds(struct pair *p)
{
	const struct lm_kind_record base[] = { kind("add_int", 4, 4, 0, 0.4),
					       kind("disk_rd", 6, 0, 2, 0.6),
					       kind("disk_wrt", 2, 0, 2, 0.2) };
	const struct lm_kind_record one[] = { kind("disk_rd", 10, 1, 4, 1.0),
					      kind("add_int", 4, 4, 0, 0.3) };
	const struct lm_kind_record two[] = { kind("add_int", 4, 4, 0, 0.5),
					      kind("disk_rd", 14, 1, 4, 1.4),
					      kind("sync_wrt", 8, 0, 0, 0.8) };
	struct lm_run *run = add_run(&p->now.runs, "mix");

	set_kinds(add_step(add_run(&p->base.runs, "mix"), 2, 1, 1), base, 3);
	set_kinds(add_step(run, 2, 1, 1), one, 2);
	set_kinds(add_step(run, 2, 1, 1), two, 3);
	/* counts in nothing */
	set_kinds(add_step(run, 2, 1, 1), two, 3);
	run->records[2].valid = false;
}

static void check_row(const struct lm_blame_row *r, const char *name, const double expected[7])
{
	assert_string_equal(r->kind, name);
	near(r->base_s, expected[0], 1e-12);
	near(r->now_s, expected[1], 1e-12);
	near(r->change_s, expected[2], 1e-12);
	near(r->share, expected[3], 1e-9);
	near(r->user_s, expected[4], 1e-12);
	near(r->system_s, expected[5], 1e-12);
	near(r->wait_s, expected[6], 1e-12);
}

static void test_blame(void **state)
{
	static const double rows[][7] = { { 3, 6, 3, 75, 0.5, 1, 1.5 },
					  { 0, 2, 2, 50, 0, 0, 2 },
					  { 2, 2, 0, 0, 0, 0, 0 },
					  { 1, 0, -1, -25, 0, -1, 0 } };
	struct pair p = { 0 };
	struct lm_blame *b;

	(void)state;
	make_kinds(&p);
	assert_int_equal(compare(&p), 0);
	b = &p.result.items[0].cells[0].blame;
	assert_int_equal(b->count, 4);
	near(b->base_s, 6, 1e-12);
	near(b->now_s, 10, 1e-12);
	near(b->change_s, 4, 1e-12);
	near(b->user_s, 0.5, 1e-12);
	near(b->system_s, 0, 1e-12);
	near(b->wait_s, 3.5, 1e-12);
	check_row(&b->rows[0], "disk_rd", rows[0]);
	check_row(&b->rows[1], "sync_wrt", rows[1]);
	check_row(&b->rows[2], "add_int", rows[2]);
	check_row(&b->rows[3], "disk_wrt", rows[3]);
	/* medians over the repeats that have the kind, nearest rank: the first of two */
	near(b->rows[0].base_median_s, 0.6, 0);
	near(b->rows[0].now_median_s, 1.0, 0);
	near(b->rows[0].base_p99_s, 1.2, 0);
	near(b->rows[0].now_p99_s, 2.0, 0);
	/* none, where a side has no such job */
	assert_true(isnan(b->rows[1].base_median_s));
	near(b->rows[1].now_median_s, 0.8, 0);
	assert_true(isnan(b->rows[3].now_p99_s));
	free_pair(&p);
}

/* The other way round the largest gain is first, and shares have the same sign. */
static void test_blame_of_a_gain(void **state)
{
	struct pair p = { 0 }, turned = { 0 };
	struct lm_blame *b;

	(void)state;
	make_kinds(&p);
	turned.base = p.now;
	turned.now = p.base;
	assert_int_equal(compare(&turned), 0);
	b = &turned.result.items[0].cells[0].blame;
	near(b->change_s, -4, 1e-12);
	assert_string_equal(b->rows[0].kind, "disk_rd");
	near(b->rows[0].change_s, -3, 1e-12);
	near(b->rows[0].share, 75, 1e-9);
	assert_string_equal(b->rows[3].kind, "disk_wrt");
	near(b->rows[3].share, -25, 1e-9);
	free_pair(&turned);
}

/* Parameters make another kind; a whole of 0 has no shares; a side's wait below 0 stays. */
static void test_blame_at_the_edges(void **state)
{
	const struct lm_kind_record base[] = { kind("disk_rd block=4K", 2, 0, 1, 1) };
	const struct lm_kind_record now[] = { kind("disk_rd block=64K", 2, 0, 2.5, 1) };
	struct pair p = { 0 };
	struct lm_blame *b;

	(void)state;
	set_kinds(add_step(add_run(&p.base.runs, "mix"), 1, 1, 1), base, 1);
	add_step(add_run(&p.now.runs, "mix"), 1, 1, 1);
	assert_int_equal(compare(&p), 0);
	assert_int_equal(p.result.items[0].cells[0].blame.count, 0);
	set_kinds(&p.now.runs.items[0].records[0], now, 1);
	assert_int_equal(compare(&p), 0);
	b = &p.result.items[0].cells[0].blame;
	assert_int_equal(b->count, 2);
	assert_true(b->change_s == 0 && b->rows[0].share == 0 && b->rows[1].share == 0);
	assert_string_equal(b->rows[0].kind, "disk_rd block=64K");
	near(b->rows[0].change_s, 2, 1e-12);
	near(b->rows[0].wait_s, -0.5, 1e-12);
	near(b->wait_s, -1.5, 1e-12);
	free_pair(&p);
}

/* In single mode every kind is a step, and kinds are no repeats of one another. */
static void test_single_mode(void **state)
{
	const struct lm_kind_record kinds[] = { kind("add_int", 1, 1, 0, 1),
						kind("disk_rd", 1, 0, 1, 1) };
	struct pair p = { 0 };
	struct side *sides[] = { &p.base, &p.now };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct lm_run *run = add_run(&sides[i]->runs, "single");

		assert_int_equal(lm_facts_number(&run->plan, "period_s", 5), 0);
		set_kinds(add_step(run, 1, 100, 5), &kinds[1], 1);
		set_kinds(add_step(run, 1, 7, 5), &kinds[0], 1);
	}
	assert_int_equal(compare(&p), 0);
	assert_int_equal(p.result.count, 2);
	assert_string_equal(p.result.items[0].kind, "disk_rd");
	assert_string_equal(p.result.items[1].kind, "add_int");
	assert_int_equal(p.result.items[1].cells[0].figures[LM_FIG_REAL].base.n, 1);
	near(p.result.items[1].cells[0].figures[LM_FIG_JOBS_PER_MIN].base.mean, 7, 0);
	free_pair(&p);
}

/* Of the same number of jobs, which are not the same: kinds, how many of each, operations. */
static void test_other_work(void **state)
{
	static const struct {
		const char *first, *second;
		uint64_t jobs[2];
		double operations;
		bool differ;
	} cases[] = {
		{ "add_int", "disk_rd", { 10, 10 }, 40, false },
		{ "disk_rd", "add_int", { 10, 10 }, 40, false }, /* lines in another order */
		{ "add_int", "disk_wrt", { 10, 10 }, 40, true },
		{ "add_int", "disk_rd", { 12, 8 }, 40, true },
		{ "add_int", "disk_rd", { 10, 10 }, 80, true }, /* files of twice the size */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair p = { 0 };
		struct lm_kind_record base[] = { kind("add_int", 1, 1, 0, 1),
						 kind("disk_rd", 1, 0, 1, 1) };
		struct lm_kind_record now[] = { kind(cases[i].first, 1, 1, 0, 1),
						kind(cases[i].second, 1, 0, 1, 1) };

		base[0].operations = base[1].operations = 40;
		for (int k = 0; k < 2; k++) {
			now[k].jobs = cases[i].jobs[k];
			now[k].operations = 40.0 * (double)cases[i].jobs[k] / 10;
		}
		now[1].operations *= cases[i].operations / 40;
		set_kinds(add_step(add_run(&p.base.runs, "mix"), 2, 100, 1), base, 2);
		set_kinds(add_step(add_run(&p.now.runs, "mix"), 2, 100, 1), now, 2);
		assert_int_equal(compare(&p), 0);
		assert_int_equal(p.result.items[0].kinds_differ, cases[i].differ);
		assert_int_equal(p.result.items[0].jobs_differ, cases[i].differ);
		free_pair(&p);
	}
}

/* A change of a tenth must be seen in the figures beside it, too. */
static void test_decimals(void **state)
{
	static const struct {
		enum lm_figure figure;
		double value;
		int decimals;
	} cases[] = {
		{ LM_FIG_REAL, 200.5, 2 },        { LM_FIG_REAL, 10, 2 },
		{ LM_FIG_REAL, 9.994, 3 },        { LM_FIG_REAL, 0.04056, 5 },
		{ LM_FIG_REAL, 1e-9, 6 },         { LM_FIG_REAL, 0, 2 },
		{ LM_FIG_JOBS_PER_MIN, 79, 2 },   { LM_FIG_JTI, 3, 0 },
		{ LM_FIG_JOBS_PER_S_TASK, 3, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(
			lm_figure_decimals(lm_figure_info(cases[i].figure), cases[i].value),
			cases[i].decimals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_posted_figures),
		cmocka_unit_test(test_repeats_are_pooled),
		cmocka_unit_test(test_nothing_is_dropped),
		cmocka_unit_test(test_unnamed_workload),
		cmocka_unit_test(test_jobs_per_task),
		cmocka_unit_test(test_bounds_on_jobs),
		cmocka_unit_test(test_one_grain_stays_one),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_nothing_in_common),
		cmocka_unit_test(test_blame),
		cmocka_unit_test(test_other_work),
		cmocka_unit_test(test_blame_of_a_gain),
		cmocka_unit_test(test_blame_at_the_edges),
		cmocka_unit_test(test_single_mode),
		cmocka_unit_test(test_decimals),
	};

	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
