/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/next.h"
#include "policies/policies.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* --- foreseeable ones ---------------------------------------------------------------------- */

/* Ask as a session does, and compare with the task counts expected. */
static void check_steps(const struct lm_policy *policy, struct lm_range *ranges, size_t range_count,
			const unsigned *expected, size_t n)
{
	const struct lm_sweep sweep = { .ranges = ranges, .count = range_count };
	struct lm_reason why;
	unsigned tasks = 77;

	assert_true(lm_sweep_foreseeable(policy, &sweep));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(lm_sweep_next(policy, &sweep, NULL, i, &tasks, &why), 1);
		assert_int_equal(tasks, expected[i]);
	}
	assert_int_equal(lm_sweep_next(policy, &sweep, NULL, n, &tasks, &why), 0);
	assert_string_equal(why.text, "");
	assert_int_equal(lm_sweep_next(policy, &sweep, NULL, n + 1, &tasks, &why), 0);
}

static void test_fixed(void **state)
{
	static const unsigned posted[] = { 4, 8, 12, 16, 20, 24, 28, 32 };
	static const unsigned clamped[] = { 1, 5, 9, 10 }, one[] = { 7 };

	(void)state;
	check_steps(&lm_policy_fixed, (struct lm_range[]){ { 4, 32, 4 } }, 1, posted, 8);
	check_steps(&lm_policy_fixed, (struct lm_range[]){ { 1, 10, 4 } }, 1, clamped, 4);
	check_steps(&lm_policy_fixed, (struct lm_range[]){ { 7, 7, 4 } }, 1, one, 1);
	check_steps(&lm_policy_fixed, NULL, 0, NULL, 0);
}

static void test_points(void **state)
{
	static const unsigned points[] = { 50, 1, 5, 9, 10, 50 }, one[] = { 7 };

	(void)state;
	check_steps(&lm_policy_points,
		    (struct lm_range[]){ { 50, 50, 1 }, { 1, 10, 4 }, { 50, 50, 1 } }, 3, points,
		    6);
	check_steps(&lm_policy_points, (struct lm_range[]){ { 7, 7, 1 } }, 1, one, 1);
	check_steps(&lm_policy_points, NULL, 0, NULL, 0);
}

/* --- those that look at records ------------------------------------------------------------ */

/* A sweep that was: real times are given, and jobs/min where it matters. */
struct past {
	unsigned tasks;
	double real_s, jobs_per_min;
	bool invalid;
};

#define MAX_PAST 40

/* What comes after the first count steps: the load, or 0 for the end of the sweep. */
static unsigned load_after(const struct lm_policy *policy, const struct lm_sweep *sweep,
			   const struct past *past, size_t count, struct lm_reason *why)
{
	struct lm_record records[MAX_PAST] = { 0 };
	unsigned tasks = 0;

	assert_true(count <= MAX_PAST);
	for (size_t i = 0; i < count; i++) {
		double rate = past[i].jobs_per_min > 0 ? past[i].jobs_per_min : 1e6;

		records[i].tasks = past[i].tasks;
		records[i].real_s = past[i].real_s;
		records[i].jobs_per_min = rate;
		records[i].jobs_per_min_task = rate / past[i].tasks;
		records[i].valid = !past[i].invalid;
	}
	return lm_sweep_next(policy, sweep, records, count, &tasks, why) ? tasks : 0;
}

static unsigned next_load(const struct lm_policy *policy, const struct lm_sweep *sweep,
			  const struct past *past, size_t count)
{
	struct lm_reason why;

	return load_after(policy, sweep, past, count, &why);
}

/* Each step's load must be what the policy says after those before it; then comes last. */
static void check_past(const struct lm_policy *policy, const struct lm_sweep *sweep,
		       const struct past *past, size_t count, unsigned last)
{
	for (size_t i = 0; i <= count; i++) {
		unsigned want = i < count ? past[i].tasks : last;
		unsigned got = next_load(policy, sweep, past, i);

		if (got != want)
			fail_msg("%s: load %zu is %u, not %u", policy->name, i + 1, got, want);
	}
}

/*
 * AIM7's documented transcript, increment 2. With r = now / before the factor of the increment is
 * 2 / (before / ((now + before) / 2)) = 1 + r.
 *   after 15, the 8th step: r = 402.34 / 344.96 = 1.1663, 2 * 2.1663 = 4.33, so 4: 19
 *   after 19: r = 493.90 / 402.34 = 1.2276, between 1.20 and 1.30, so 4: 23
 *   after 23: r = 563.13 / 493.90 = 1.1402, 4 * 2.1402 = 8.56, so 8: 31
 *   after 31: r = 662.70 / 563.13 = 1.1768, 8 * 2.1768 = 17.41, so 17: 48
 */
static const struct past transcript[] = {
	{ 1, 131.26, 0, 0 },  { 3, 143.39, 0, 0 },  { 5, 205.35, 0, 0 },  { 7, 233.13, 0, 0 },
	{ 9, 297.50, 0, 0 },  { 11, 327.64, 0, 0 }, { 13, 344.96, 0, 0 }, { 15, 402.34, 0, 0 },
	{ 19, 493.90, 0, 0 }, { 23, 563.13, 0, 0 }, { 31, 662.70, 0, 0 },
};

static void test_transcript(void **state)
{
	struct lm_range range = { 1, 1000, 2 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1 };

	(void)state;
	check_past(&lm_policy_adaptive, &sweep, transcript, COUNT(transcript), 48);
	range.end = 40; /* the last step is the end itself */
	check_past(&lm_policy_adaptive, &sweep, transcript, COUNT(transcript), 40);
	range.end = 31;
	check_past(&lm_policy_adaptive, &sweep, transcript, COUNT(transcript), 0);
}

/*
 * From 20 on AIM7 begins at once, when there are two times:
 *   after 25: r = 24 / 10 = 2.4, 5 / 3.4 = 1.47, so 1: 26
 *   after 26: r = 48 / 24 = 2, 1 / 3 = 0.33, below 1, so it stays 1: 27
 *   after 27: r = 48 / 48 = 1, 1 * 2 = 2: 29
 */
static void test_high_start(void **state)
{
	static const struct past past[] = {
		{ 20, 10, 0, 0 }, { 25, 24, 0, 0 }, { 26, 48, 0, 0 }, { 27, 48, 0, 0 }
	};
	struct lm_range range = { 20, 1000, 5 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1 };
	/* from 19 it does not */
	static const struct past below[] = { { 19, 10, 0, 0 }, { 24, 24, 0, 0 }, { 29, 48, 0, 0 } };

	(void)state;
	check_past(&lm_policy_adaptive, &sweep, past, COUNT(past), 29);
	range.start = 19;
	check_past(&lm_policy_adaptive, &sweep, below, COUNT(below), 34);
}

/*
 * re-aim-7 waits for more than 8 steps, so 17 comes after 15, whatever its start:
 *   after 17, the 9th: r = 493.90 / 402.34 = 1.2276: 2 as before: 19
 *   after 19: r = 563.13 / 493.90 = 1.1402, 2 * 2.1402 = 4.28, so 4: 23
 * and the newton rule is part of it: at 23 tasks and 24.7 jobs/min (24.7 - 23) / 23 = 0.074 is not
 * above 0.10, (24.7 - 23) / 2 = 0.85 is below 1, so 1: 24
 */
static void test_reaim(void **state)
{
	struct past past[11];
	struct lm_range range = { 1, 1000, 2 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1, .reaim = true };

	(void)state;
	memcpy(past, transcript, sizeof(past));
	past[8].tasks = 17;
	past[9].tasks = 19;
	check_past(&lm_policy_adaptive, &sweep, past, 10, 23);
	past[10] = (struct past){ 23, 600, 24.7, false };
	check_past(&lm_policy_adaptive, &sweep, past, 11, 24);
	range.start = 20;
	for (unsigned i = 0; i < 11; i++)
		past[i] = (struct past){ 20 + 2 * i, 100, 0, false };
	/* the 9th step is 36; times are equal, so 2 * 2 = 4: 40 */
	check_past(&lm_policy_adaptive, &sweep, past, 9, 40);
}

/*
 * Increment 20 until jobs/min is within a tenth of the tasks:
 *   after 100: (150 - 100) / 100 = 0.5: 20 more
 *   after 120: (132 - 120) / 120 = 0.10, not above it: (132 - 120) / 2 = 6: 126
 *   after 126: (129 - 126) / 2 = 1.5, so 1: 127
 *   after 127: (120 - 127) / 2 is below 1, so 1: 128
 */
static void test_newton(void **state)
{
	static const struct past past[] = {
		{ 100, 60, 150, 0 }, { 120, 60, 132, 0 }, { 126, 60, 129, 0 }, { 127, 60, 120, 0 }
	};
	struct lm_range range = { 100, 1000, 20 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1 };

	(void)state;
	check_past(&lm_policy_newton, &sweep, past, COUNT(past), 128);
	/* with AIM7's adaptive rule the last times, which are equal, double the increment first:
	 * 20 * 2 = 40 after the second step, but 6 by newton; the same from there on */
	sweep.newton = true;
	check_past(&lm_policy_adaptive, &sweep, past, COUNT(past), 128);
}

/* An INVALID step tells nothing: the increment stays, and the times beside it are compared. */
static void test_invalid_step(void **state)
{
	/* after 30: r = 11 / 10 = 1.1, 5 * 2.1 = 10.5, so 10: 40 */
	static const struct past past[] = { { 20, 10, 0, 0 }, { 25, 99, 0, 1 }, { 30, 11, 0, 0 } };
	static const struct past near[] = { { 20, 10, 500, 0 }, { 25, 99, 26, 1 } };
	struct lm_range range = { 20, 1000, 5 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1 };

	(void)state;
	check_past(&lm_policy_adaptive, &sweep, past, COUNT(past), 40);
	check_past(&lm_policy_newton, &sweep, near, COUNT(near), 30);
}

/* Empty jobs may take no measurable time. */
static void test_no_time(void **state)
{
	static const struct past past[] = { { 20, 0, 0, 0 }, { 25, 0, 0, 0 }, { 30, 1, 0, 0 } };
	struct lm_range range = { 20, 1000, 5 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1 };

	(void)state;
	check_past(&lm_policy_adaptive, &sweep, past, COUNT(past), 35);
}

/* Whatever is measured, no sweep goes on for ever or above its end. */
static void check_bounded(const struct lm_policy *policy, double real_growth, double rate)
{
	static struct lm_record records[3000];
	struct lm_range range = { 1, 2000, 1 };
	const struct lm_sweep sweep = { .ranges = &range,
					.count = 1,
					.open = true,
					.guard = "--max-tasks",
					.until = LM_UNTIL_CROSSOVER,
					.floor = 1,
					.tolerance = 0.05 };
	double real_s = 1;
	struct lm_reason why;
	unsigned tasks;
	size_t n;

	for (n = 0; lm_sweep_next(policy, &sweep, records, n, &tasks, &why); n++) {
		assert_in_range(tasks, 1, 2000);
		assert_true(n < 2500);
		records[n] = (struct lm_record){ .tasks = tasks,
						 .real_s = real_s,
						 .jobs_per_min = rate * tasks,
						 .jobs_per_min_task = rate,
						 .valid = true };
		real_s *= real_growth;
		real_s = real_s > 1e200 ? 1 : real_s;
	}
	if (!strstr(why.text, "--max-tasks"))
		fail_msg("%s ended with '%s'", policy->name, why.text);
}

static void test_bounded(void **state)
{
	static const struct lm_policy *const policies[] = { &lm_policy_fixed, &lm_policy_adaptive,
							    &lm_policy_newton, &lm_policy_peak };

	(void)state;
	for (size_t i = 0; i < COUNT(policies); i++) {
		check_bounded(policies[i], 1, 1000);
		check_bounded(policies[i], 1.25, 1.05);
		check_bounded(policies[i], 2, 1.01);
		check_bounded(policies[i], 0.5, 1e9);
	}
}

/* --- what ends a sweep --------------------------------------------------------------------- */

static void check_end(const struct lm_sweep *sweep, const struct past *past, size_t count,
		      const char *reason)
{
	struct lm_reason why;
	unsigned next = load_after(&lm_policy_fixed, sweep, past, count, &why);

	if (!reason) {
		assert_int_not_equal(next, 0);
		return;
	}
	assert_int_equal(next, 0);
	if (!strstr(why.text, reason))
		fail_msg("'%s' lacks '%s'", why.text, reason);
}

static void test_until_crossover(void **state)
{
	/* jobs/min/task is 50, 1.01, 1, and 0.5 in a step that is INVALID */
	static const struct past past[] = { { 10, 1, 500, 0 },
					    { 20, 1, 20.2, 0 },
					    { 30, 1, 30, 0 } };
	static const struct past invalid[] = { { 10, 1, 500, 0 }, { 20, 1, 10, 1 } };
	struct lm_range range = { 10, 100, 10 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1 };

	(void)state;
	check_end(&sweep, past, 3, NULL);
	assert_int_equal(lm_until_parse("crossover", &sweep, NULL), 0);
	check_end(&sweep, past, 1, NULL);
	check_end(&sweep, past, 2, NULL);
	check_end(&sweep, past, 3, "1.0000 at 30 tasks, not above 1");
	check_end(&sweep, invalid, 2, NULL);
	assert_int_equal(lm_until_parse("crossover=10", &sweep, NULL), 0);
	check_end(&sweep, past, 1, NULL);
	check_end(&sweep, past, 2, "1.0100 at 20 tasks, not above 10");
	assert_int_equal(lm_until_parse("quick", &sweep, NULL), 0);
	check_end(&sweep, past, 1, "50.0000 at 10 tasks, not above 60");
}

/*
 * re-aim-7's rule of the last five. Their mean must be more than 1 % above the newest:
 *   100 200 300 310 305: mean 243, newest above it: goes on
 *   300 310 305 300 298: mean 302.6, 1 % below is 299.57, newest is below and below 300: ends;
 *     deviation: 2.4, 7.4, 2.4, 2.6, 4.6: squares 95.2 / 5, root 4.36, more than 3.026
 *   300 310 305 298 299: newest is above the one before, deviation 4.5, more than 1 %: goes on
 *   300 301 302 301 300.5: deviation 0.66 is less than 3: ends
 */
static void test_until_peak(void **state)
{
	static const struct past rising[] = { { 1, 1, 100, 0 },
					      { 2, 1, 200, 0 },
					      { 3, 1, 300, 0 },
					      { 4, 1, 310, 0 },
					      { 5, 1, 305, 0 } };
	static const struct past falling[] = { { 1, 1, 300, 0 },
					       { 2, 1, 310, 0 },
					       { 3, 1, 305, 0 },
					       { 4, 1, 300, 0 },
					       { 5, 1, 298, 0 } };
	static const struct past back[] = { { 1, 1, 300, 0 },
					    { 2, 1, 310, 0 },
					    { 3, 1, 305, 0 },
					    { 4, 1, 298, 0 },
					    { 5, 1, 299, 0 } };
	static const struct past flat[] = { { 1, 1, 300, 0 },
					    { 2, 1, 301, 0 },
					    { 3, 1, 302, 0 },
					    { 4, 1, 301, 0 },
					    { 5, 1, 300.5, 0 } };
	struct lm_range range = { 1, 100, 1 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1 };

	(void)state;
	check_end(&sweep, falling, 5, NULL);
	assert_int_equal(lm_until_parse("peak", &sweep, NULL), 0);
	check_end(&sweep, rising, 5, NULL);
	check_end(&sweep, falling, 4, NULL);
	check_end(&sweep, falling, 5, "peak passed");
	check_end(&sweep, back, 5, NULL);
	check_end(&sweep, flat, 4, NULL);
	check_end(&sweep, flat, 5, "peak reached");
}

static void test_invalid_in_a_row(void **state)
{
	static const struct past past[] = { { 1, 1, 500, 1 }, { 2, 1, 500, 1 }, { 3, 1, 500, 0 },
					    { 4, 1, 500, 1 }, { 5, 1, 500, 1 }, { 6, 1, 500, 1 } };
	struct lm_range range = { 1, 100, 1 };
	struct lm_sweep sweep = { .ranges = &range, .count = 1 };

	(void)state;
	check_end(&sweep, past, 6, NULL); /* what was asked for is run */
	sweep.open = true;
	sweep.guard = "--max-tasks";
	check_end(&sweep, past, 2, NULL);
	check_end(&sweep, past, 5, NULL);
	check_end(&sweep, past, 6, "3 steps in a row are INVALID");
}

static void test_guard(void **state)
{
	static const struct past past[] = { { 1, 1, 500, 0 }, { 5, 1, 500, 0 }, { 7, 1, 500, 0 } };
	struct lm_range range = { 1, 7, 4 };
	struct lm_sweep sweep = {
		.ranges = &range, .count = 1, .open = true, .guard = "ulimit -u"
	};

	(void)state;
	check_past(&lm_policy_fixed, &sweep, past, 3, 0);
	check_end(&sweep, past, 3, "the limit of 7 tasks (ulimit -u)");
}

static void test_until_errors(void **state)
{
	static const char *const bad[] = {
		"", "cross", "crossover=", "crossover=0", "crossover=1.5", "Peak"
	};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct lm_sweep sweep = { 0 };
		struct lm_error err = { 0 };

		assert_int_equal(lm_until_parse(bad[i], &sweep, &err), -1);
		assert_string_equal(err.source, "--until");
		assert_int_equal(sweep.until, LM_UNTIL_END);
	}
}

/* --- the search for the peak: test_peak has its figures ------------------------------------ */

/* 1, 2, 4, ...: INVALID steps are as bad as can be, and three of them are the end. */
static void test_peak_of_invalid_steps(void **state)
{
	static const struct past past[] = { { 1, 1, 100, 0 }, { 2, 1, 200, 0 }, { 4, 1, 999, 1 } };
	static const struct past all[] = { { 1, 1, 100, 1 }, { 2, 1, 200, 1 }, { 4, 1, 999, 1 } };
	struct lm_range range = { 1, 100, 1 };
	struct lm_sweep sweep = {
		.ranges = &range, .count = 1, .until = LM_UNTIL_PEAK, .tolerance = 0.05
	};

	(void)state;
	/* 4 is out, 3 may be better than 2 */
	check_past(&lm_policy_peak, &sweep, past, 3, 3);
	check_past(&lm_policy_peak, &sweep, all, 3, 0);
}

/* --- the list ------------------------------------------------------------------------------ */

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(lm_policy_find("fixed"), &lm_policy_fixed);
	assert_ptr_equal(lm_policy_find("peak"), &lm_policy_peak);
	assert_null(lm_policy_find("fix"));
	assert_null(lm_policy_find(""));
}

static void test_list(void **state)
{
	struct lm_error err = { 0 };

	(void)state;
	assert_int_equal(lm_policies_check(&err), 0);
	assert_int_equal(err.code, LM_ERR_NONE);
	assert_true(lm_policy_fixed.foreseeable);
	assert_true(lm_policy_points.foreseeable);
	assert_false(lm_policy_adaptive.foreseeable || lm_policy_newton.foreseeable ||
		     lm_policy_peak.foreseeable);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_transcript),
		cmocka_unit_test(test_high_start),
		cmocka_unit_test(test_reaim),
		cmocka_unit_test(test_newton),
		cmocka_unit_test(test_invalid_step),
		cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_until_crossover),
		cmocka_unit_test(test_until_peak),
		cmocka_unit_test(test_invalid_in_a_row),
		cmocka_unit_test(test_guard),
		cmocka_unit_test(test_until_errors),
		cmocka_unit_test(test_peak_of_invalid_steps),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests_name("policies", tests, NULL, NULL);
}
