/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/delay.h"
#include "model/figures.h"
#include "model/likeness.h"
#include "model/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A run with one step, of which jobs/min and real are told. */
static struct lm_run *one_step(struct lm_runs *runs, const char *format, unsigned tasks,
			       double per_min, double real)
{
	struct lm_run *run = lm_runs_add(runs, "file", 3, format, NULL);
	struct lm_record *r = lm_run_step(run, 4, NULL);

	r->tasks = tasks;
	lm_figure_set(r, LM_FIG_JOBS_PER_MIN, per_min);
	lm_figure_set(r, LM_FIG_REAL, real);
	return run;
}

static void test_empty(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_run *run = lm_runs_add(&runs, "file", 3, "suite7", NULL);
	struct lm_record *r = lm_run_step(run, 4, NULL);

	(void)state;
	assert_string_equal(run->label, "");
	assert_string_equal(run->workload, "");
	assert_true(r->valid);
	for (enum lm_figure f = 0; f < LM_FIGURES; f++)
		assert_false(lm_figure_known(r, f));
	lm_runs_free(&runs);
}

/* fserver at 4 tasks as posted for 2.5.69: 120.9 jobs/min in 200.5 s are 101 jobs a task:
 * 120.9 * 200.5 / 60 / 4 = 101.003, with half a tenth either way 100.935 to 101.069;
 * 120.9 / 4 = 30.225; / 60 = 0.50375 */
static void test_derive(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_run *run = one_step(&runs, "posted", 4, 120.9, 200.5);
	const struct lm_record *r = run->records;

	(void)state;
	lm_run_derive(run);
	/* worked out, not told */
	assert_int_equal(run->jobs_per_task, 0);
	assert_int_equal(r->jobs_per_task, 0);
	assert_int_equal(lm_run_jobs(run), 101);
	assert_true(fabs(run->jobs_least - 100.935) < 0.001);
	assert_true(fabs(run->jobs_most - 101.069) < 0.001);
	assert_true(fabs(r->jobs_per_min_task - 30.225) < 1e-9);
	assert_true(fabs(r->jobs_per_s_task - 0.50375) < 1e-9);
	assert_false(lm_figure_known(r, LM_FIG_CPU));
	/* what follows from a rounded figure is as coarse */
	assert_true(fabs(r->grains[LM_FIG_JOBS_PER_MIN] - 0.1) < 1e-12);
	assert_true(fabs(r->grains[LM_FIG_REAL] - 0.1) < 1e-12);
	assert_true(fabs(r->grains[LM_FIG_JOBS_PER_MIN_TASK] - 0.025) < 1e-12);
	assert_true(fabs(r->grains[LM_FIG_JOBS_PER_S_TASK] - 0.1 / 240) < 1e-12);
	lm_runs_free(&runs);
}

static void add_row(struct lm_run *run, unsigned tasks, double per_min, double real)
{
	struct lm_record *r = lm_run_step(run, 5, NULL);

	r->tasks = tasks;
	lm_figure_set(r, LM_FIG_JOBS_PER_MIN, per_min);
	lm_figure_set(r, LM_FIG_REAL, real);
}

/* 100 jobs in 2.345 s are 2558.64 jobs/min, printed 2558.6 and 2.3: 2558.6 * 2.3 / 60 = 98.1, but
 * with what was rounded off 95.9 to 100.2. */
static void test_jobs_of_short_steps(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_run *run = one_step(&runs, "suite7", 1, 2558.6, 2.3);

	(void)state;
	lm_run_derive(run);
	assert_int_equal(lm_run_jobs(run), 0);
	assert_true(run->jobs_least < 96 && run->jobs_most > 100);
	/* a longer step of the same run tells: 40 tasks, 100 jobs each in 93.77 s */
	run->jobs_least = run->jobs_most = 0;
	add_row(run, 40, 2559.5, 93.8);
	lm_run_derive(run);
	assert_int_equal(lm_run_jobs(run), 100);
	/* steps that cannot have had the same number tell none */
	run->jobs_least = run->jobs_most = 0;
	add_row(run, 1, 100.1, 600.5);
	lm_run_derive(run);
	assert_true(lm_run_jobs(run) == 0 && run->jobs_most == 0);
	lm_runs_free(&runs);
}

/* A conversion has written down what was derived: it is no finer for that. */
static void test_grain_of_what_was_derived(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_run *run = one_step(&runs, "posted", 7, 120.9, 200.5);
	struct lm_record *r = run->records;

	(void)state;
	lm_figure_set(r, LM_FIG_JOBS_PER_MIN_TASK, 120.9 / 7);
	lm_run_derive(run);
	assert_true(fabs(r->grains[LM_FIG_JOBS_PER_MIN_TASK] - 0.1 / 7) < 1e-12);
	lm_runs_free(&runs);
}

/* 101 jobs in 60 s of which 10 are idle: 101 jobs/min become 121.2. What real was
 * rounded to goes into the rate. */
static void test_grain_without_delay(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_run *run = one_step(&runs, "suite7", 1, 101.0, 60.0);
	struct lm_record *r;

	(void)state;
	add_row(run, 2, 101.1, 119.9);
	lm_run_derive(run);
	lm_run_take_delay(run);
	r = run->records;
	assert_true(fabs(r->jobs_per_min - 121.2) < 1e-9);
	/* 0.1 * 60 / 50, and 101 times the change of 60 / 50 with 0.1 s more: 0.1 * 10 / 50^2 */
	assert_true(fabs(r->grains[LM_FIG_JOBS_PER_MIN] - hypot(0.12, 101 * 0.0004)) < 1e-9);
	assert_true(fabs(r->grains[LM_FIG_REAL] - 0.1) < 1e-12);
	lm_runs_free(&runs);
}

static void test_same(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_run *a, *b;

	(void)state;
	for (int i = 0; i < 2; i++)
		add_row(one_step(&runs, "journal", 4, 120.94321, 200.51234), 8, 1.0 / 3, 2.0 / 3);
	a = &runs.items[0];
	b = &runs.items[1];
	/* not told when: two steps that agree to nanoseconds are copies, few digits may agree by
	 * chance */
	assert_true(lm_run_same(a, b));
	for (int i = 0; i < 4; i++) {
		struct lm_record *r = &(i < 2 ? a : b)->records[i % 2];

		r->grains[LM_FIG_REAL] = 10;
		r->grains[LM_FIG_CPU] = 10;
	}
	assert_false(lm_run_same(a, b));
	/* when a step ended tells as well */
	strcpy(a->records[0].ended, "2026-01-02T03:05:05Z");
	strcpy(b->records[0].ended, "2026-01-02T03:05:05Z");
	assert_true(lm_run_same(a, b));
	strcpy(b->records[0].ended, "2026-01-02T03:05:06Z");
	assert_false(lm_run_same(a, b));
	strcpy(b->records[0].ended, "");
	lm_run_derive(b);
	lm_run_text(&a->started, "2026-01-02T03:04:05Z", NULL);
	lm_run_text(&b->started, "2026-01-02T03:04:05", NULL);
	lm_run_derive(a);
	assert_true(lm_run_same(a, b));
	b->records[0].real_s += 1e-5;
	assert_false(lm_run_same(a, b));
	/* rounded by a conversion, which leaves INVALID steps out */
	lm_figure_set(&b->records[0], LM_FIG_JOBS_PER_MIN, 120.9);
	lm_figure_set(&b->records[0], LM_FIG_REAL, 200.5);
	b->records[1].jobs_per_min = 0.3;
	b->records[1].real_s = 0.7;
	lm_run_derive(b);
	assert_true(lm_run_same(a, b) && lm_run_same(b, a));
	add_row(a, 9, 7, 7);
	assert_false(lm_run_same(a, b) || lm_run_same(b, a));
	a->records[2].valid = false;
	assert_true(lm_run_same(a, b) && lm_run_same(b, a));
	lm_run_text(&b->started, "2026-01-02T03:04:06", NULL);
	assert_false(lm_run_same(a, b));
	lm_runs_free(&runs);
}

/* Of figures that are told nothing is worked out again. */
static void test_told_stays(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_run *run = one_step(&runs, "suite7", 4, 120.9, 200.5);

	(void)state;
	lm_figure_set(&run->records[0], LM_FIG_JOBS_PER_S_TASK, 0.5037);
	lm_run_derive(run);
	assert_true(run->records[0].jobs_per_s_task == 0.5037);
	lm_runs_free(&runs);
}

/* Published: 464232 -> 438315 at 3000 tasks is -5.6 % as posted. With 101 jobs a task real was
 * 3000 * 101 * 60 / 464232 = 39.1615 s and 41.4770 s, of which 10 s were idle: 29.1615 s and
 * 31.4770 s of work, so -7.4 %. */
static void test_delay(void **state)
{
	const double posted[] = { 464232, 438315 };
	double work[2];
	struct lm_runs runs = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct lm_run *run =
			one_step(&runs, "suite7", 3000, posted[i], 3000 * 101 * 60 / posted[i]);

		lm_run_derive(run);
		assert_int_equal(lm_run_take_delay(run), 1);
		assert_true(run->records[0].valid);
		work[i] = run->records[0].jobs_per_min;
		assert_true(fabs(run->records[0].jobs_per_min_task - work[i] / 3000) < 1e-6);
	}
	assert_true(fabs(100 * (posted[1] / posted[0] - 1) + 5.6) < 0.05);
	assert_true(fabs(100 * (work[1] / work[0] - 1) + 7.4) < 0.05);
	lm_runs_free(&runs);
}

/* Ours count from the gate: there is nothing to take out. */
static void test_no_delay(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_run *run = one_step(&runs, "journal", 4, 120.9, 200.5);

	(void)state;
	assert_int_equal(lm_run_take_delay(run), 0);
	assert_true(run->records[0].real_s == 200.5);
	run = one_step(&runs, "suite7", 4, 606, 10);
	assert_int_equal(lm_run_take_delay(run), 1);
	assert_false(run->records[0].valid);
	assert_non_null(strstr(run->records[0].problems[0], "without the 10 s"));
	lm_runs_free(&runs);
}

/* Taken out once, whatever is asked; what loadmix wrote in AIM7's forms has none. */
static void test_delay_is_taken_once(void **state)
{
	struct lm_runs runs = { 0 };
	struct lm_error err = { 0 };
	struct lm_run *run = one_step(&runs, "posted", 4, 120.9, 200.5);

	(void)state;
	assert_true(lm_run_has_delay(run));
	assert_int_equal(lm_run_take_delay(run), 1);
	assert_true(run->records[0].real_s == 190.5);
	assert_true(lm_run_delay_taken(run));
	assert_int_equal(lm_run_take_delay(run), 0);
	assert_true(run->records[0].real_s == 190.5);
	run = one_step(&runs, "suite7", 4, 120.9, 200.5);
	assert_int_equal(lm_run_text(&run->version, "loadmix 0.1.0", &err), 0);
	assert_int_equal(lm_run_take_delay(run), 0);
	assert_true(run->records[0].real_s == 200.5);
	assert_false(lm_run_delay_taken(run));
	lm_runs_free(&runs);
}

static void test_names(void **state)
{
	struct lm_runs runs = { 0 };
	const char *a = lm_runs_name(&runs, "disk_rr", NULL);

	(void)state;
	for (int i = 0; i < 100; i++) {
		char name[32];

		snprintf(name, sizeof(name), "kind_%d", i);
		assert_string_equal(lm_runs_name(&runs, name, NULL), name);
	}
	assert_ptr_equal(lm_runs_name(&runs, "disk_rr", NULL), a);
	assert_int_equal(lm_runs_note(&runs, "f", 7, NULL, "row of %d", 3), 0);
	assert_string_equal(runs.notes[0].text, "row of 3");
	lm_runs_free(&runs);
}

/* The first 1000, and how many more: 2500 - 1000. */
static void test_many_notes(void **state)
{
	struct lm_runs runs = { 0 };

	(void)state;
	for (long i = 1; i <= 1000; i++)
		assert_int_equal(lm_runs_note(&runs, "f", i, NULL, "row %ld", i), 0);
	assert_int_equal(runs.note_count, 1000);
	for (long i = 1001; i <= 2500; i++)
		assert_int_equal(lm_runs_note(&runs, "f", i, NULL, "row %ld", i), 0);
	assert_int_equal(runs.note_count, 1001);
	assert_string_equal(runs.notes[999].text, "row 1000");
	assert_string_equal(runs.notes[1000].text, "and 1500 more notes, which are not kept");
	assert_string_equal(runs.notes[1000].source, "f");
	assert_int_equal(runs.notes[1000].line, 2500);
	lm_runs_free(&runs);
}

static void test_figures(void **state)
{
	struct lm_record r = { 0 };

	(void)state;
	for (enum lm_figure f = 0; f < LM_FIGURES; f++) {
		const struct lm_figure_info *info = lm_figure_info(f);

		assert_int_equal(lm_figure_find(info->name), f);
		assert_int_equal(lm_figure_find(info->title), f);
		lm_figure_set(&r, f, 10 + f);
	}
	assert_int_equal(lm_figure_find("jobs-per-min"), LM_FIG_JOBS_PER_MIN);
	assert_int_equal(lm_figure_find("speed"), LM_FIGURES);
	assert_int_equal(lm_figure_find(""), LM_FIGURES);
	assert_true(r.jobs_per_min == 10 + LM_FIG_JOBS_PER_MIN);
	assert_true(r.real_s == 10 + LM_FIG_REAL && r.cpu_s == 10 + LM_FIG_CPU);
	assert_true(r.user_s == 10 + LM_FIG_USER && r.system_s == 10 + LM_FIG_SYSTEM);
	assert_int_equal(r.jti, 10 + LM_FIG_JTI);
	assert_true(r.jobs_per_min_task == 10 + LM_FIG_JOBS_PER_MIN_TASK);
	assert_true(r.jobs_per_s_task == 10 + LM_FIG_JOBS_PER_S_TASK);
	assert_true(r.stddev_s == 10 + LM_FIG_STDDEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_derive),
		cmocka_unit_test(test_told_stays),
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_no_delay),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_jobs_of_short_steps),
		cmocka_unit_test(test_grain_of_what_was_derived),
		cmocka_unit_test(test_grain_without_delay),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_delay_is_taken_once),
		cmocka_unit_test(test_many_notes),
	};

	return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
