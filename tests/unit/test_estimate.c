/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/estimate.h"

#include <math.h>

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * (fabs(want) + 1)))
		fail_msg("got %.12g, want %.12g", got, want);
}

static void test_nothing_measured(void **state)
{
	struct lm_curve c = { 0 };

	(void)state;
	assert_true(lm_curve_at(&c, 1) < 0);
	assert_true(lm_curve_at(&c, 1000000) < 0);
	lm_curve_free(&c);
}

/* 6 s with 3 tasks are 2 s a task, whatever the load. */
static void test_one_load(void **state)
{
	struct lm_curve c = { 0 };

	(void)state;
	assert_int_equal(lm_curve_add(&c, 3, 6), 0);
	assert_near(lm_curve_at(&c, 1), 2);
	assert_near(lm_curve_at(&c, 3), 6);
	assert_near(lm_curve_at(&c, 10), 20);
	lm_curve_free(&c);
}

/* (4, 10) (8, 12) (16, 28), given out of order: between them along lines, from the last on by
 * (28 - 12) / 8 = 2 s a task, below the first 10 / 4 = 2.5 s a task. */
static void test_line(void **state)
{
	struct lm_curve c = { 0 };

	(void)state;
	lm_curve_add(&c, 16, 28);
	lm_curve_add(&c, 4, 10);
	lm_curve_add(&c, 8, 12);
	assert_near(lm_curve_at(&c, 2), 5);
	assert_near(lm_curve_at(&c, 4), 10);
	assert_near(lm_curve_at(&c, 6), 11);
	assert_near(lm_curve_at(&c, 8), 12);
	assert_near(lm_curve_at(&c, 9), 14);
	assert_near(lm_curve_at(&c, 16), 28);
	assert_near(lm_curve_at(&c, 20), 36);
	lm_curve_free(&c);
}

/* A load that was run three times, in 1, 2 and 6 s, takes 3. */
static void test_repeats(void **state)
{
	struct lm_curve c = { 0 };

	(void)state;
	lm_curve_add(&c, 5, 1);
	lm_curve_add(&c, 5, 2);
	lm_curve_add(&c, 5, 6);
	assert_int_equal(c.count, 1);
	assert_near(lm_curve_at(&c, 5), 3);
	lm_curve_free(&c);
}

/* Real time that fell by chance does not fall on, and never below nothing. */
static void test_falling(void **state)
{
	struct lm_curve c = { 0 };

	(void)state;
	lm_curve_add(&c, 1, 10);
	lm_curve_add(&c, 2, 4);
	assert_near(lm_curve_at(&c, 1000), 4);
	lm_curve_free(&c);
}

static void test_first_step(void **state)
{
	/* 100 jobs of 1,000 in 2 s: the other 900 take 18; 3,000 later ones 60 */
	static const struct lm_outlook open = { .step_s = -1 };
	static const struct lm_outlook foreseen = { .step_s = -1,
						    .foreseen = true,
						    .later_jobs = 3000 };
	struct lm_left left = lm_estimate(&foreseen, 100, 1000, 2);

	(void)state;
	assert_near(left.step_s, 18);
	assert_near(left.run_s, 78);
	left = lm_estimate(&open, 100, 1000, 2);
	assert_near(left.step_s, 18);
	assert_true(left.run_s < 0);
	/* nothing is known before the first job, and little after it */
	assert_true(lm_estimate(&foreseen, 0, 1000, 0).step_s < 0);
	assert_true(lm_estimate(&foreseen, 0, 1000, 5).run_s < 0);
	assert_true(lm_estimate(&foreseen, 9, 1000, 5).step_s < 0);
	assert_near(lm_estimate(&foreseen, 10, 1000, 5).step_s, 495);
}

static void test_later_step(void **state)
{
	static const struct lm_outlook o = {
		.step_s = 20, .foreseen = true, .later_s = 100, .later_jobs = 1, .around_s = 3
	};
	struct lm_left left = lm_estimate(&o, 0, 1000, 0);

	(void)state;
	assert_near(left.step_s, 20);
	assert_near(left.run_s, 123);
	assert_near(lm_estimate(&o, 0, 1000, 5).step_s, 15);
	/* it was to be over by now, and no job is done */
	assert_true(lm_estimate(&o, 0, 1000, 20).step_s < 0);
	/* as expected: a quarter done after a quarter of the time */
	left = lm_estimate(&o, 250, 1000, 5);
	assert_near(left.step_s, 15);
	assert_near(left.run_s, 118);
	/* half done in 20 s, twice as slow: 10 s by what was expected, 20 by the pace; 35 in all
	 * where 20 were expected, so that the 100 later ones become 175 */
	left = lm_estimate(&o, 500, 1000, 20);
	assert_near(left.step_s, 15);
	assert_near(left.run_s, 15 + 175 + 3);
	left = lm_estimate(&o, 1000, 1000, 40);
	assert_near(left.step_s, 0);
	assert_near(left.run_s, 200 + 3);
}

/* At an even pace of 10 s for all, expected or not, what is left only falls, and it is right at the
 * end. (Were less than 5 s expected, it would rise at first.) */
static void test_falls(void **state)
{
	(void)state;
	for (double expected = 5; expected < 100; expected *= 2) {
		struct lm_outlook o = { .step_s = expected, .foreseen = true, .later_s = 7 };
		double before = INFINITY;

		for (uint64_t done = 1; done <= 1000; done++) {
			struct lm_left left = lm_estimate(&o, done, 1000, (double)done * 0.01);

			assert_true(left.run_s > left.step_s && left.run_s < 1000);
			assert_true(left.step_s < before);
			before = left.step_s;
		}
		assert_near(before, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_measured),
		cmocka_unit_test(test_one_load),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_falling),
		cmocka_unit_test(test_first_step),
		cmocka_unit_test(test_later_step),
		cmocka_unit_test(test_falls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
