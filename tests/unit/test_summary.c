/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/summary.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define STEP(TASKS, PER_MIN, INDEX)                                                  \
	{                                                                            \
		.tasks = TASKS, .jobs_per_min = PER_MIN, .jti = INDEX, .valid = true \
	}

static struct lm_figures figures_of(const struct lm_record *records, size_t count)
{
	struct lm_figures f = { 0 };

	assert_int_equal(lm_figures(records, count, &f), 0);
	return f;
}

/* To one digit, as reports print it. */
static void check_tenth(double got, double want)
{
	if (fabs(round(got * 10) - want * 10) > 1e-6)
		fail_msg("%.6f is not %.1f", got, want);
}

/* AIM7's documented example. The area by trapezoids:
 *   1 to 61: 60 * 192.1 = 11526; to 156: 95 * 335.6 = 31882; to 264: 108 * 310.85 = 33571.8;
 *   to 276: 12 * 282.9 = 3394.8; to the crossover at (276 * 273.4 - 277 * 277.3) / (276 - 277.3 -
 *   277 + 273.4) = -1353.7 / -4.9 = 276.265: 0.265 * 276.78 = 73.4; together 80448 = 283.63^2 */
static void test_example(void **state)
{
	const struct lm_record records[] = { STEP(1, 46.2, 100),   STEP(61, 338.0, 85),
					     STEP(156, 333.2, 88), STEP(264, 288.5, 86),
					     STEP(276, 277.3, 80), STEP(277, 273.4, 70) };
	struct lm_figures f = figures_of(records, COUNT(records));

	(void)state;
	assert_true(f.peak_jobs_per_min == 338.0);
	assert_int_equal(f.peak_tasks, 61);
	assert_true(f.has_min_jti && f.has_crossover && f.has_sustained);
	assert_int_equal(f.min_jti, 80);
	check_tenth(f.crossover, 276.3);
	check_tenth(f.sustained, 283.6);
	assert_int_equal(f.loads, 6);
	assert_int_equal(f.most_tasks, 277);
}

/* The order of the steps does not matter, and INVALID ones do not count. */
static void test_order(void **state)
{
	const struct lm_record records[] = {
		STEP(276, 277.3, 80),
		STEP(61, 338.0, 85),
		{ .tasks = 100, .jobs_per_min = 999, .jti = 3, .valid = false },
		STEP(277, 273.4, 70),
		STEP(1, 46.2, 100),
		STEP(156, 333.2, 88),
		STEP(264, 288.5, 86),
		{ .tasks = 300, .jobs_per_min = 1, .jti = 1, .valid = false },
	};
	struct lm_figures f = figures_of(records, COUNT(records));

	(void)state;
	assert_int_equal(f.min_jti, 80);
	check_tenth(f.crossover, 276.3);
	check_tenth(f.sustained, 283.6);
}

/* The lines do not meet: 10 * 150 + 10 * 250 = 4000, its root is 63.2. */
static void test_no_crossover(void **state)
{
	const struct lm_record records[] = { STEP(10, 100, 90), STEP(20, 200, 95),
					     STEP(30, 300, 10) };
	struct lm_figures f = figures_of(records, COUNT(records));

	(void)state;
	assert_false(f.has_crossover);
	check_tenth(f.sustained, 63.2);
	assert_int_equal(f.most_tasks, 30);
	assert_int_equal(f.min_jti, 90);
}

/* Steps after the crossover do not move it: it is between 20 and 40, where the line from 30 to 10
 * meets the other: (20 * 10 - 40 * 30) / (20 - 30 - 40 + 10) = 25. Area: 10 * 30 + 5 * 27.5 =
 * 437.5, its root is 20.9 */
static void test_beyond_the_crossover(void **state)
{
	const struct lm_record records[] = { STEP(10, 30, 90), STEP(20, 30, 80), STEP(40, 10, 70),
					     STEP(80, 5, 60) };
	struct lm_figures f = figures_of(records, COUNT(records));

	(void)state;
	check_tenth(f.crossover, 25.0);
	check_tenth(f.sustained, 20.9);
	assert_int_equal(f.min_jti, 70);
}

/* A last step that is on the line is the crossover. Area: 10 * 25 = 250, its root is 15.8. */
static void test_on_the_line(void **state)
{
	const struct lm_record records[] = { STEP(10, 30, 90), STEP(20, 20, 80) };
	struct lm_figures f = figures_of(records, COUNT(records));

	(void)state;
	check_tenth(f.crossover, 20.0);
	check_tenth(f.sustained, 15.8);
}

/* Readings of one load are one point: (10, 100) (20, 200) as above, 1500, its root is 38.7. */
static void test_repeats(void **state)
{
	const struct lm_record records[] = { STEP(20, 190, 50), STEP(10, 90, 91), STEP(20, 210, 40),
					     STEP(10, 110, 89) };
	struct lm_figures f = figures_of(records, COUNT(records));

	(void)state;
	assert_int_equal(f.loads, 2);
	check_tenth(f.sustained, 38.7);
	assert_int_equal(f.min_jti, 89);
	assert_true(f.peak_jobs_per_min == 210);
	assert_int_equal(f.peak_tasks, 20);
}

static void test_too_little(void **state)
{
	const struct lm_record one = STEP(4, 100, 90), invalid = { .tasks = 4, .jobs_per_min = 1 };
	const struct lm_record below[] = { STEP(4, 3, 90), STEP(8, 2, 80) };
	struct lm_figures f = figures_of(NULL, 0);

	(void)state;
	assert_int_equal(f.loads, 0);
	assert_false(f.has_min_jti || f.has_crossover || f.has_sustained);
	f = figures_of(&invalid, 1);
	assert_int_equal(f.loads, 0);
	assert_int_equal(f.peak_tasks, 0);
	f = figures_of(&one, 1);
	assert_int_equal(f.peak_tasks, 4);
	assert_false(f.has_min_jti || f.has_crossover || f.has_sustained);
	/* no line through two points above and below */
	f = figures_of(below, 2);
	assert_true(f.has_min_jti);
	assert_false(f.has_crossover || f.has_sustained);
}

static void test_run(void **state)
{
	const struct lm_record records[] = {
		{ .tasks = 4, .jobs_per_min = 100, .valid = true },
		{ .tasks = 8, .jobs_per_min = 300, .valid = false },
		{ .tasks = 12, .jobs_per_min = 200, .valid = true },
		{ .tasks = 16, .jobs_per_min = 200, .valid = true },
		{ .tasks = 20, .jobs_per_min = 150, .valid = true },
	};
	struct lm_summary summary = { 0 };

	(void)state;
	lm_summary_add(&summary, &records[1]);
	assert_true(summary.peak_jobs_per_min == 0);
	assert_int_equal(summary.peak_tasks, 0);
	for (size_t i = 0; i < 5; i++)
		lm_summary_add(&summary, &records[i]);
	assert_int_equal(summary.steps, 6);
	assert_int_equal(summary.invalid, 2);
	assert_true(summary.peak_jobs_per_min == 200);
	assert_int_equal(summary.peak_tasks, 12); /* the first of two equal ones */
	assert_null(summary.stopped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_example),      cmocka_unit_test(test_order),
		cmocka_unit_test(test_no_crossover), cmocka_unit_test(test_beyond_the_crossover),
		cmocka_unit_test(test_on_the_line),  cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_too_little),   cmocka_unit_test(test_run),
	};

	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
