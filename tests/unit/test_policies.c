/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policies/policies.h"

#include <string.h>

/* Ask as a session does, and compare with the task counts expected. */
static void check_steps(const struct lm_policy *policy, struct lm_range *ranges, size_t range_count,
			const unsigned *expected, size_t n)
{
	const struct lm_sweep sweep = { ranges, range_count };
	unsigned tasks = 77;

	for (size_t i = 0; i < n; i++) {
		assert_int_equal(policy->next(&sweep, NULL, i, &tasks), 1);
		assert_int_equal(tasks, expected[i]);
	}
	assert_int_equal(policy->next(&sweep, NULL, n, &tasks), 0);
	assert_int_equal(policy->next(&sweep, NULL, n + 1, &tasks), 0);
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

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(lm_policy_find("fixed"), &lm_policy_fixed);
	assert_ptr_equal(lm_policy_find("points"), &lm_policy_points);
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
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests_name("policies", tests, NULL, NULL);
}
