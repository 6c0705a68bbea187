/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/judge.h"

#include <math.h>
#include <string.h>

static struct lm_change change_of(const double *base, size_t base_count, const double *now,
				  size_t now_count, bool more_is_better)
{
	struct lm_values b = { base, base_count, 0 }, n = { now, now_count, 0 };

	return lm_change_of(&b, &n, more_is_better);
}

/* The change of jobs/min between two sides. */
static struct lm_cell cell_of(const double *base, size_t base_count, const double *now,
			      size_t now_count)
{
	struct lm_cell cell = { .tasks = 4, .known = 1u << LM_FIG_JOBS_PER_MIN };

	cell.figures[LM_FIG_JOBS_PER_MIN] = change_of(base, base_count, now, now_count, true);
	return cell;
}

static struct lm_ruling rule(const struct lm_cell *cell, double limit)
{
	struct lm_ruling r;

	lm_judge(cell, LM_FIG_JOBS_PER_MIN, limit, &r);
	return r;
}

static const double quiet[] = { 100, 100.2, 99.8, 100.1, 99.9 };
static const double slow[] = { 90, 90.2, 89.8, 90.1, 89.9 };
static const double quick[] = { 140, 140.2, 139.8, 140.1, 139.9 };
static const double noisy[] = { 100, 130, 70, 115, 85 };

/* A loss of 10 % in noise of 0.2 %. */
static void test_bad(void **state)
{
	struct lm_cell cell = cell_of(quiet, 5, slow, 5);

	(void)state;
	assert_int_equal(rule(&cell, 5).judgement, LM_JUDGE_BAD);
	assert_int_equal(rule(&cell, 20).judgement, LM_JUDGE_GOOD);
	assert_false(rule(&cell, 5).improved);
}

static void test_good(void **state)
{
	struct lm_cell same = cell_of(quiet, 5, quiet, 5);
	struct lm_cell better = cell_of(quiet, 5, quick, 5);

	(void)state;
	assert_int_equal(rule(&same, 5).judgement, LM_JUDGE_GOOD);
	assert_false(rule(&same, 5).improved);
	assert_int_equal(rule(&better, 5).judgement, LM_JUDGE_GOOD);
	assert_true(rule(&better, 5).improved);
}

/* More jobs/min are good, more seconds are bad. */
static void test_direction(void **state)
{
	struct lm_cell cell = { .tasks = 4, .known = 1u << LM_FIG_REAL };
	struct lm_ruling r;

	(void)state;
	cell.figures[LM_FIG_REAL] = change_of(quiet, 5, quick, 5, false);
	lm_judge(&cell, LM_FIG_REAL, 5, &r);
	assert_int_equal(r.judgement, LM_JUDGE_BAD);
	cell.figures[LM_FIG_REAL] = change_of(quick, 5, quiet, 5, false);
	lm_judge(&cell, LM_FIG_REAL, 5, &r);
	assert_int_equal(r.judgement, LM_JUDGE_GOOD);
	assert_true(r.improved);
}

static void test_noise(void **state)
{
	struct lm_cell cell = cell_of(noisy, 5, noisy, 5);
	struct lm_ruling r = rule(&cell, 5);

	(void)state;
	assert_int_equal(r.judgement, LM_JUDGE_UNTOLD);
	assert_true(r.repeats_needed > 5);
	assert_non_null(strstr(r.text, "repeats"));
}

static void test_single(void **state)
{
	struct lm_cell cell = cell_of(quiet, 1, slow, 1);
	struct lm_ruling r = rule(&cell, 5);

	(void)state;
	assert_int_equal(r.judgement, LM_JUDGE_UNTOLD);
	assert_non_null(strstr(r.text, "single runs"));
}

static void test_invalid(void **state)
{
	struct lm_cell cell = cell_of(quiet, 5, quiet, 5);

	(void)state;
	cell.now_invalid = 1;
	assert_int_equal(rule(&cell, 5).judgement, LM_JUDGE_UNTOLD);
	cell.now_invalid = 0;
	cell.base_invalid = 1;
	assert_int_equal(rule(&cell, 5).judgement, LM_JUDGE_UNTOLD);
	cell.base_invalid = 0;
	cell.known = 0;
	assert_int_equal(rule(&cell, 5).judgement, LM_JUDGE_UNTOLD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad),       cmocka_unit_test(test_good),
		cmocka_unit_test(test_direction), cmocka_unit_test(test_noise),
		cmocka_unit_test(test_single),    cmocka_unit_test(test_invalid),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
