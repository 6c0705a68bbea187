/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/stats.h"

#include <float.h>
#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_mean(void **state)
{
	static const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	(void)state;
	assert_true(lm_mean(NULL, 0) == 0);
	assert_true(lm_mean(x, 1) == 2);
	assert_true(lm_mean(x, COUNT(x)) == 5);
}

static void test_stddev(void **state)
{
	/* the textbook's example: mean 5, squares sum to 32, sqrt(32 / 8) = 2 */
	static const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	(void)state;
	assert_true(lm_stddev(NULL, 0) == 0);
	assert_true(lm_stddev(x, 1) == 0);
	assert_true(lm_stddev(x, COUNT(x)) == 2);
}

/* A spread far below the values is not lost: 1e9 + (0, 1, 2, 3), variance 5/4. */
static void test_small_spread(void **state)
{
	static const double x[] = { 1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3 };

	(void)state;
	assert_true(fabs(lm_stddev(x, COUNT(x)) - sqrt(1.25)) < 1e-9);
	assert_true(lm_mean(x, COUNT(x)) == 1e9 + 1.5);
}

static void test_equal_tasks(void **state)
{
	double x[3000];
	double mean, stddev;

	(void)state;
	for (size_t i = 0; i < COUNT(x); i++)
		x[i] = 0.1;
	mean = lm_mean(x, COUNT(x));
	stddev = lm_stddev(x, COUNT(x));
	assert_true(mean == 0.1);
	assert_true(stddev == 0);
	assert_int_equal(lm_jti(mean, stddev, COUNT(x)), 100);
}

static void test_extremes_stay_finite(void **state)
{
	static const double huge[] = { DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX };
	static const double tiny[] = { DBL_MIN, 0, DBL_MIN };

	(void)state;
	assert_true(isfinite(lm_mean(huge, 4)));
	assert_true(isfinite(lm_stddev(huge, 4)));
	assert_true(isfinite(lm_mean(tiny, 3)));
	assert_true(isfinite(lm_stddev(tiny, 3)));
}

static void test_jti(void **state)
{
	static const struct {
		double mean, stddev;
		size_t n;
		int jti;
	} cases[] = {
		{ 10, 0, 1, 100 },       { 10, 5, 1, 100 },   /* one task */
		{ 0, 0, 4, 100 },                             /* no time at all */
		{ 10, 0, 4, 100 },       { 10, 1.2, 4, 88 },  /* cov 0.12 */
		{ 1, 0.43, 4, 57 },      { 10, 1.25, 4, 87 }, /* 87.5 is cut */
		{ 10, 0.001, 4, 99 },                         /* 99.99 is cut */
		{ 10, 9.95, 4, 0 },      { 10, 10, 4, 0 },    { 10, 15, 4, 0 },
		{ 1e-300, 1e300, 4, 0 }, { 0, 0, 0, 100 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(lm_jti(cases[i].mean, cases[i].stddev, cases[i].n), cases[i].jti);
}

static void test_sort(void **state)
{
	double x[] = { 3, -1, 2, 2, DBL_MAX, 0, -DBL_MAX };
	static const double sorted[] = { -DBL_MAX, -1, 0, 2, 2, 3, DBL_MAX };

	(void)state;
	lm_sort(NULL, 0);
	lm_sort(x, COUNT(x));
	for (size_t i = 0; i < COUNT(x); i++)
		assert_true(x[i] == sorted[i]);
}

static void test_quantile(void **state)
{
	/* nearest rank: the ceil(q * n)-th; the usual example of five numbers */
	static const double five[] = { 15, 20, 35, 40, 50 };
	double hundred[100];

	(void)state;
	assert_true(lm_quantile(five, 5, 0.05) == 15);
	assert_true(lm_quantile(five, 5, 0.30) == 20);
	assert_true(lm_quantile(five, 5, 0.40) == 20);
	assert_true(lm_quantile(five, 5, 0.50) == 35);
	assert_true(lm_quantile(five, 5, 1.00) == 50);
	assert_true(lm_quantile(five, 5, 0) == 15);
	assert_true(lm_quantile(five, 1, 0.99) == 15);
	assert_true(lm_quantile(five, 0, 0.5) == 0);
	for (int i = 0; i < 100; i++)
		hundred[i] = i + 1;
	for (int i = 1; i <= 100; i++) /* 0.07 * 100 is 7.000000000000001 */
		assert_true(lm_quantile(hundred, 100, i / 100.0) == i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean),
		cmocka_unit_test(test_stddev),
		cmocka_unit_test(test_small_spread),
		cmocka_unit_test(test_equal_tasks),
		cmocka_unit_test(test_extremes_stay_finite),
		cmocka_unit_test(test_jti),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_quantile),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
