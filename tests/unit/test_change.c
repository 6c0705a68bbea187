/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/compare.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Student's sleep data (Biometrika 1908), which every textbook and R's manual have: extra hours of
 * sleep with two drugs. R's t.test(extra ~ group): t = -1.8608, df = 17.776, p-value = 0.07939,
 * 95 percent confidence interval of the difference -3.3654832 to 0.2054832. */
static const double drug_1[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double drug_2[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };

static void near(double found, double expected, double tolerance)
{
	if (!(fabs(found - expected) <= tolerance))
		fail_msg("found %.10g, expected %.10g", found, expected);
}

/* Values with all their digits. */
static struct lm_change change_of(const double *base, size_t base_count, const double *now,
				  size_t now_count, bool more_is_better)
{
	struct lm_values b = { base, base_count, 0 }, n = { now, now_count, 0 };

	return lm_change_of(&b, &n, more_is_better);
}

/* Values as they stand in a table. */
static struct lm_change printed_change(const double *base, size_t base_count, const double *now,
				       size_t now_count, bool more_is_better)
{
	struct lm_values b = { base, base_count, lm_grain_of(base, base_count) };
	struct lm_values n = { now, now_count, lm_grain_of(now, now_count) };

	return lm_change_of(&b, &n, more_is_better);
}

static void test_stat(void **state)
{
	/* squares of the deviations sum to 32, of the sample: sqrt(32 / 7) */
	static const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct lm_stat s = lm_stat_of(x, COUNT(x));

	(void)state;
	assert_int_equal(s.n, 8);
	assert_true(s.mean == 5 && s.min == 2 && s.max == 9);
	near(s.stddev, sqrt(32.0 / 7), 1e-12);
	s = lm_stat_of(x, 1);
	assert_true(s.n == 1 && s.mean == 2 && s.min == 2 && s.max == 2 && s.stddev == 0);
	s = lm_stat_of(NULL, 0);
	assert_true(s.n == 0 && s.mean == 0 && s.min == 0 && s.max == 0 && s.stddev == 0);
}

static void test_welch(void **state)
{
	struct lm_change c = change_of(drug_1, 10, drug_2, 10, true);

	(void)state;
	near(c.p, 0.07939, 0.000005);
	near(c.percent, 100 * (2.33 - 0.75) / 0.75, 1e-9);
	/* standard error 1.58 / 1.8608 = 0.84910; t(0.975) is half the interval over that, 2.1028;
	 * t(0.8) is 0.863 at 17 and 0.862 at 18 degrees of freedom in tables */
	near(c.mde, 100 * 0.84910 * (2.1028 + 0.8622) / 0.75, 0.2);
	assert_false(c.significant);
	assert_false(c.worse);
	/* the base's mean, 0.75 with a standard error of 0.57, cannot be told from 0 */
	assert_true(isnan(c.low) && isnan(c.high));
}

/* Far from 0 the relative interval is that of the difference over the mean. */
static void test_interval_of_difference(void **state)
{
	double base[10], now[10];
	struct lm_change c;

	(void)state;
	for (size_t i = 0; i < 10; i++) {
		base[i] = drug_1[i] + 1e6;
		now[i] = drug_2[i] + 1e6;
	}
	c = change_of(base, 10, now, 10, true);
	near(c.p, 0.07939, 0.000005);
	near(c.low, -0.2054832e-4, 1e-10);
	near(c.high, 3.3654832e-4, 1e-10);
}

/* An end of the interval is a ratio by which the base may be multiplied until the test tells it
 * from the new one at just 5 %. */
static void test_ends_are_where_the_test_turns(void **state)
{
	static const double base[] = { 10.13, 11.31, 9.77, 10.9 };
	static const double now[] = { 17.3, 14.21, 16.1, 15.5, 19.77 };
	struct lm_change c = change_of(base, 4, now, 5, false);
	const double ends[] = { c.low, c.high };
	double scaled[4];

	(void)state;
	assert_true(c.significant && c.worse);
	assert_true(0 < c.low && c.low < c.percent && c.percent < c.high);
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < 4; i++)
			scaled[i] = base[i] * (1 + ends[k] / 100);
		near(change_of(scaled, 4, now, 5, false).p, 0.05, 1e-9);
	}
}

/* Variance 2.5 each, 5 repeats: standard error 1, 8 degrees of freedom, t(0.975) = 2.306 and
 * t(0.8) = 0.889 in tables. The base's mean is 100, so all is in percent. */
static void test_effect_and_repeats(void **state)
{
	static const double base[] = { 98, 99, 100, 101, 102 };
	static const double less[] = { 101, 102, 103, 104, 105 };
	static const double more[] = { 102, 103, 104, 105, 106 };
	struct lm_change c = change_of(base, 5, less, 5, true);

	(void)state;
	near(c.mde, 3.195, 0.001);
	assert_true(c.p < 0.05 && c.percent == 3);
	assert_false(c.significant); /* below what can be relied on */
	/* 2 repeats: sqrt(5 / 2) * (4.303 + 1.061) = 8.48; 3: sqrt(5 / 3) * (2.776 + 0.941) = 4.80;
	 * 40: sqrt(5 / 40) * (1.991 + 0.846) = 1.003; 41: sqrt(5 / 41) * (1.990 + 0.846) = 0.990 */
	assert_int_equal(lm_repeats_needed(&c, 8.5), 2);
	assert_int_equal(lm_repeats_needed(&c, 8.4), 3);
	assert_int_equal(lm_repeats_needed(&c, 5), 3);
	assert_int_equal(lm_repeats_needed(&c, 3.196), 5);
	assert_int_equal(lm_repeats_needed(&c, 3.194), 6);
	assert_int_equal(lm_repeats_needed(&c, 1), 41);
	/* 5 * 2.8 * 2.8 / 0.1 / 0.1 is about 3920 */
	assert_true(lm_repeats_needed(&c, 0.1) == SIZE_MAX);
	assert_true(lm_repeats_needed(&c, 0) == SIZE_MAX);
	assert_true(change_of(base, 5, more, 5, true).significant);
}

static void test_single_runs_say_nothing(void **state)
{
	static const double base[] = { 120.9 }, now[] = { 79.0, 80.1 };

	(void)state;
	for (size_t n = 1; n <= 2; n++) {
		struct lm_change c = change_of(base, 1, now, n, true);
		struct lm_change d = change_of(now, n, base, 1, true);

		assert_true(isnan(c.p) && isnan(c.mde) && isnan(c.low) && isnan(c.high));
		assert_true(isnan(d.p) && isnan(d.mde) && isnan(d.low) && isnan(d.high));
		assert_false(c.significant || d.significant);
		assert_true(c.worse && !d.worse);
		assert_int_equal(lm_repeats_needed(&c, 5), 0);
	}
	near(change_of(base, 1, now, 1, true).percent, -34.66, 0.005);
}

static void test_no_values(void **state)
{
	static const double some[] = { 1, 2 };
	struct lm_change c = change_of(some, 2, NULL, 0, true);

	(void)state;
	assert_true(isnan(c.percent) && isnan(c.p) && isnan(c.mde) && isnan(c.low));
	assert_false(c.significant || c.worse);
	assert_int_equal(lm_repeats_needed(&c, 5), 0);
	c = change_of(NULL, 0, some, 2, true);
	assert_true(isnan(c.percent) && isnan(c.p) && !c.significant && !c.worse);
}

/* Repeats that are equal as printed share one rounding error: a standard error of grain / sqrt(12)
 * on either side, whatever their number. */
static void test_rounded_repeats(void **state)
{
	static const double base[] = { 0.2, 0.2 }, now[] = { 0.1, 0.1 };
	static const double five[] = { 100, 100, 100, 100, 100 }, less[] = { 99, 99, 99, 99, 99 };
	static const double much[] = { 97, 97, 97, 97, 97 };
	struct lm_change c = printed_change(base, 2, now, 2, false);

	(void)state;
	near(c.base_grain, 0.1, 1e-15);
	near(c.now_grain, 0.1, 1e-15);
	/* t = 0.1 / (0.1 * sqrt(2 / 12)) = sqrt(6) at 2 degrees of freedom, where the distribution
	 * is known: p = 1 - t / sqrt(2 + t^2) = 1 - sqrt(6 / 8) */
	near(c.p, 1 - sqrt(6.0 / 8), 1e-9);
	assert_false(c.significant);
	assert_true(c.base.stddev == 0); /* what was seen */
	/* JTI: standard error sqrt(2 / 12) = 0.4082, times 3.195 as with 8 degrees above */
	c = printed_change(five, 5, less, 5, true);
	assert_true(c.base_grain == 1 && c.percent == -1 && c.worse);
	near(c.mde, 1.3043, 0.0007);
	assert_false(c.significant);
	assert_true(printed_change(five, 5, much, 5, true).significant);
	c = printed_change(five, 5, five, 5, true);
	assert_true(c.percent == 0 && c.p == 1 && !c.significant && !c.worse);
	near(c.high, -c.low, 0.01);
}

/* The last digit printed is no change, however often it is printed. */
static void test_one_grain_is_no_change(void **state)
{
	double base[40], now[40];

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		base[i] = 174.7;
		now[i] = 174.6;
	}
	for (size_t n = 2; n <= 40; n++)
		assert_false(printed_change(base, n, now, n, true).significant);
	/* more repeats are no help against it: 2.8 * 0.1 * sqrt(2 / 12) is 0.114, or 0.065 % */
	assert_true(lm_repeats_needed(&(struct lm_change){ .base = lm_stat_of(base, 3),
							   .now = lm_stat_of(now, 3),
							   .mde = 0.1,
							   .base_grain = 0.1,
							   .now_grain = 0.1 },
				      0.06) == SIZE_MAX);
}

/* Rounding on one side alone, and noise that is larger than it. */
static void test_grain_of_a_side(void **state)
{
	static const double base[] = { 98, 99, 100, 101, 102 }, now[] = { 102, 103, 104, 105, 106 };
	struct lm_values exact = { base, 5, 0 }, coarse = { now, 5, 10 };
	struct lm_change c = lm_change_of(&exact, &coarse, true);

	(void)state;
	/* 2.5 / 5 is more than 1 / 12 */
	assert_true(printed_change(base, 5, now, 5, true).p == change_of(base, 5, now, 5, true).p);
	/* variances 0.5 and 100 / 12: t = 4 / sqrt(8.833) = 1.346, df = 8.833^2 / (0.5^2 / 4 +
	 * 8.333^2 / 4) = 4.48; p of t 1.346 is 0.250 at 4 and 0.236 at 5 degrees of freedom */
	assert_in_range((int)(c.p * 1000), 236, 250);
	assert_false(c.significant);
}

static void test_grain(void **state)
{
	static const double tenths[] = { 174.7, 12, 0.3 }, whole[] = { 99, 100 };
	static const double many[] = { 1.0 / 3, 1 };

	(void)state;
	near(lm_grain_of(tenths, 3), 0.1, 1e-15);
	near(lm_grain_of(whole, 2), 1, 0);
	assert_true(lm_grain_of(many, 2) == 0 && lm_grain_of(NULL, 0) == 0);
}

/* Equal to the last of many digits: no noise at all. */
static void test_no_noise(void **state)
{
	static const double base[] = { 1.0 / 3, 1.0 / 3, 1.0 / 3 };
	static const double now[] = { 2.0 / 3, 2.0 / 3 };
	struct lm_change c = change_of(base, 3, now, 2, false);

	(void)state;
	assert_true(c.p == 0 && c.mde == 0);
	near(c.percent, 100, 1e-12);
	assert_true(c.low == c.high && c.significant && c.worse);
	near(c.low, 100, 1e-12);
	assert_int_equal(lm_repeats_needed(&c, 1), 2);
	c = change_of(base, 3, base, 2, false);
	assert_true(c.p == 1 && c.percent == 0 && c.low == 0 && c.high == 0);
	assert_false(c.significant || c.worse);
}

static void test_base_of_zero(void **state)
{
	static const double zero[] = { 0, 0, 0 }, some[] = { 5.01, 5.02, 4.99 };
	struct lm_change c = change_of(zero, 3, some, 3, false);

	(void)state;
	assert_true(isnan(c.percent) && isnan(c.mde) && isnan(c.low) && isnan(c.high));
	assert_true(c.p < 1e-4 && c.significant && c.worse);
	c = change_of(zero, 3, zero, 3, false);
	assert_true(isnan(c.percent) && c.p == 1 && !c.significant && !c.worse);
	c = change_of(some, 3, zero, 3, false);
	assert_true(c.percent == -100 && c.significant && !c.worse);
	assert_true(c.low <= -100 && c.high >= -100 && c.high < -99);
}

/* Whatever the numbers: nothing infinite, and NAN only where the contract has it. */
static void test_extremes(void **state)
{
	static const double numbers[] = { 0,     DBL_TRUE_MIN, DBL_MIN, 1e-150, 1, 1.0000000001,
					  1e150, 1e300,        DBL_MAX };
	double base[3], now[3];
	struct lm_change c;

	(void)state;
	for (size_t i = 0; i < 81 * 81; i++) {
		base[0] = base[1] = numbers[i % 9];
		base[2] = numbers[i / 9 % 9];
		now[0] = now[1] = numbers[i / 81 % 9];
		now[2] = numbers[i / 729 % 9];
		c = (i % 5 ? change_of : printed_change)(base, 2 + i % 2, now, 3, true);
		assert_false(isinf(c.percent) || isinf(c.low) || isinf(c.high) || isinf(c.mde));
		assert_true(c.p >= 0 && c.p <= 1);
		assert_true(isfinite(c.base.stddev) && isfinite(c.now.mean));
		assert_true(isnan(c.low) == isnan(c.high));
		assert_true(isnan(c.low) || (c.low <= c.percent && c.percent <= c.high));
		assert_true(isnan(c.percent) || c.percent >= -100);
		lm_repeats_needed(&c, 5);
	}
}

/* --- trials: what is promised of many comparisons ------------------------------------------------
 */

static void draw(gsl_rng *rng, double *values, size_t n, double mean, double noise)
{
	for (size_t i = 0; i < n; i++)
		values[i] = mean + gsl_ran_gaussian(rng, noise);
}

static gsl_rng *generator(unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	assert_non_null(rng);
	gsl_rng_set(rng, seed);
	return rng;
}

static void test_same_is_not_significant(void **state)
{
	static const double noise[] = { 0.1, 1, 5, 15 };
	gsl_rng *rng = generator(2);
	double base[5], now[5];

	(void)state;
	for (size_t k = 0; k < COUNT(noise); k++) {
		unsigned marked = 0, below = 0;

		for (int trial = 0; trial < 1000; trial++) {
			struct lm_change c;

			draw(rng, base, 5, 100, noise[k]);
			draw(rng, now, 5, 100, noise[k]);
			c = change_of(base, 5, now, 5, true);
			marked += c.significant;
			below += c.significant && fabs(c.percent) < c.mde;
			if (trial == 19)
				assert_true(marked <= 2);
		}
		assert_true(marked <= 50);
		assert_int_equal(below, 0);
	}
	gsl_rng_free(rng);
}

/* How many of 1000 intervals have the true change of percent in them. */
static unsigned covered(gsl_rng *rng, size_t n, double percent, double noise)
{
	unsigned hits = 0;
	double base[10], now[10];

	for (int trial = 0; trial < 1000; trial++) {
		double mean = 100 + percent;
		struct lm_change c;

		draw(rng, base, n, 100, noise);
		draw(rng, now, n, mean, noise * mean / 100);
		c = change_of(base, n, now, n, true);
		assert_true(isnan(c.low) || (c.p < 0.05) == (c.low > 0 || c.high < 0));
		hits += c.low <= percent && percent <= c.high;
	}
	return hits;
}

/* 95 % of 1000 is 950 with a standard deviation of 6.9; LOADMIX_TELL=1 prints what is found. */
static void test_intervals_cover(void **state)
{
	static const size_t repeats[] = { 3, 5, 10 };
	static const double noise[] = { 1, 5, 15 }, change[] = { -40, 0, 100 };
	gsl_rng *rng = generator(1);

	(void)state;
	for (size_t i = 0; i < 3 * 3 * 3; i++) {
		size_t n = repeats[i / 9];
		double sigma = noise[i / 3 % 3], percent = change[i % 3];
		unsigned hits = covered(rng, n, percent, sigma);

		if (getenv("LOADMIX_TELL"))
			print_message("n %zu, noise %g %%, change %g %%: %u of 1000\n", n, sigma,
				      percent, hits);
		if (hits < 925)
			fail_msg("%u of 1000 cover, %zu repeats, noise %g %%, change %g %%", hits,
				 n, sigma, percent);
	}
	gsl_rng_free(rng);
}

/* A true change of the true MDE, (t(0.975) + t(0.8)) * standard error, gives p < 0.05 in 80 %. */
static void test_effect_is_found(void **state)
{
	static const size_t repeats[] = { 3, 5, 10 };
	gsl_rng *rng = generator(3);
	double base[10], now[10];

	(void)state;
	for (size_t k = 0; k < COUNT(repeats); k++) {
		size_t n = repeats[k];
		double df = 2.0 * (double)(n - 1), error = 3 * sqrt(2.0 / (double)n);
		double mde = (gsl_cdf_tdist_Pinv(0.975, df) + gsl_cdf_tdist_Pinv(0.8, df)) * error;
		unsigned found = 0, marked = 0;

		for (int trial = 0; trial < 1000; trial++) {
			struct lm_change c;

			draw(rng, base, n, 100, 3);
			draw(rng, now, n, 100 - mde, 3);
			c = change_of(base, n, now, n, true);
			found += c.p < 0.05;
			marked += c.significant;
		}
		if (getenv("LOADMIX_TELL"))
			print_message(
				"n %zu, change %.2f %%: p < 0.05 in %u, marked in %u of 1000\n", n,
				-mde, found, marked);
		/* 3 samples of equal variance rarely look so, which costs Welch's test power */
		assert_in_range(found, n > 3 ? 740 : 670, 840);
	}
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stat),
		cmocka_unit_test(test_welch),
		cmocka_unit_test(test_interval_of_difference),
		cmocka_unit_test(test_ends_are_where_the_test_turns),
		cmocka_unit_test(test_effect_and_repeats),
		cmocka_unit_test(test_single_runs_say_nothing),
		cmocka_unit_test(test_no_values),
		cmocka_unit_test(test_rounded_repeats),
		cmocka_unit_test(test_one_grain_is_no_change),
		cmocka_unit_test(test_grain_of_a_side),
		cmocka_unit_test(test_grain),
		cmocka_unit_test(test_no_noise),
		cmocka_unit_test(test_base_of_zero),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_same_is_not_significant),
		cmocka_unit_test(test_intervals_cover),
		cmocka_unit_test(test_effect_is_found),
	};

	return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
