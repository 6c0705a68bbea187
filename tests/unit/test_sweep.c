/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/sweep.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_range(void **state)
{
	static const struct {
		struct lm_range range;
		unsigned steps, at[5];
	} cases[] = {
		{ { 4, 4, 1 }, 1, { 4 } },
		{ { 1, 10, 4 }, 4, { 1, 5, 9, 10 } }, /* the end is always the last */
		{ { 1, 9, 4 }, 3, { 1, 5, 9 } },
		{ { 4, 32, 100 }, 2, { 4, 32 } },
		{ { 1, 3, 1 }, 3, { 1, 2, 3 } },
		{ { 7, 7, 5 }, 1, { 7 } },
		{ { 1, LM_MAX_TASKS, LM_MAX_TASKS }, 2, { 1, LM_MAX_TASKS } },
		{ { 1, LM_MAX_TASKS, 499999 }, 4, { 1, 500000, 999999, LM_MAX_TASKS } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(lm_range_steps(&cases[i].range), cases[i].steps);
		for (unsigned k = 0; k < cases[i].steps; k++)
			assert_int_equal(lm_range_at(&cases[i].range, k), cases[i].at[k]);
	}
}

static void test_parse(void **state)
{
	static const struct {
		const char *text;
		size_t count;
		struct lm_range ranges[4];
	} cases[] = {
		{ "4", 1, { { 4, 4, 1 } } },
		{ "4-32", 1, { { 4, 32, 1 } } },
		{ "4-32:4", 1, { { 4, 32, 4 } } },
		{ "4-4", 1, { { 4, 4, 1 } } },
		{ "007", 1, { { 7, 7, 1 } } },
		{ "1000000", 1, { { 1000000, 1000000, 1 } } },
		{ "00000000000000000001", 1, { { 1, 1, 1 } } },
		{ "1,5,9,50", 4, { { 1, 1, 1 }, { 5, 5, 1 }, { 9, 9, 1 }, { 50, 50, 1 } } },
		{ "64,1-10:4,2", 3, { { 64, 64, 1 }, { 1, 10, 4 }, { 2, 2, 1 } } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lm_sweep sweep = { 0 };
		struct lm_error err = { 0 };

		assert_int_equal(lm_sweep_parse(cases[i].text, "--tasks", &sweep, &err), 0);
		assert_int_equal(err.code, LM_ERR_NONE);
		assert_int_equal(sweep.count, cases[i].count);
		for (size_t k = 0; k < sweep.count; k++) {
			assert_int_equal(sweep.ranges[k].start, cases[i].ranges[k].start);
			assert_int_equal(sweep.ranges[k].end, cases[i].ranges[k].end);
			assert_int_equal(sweep.ranges[k].step, cases[i].ranges[k].step);
		}
		lm_sweep_free(&sweep);
		assert_null(sweep.ranges);
	}
}

static void test_parse_open(void **state)
{
	struct lm_sweep sweep = { 0 };

	(void)state;
	assert_int_equal(lm_sweep_parse("4-", "--tasks", &sweep, NULL), 0);
	assert_true(sweep.open);
	assert_int_equal(sweep.ranges[0].start, 4);
	assert_int_equal(sweep.ranges[0].end, LM_MAX_TASKS);
	assert_int_equal(sweep.ranges[0].step, 1);
	lm_sweep_free(&sweep);
	assert_int_equal(lm_sweep_parse("1-:3", "--tasks", &sweep, NULL), 0);
	assert_true(sweep.open);
	assert_int_equal(sweep.ranges[0].step, 3);
	lm_sweep_free(&sweep);
}

static void test_parse_errors(void **state)
{
	static const struct {
		const char *text;
		long column;
		const char *found, *expected;
	} cases[] = {
		{ "", 1, "the end", "a task count" },
		{ "x", 1, "'x'", "4-32:4" },
		{ " 4", 1, "' 4'", "a task count" },
		{ "-4", 1, "'-4'", "a task count" },
		{ "0", 1, "0 is too small", "1 to 1000000" },
		{ "1000001", 1, "1000001 is too big", "1 to 1000000" },
		{ "99999999999999999999999999", 1, "is too big", "1 to 1000000" },
		{ "4,0", 3, "0 is too small", "1 to" },
		{ "4-,8", 0, "'4-,8' is a list", "must be alone" },
		{ "4,8-:2", 0, "is a list", "must be alone" },
		{ "4-:", 4, "the end", "the step" },
		{ "4-x", 3, "'x'", "the end of the range" },
		{ "32-4", 4, "ends at 4, below its start 32", "write 4-32" },
		{ "4-32:", 6, "the end", "the step" },
		{ "4-32:0", 6, "0 is too small", "1 to" },
		{ "4:2", 2, "':2'", "','" },
		{ "4-8:2:2", 6, "':2'", "','" },
		{ "4,,8", 3, "','", "a task count" },
		{ ",4", 1, "','", "a task count" },
		{ "4,", 3, "the end", "a task count" },
		{ "4 8", 2, "' 8'", "','" },
		{ "4-8x", 4, "'x'", "','" },
		{ "1,5,9.5", 6, "'.5'", "','" },
		{ "4\n", 2, "'\\x0a'", "','" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lm_sweep sweep = { 0 };
		struct lm_error err = { 0 };

		assert_int_equal(lm_sweep_parse(cases[i].text, "--tasks", &sweep, &err), -1);
		assert_int_equal(err.code, LM_ERR_INPUT);
		assert_string_equal(err.source, "--tasks");
		assert_int_equal(err.column, cases[i].column);
		if (!strstr(err.text, cases[i].found) || !strstr(err.text, cases[i].expected))
			fail_msg("'%s': '%s' lacks '%s' or '%s'", cases[i].text, err.text,
				 cases[i].found, cases[i].expected);
		assert_null(sweep.ranges);
		assert_int_equal(sweep.count, 0);
	}
	assert_int_equal(lm_sweep_parse("x", "--tasks", &(struct lm_sweep){ 0 }, NULL), -1);
}

static void test_cpus(void **state)
{
	static const struct {
		const char *text;
		size_t count;
		unsigned cpus[9];
	} cases[] = {
		{ "0", 1, { 0 } },
		{ "0-3", 4, { 0, 1, 2, 3 } },
		{ "0-3,8-14:2", 8, { 0, 1, 2, 3, 8, 10, 12, 14 } },
		{ "8-15:3", 3, { 8, 11, 14 } }, /* unlike a sweep: the end only if it is hit */
		{ "9,1,9,0-1", 3, { 0, 1, 9 } },
		{ "15", 1, { 15 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lm_error err = { 0 };
		unsigned *cpus = NULL;
		size_t count = 0;

		assert_int_equal(lm_cpus_parse(cases[i].text, "--cpus", 16, &cpus, &count, &err),
				 0);
		assert_int_equal(count, cases[i].count);
		for (size_t k = 0; k < count; k++)
			assert_int_equal(cpus[k], cases[i].cpus[k]);
		free(cpus);
	}
}

static void test_cpus_errors(void **state)
{
	static const struct {
		const char *text;
		long column;
		const char *part;
	} cases[] = {
		{ "", 1, "a processor number" },   { "16", 1, "16 is too big, expected 0 to 15" },
		{ "0-16", 3, "16 is too big" },    { "3-1", 3, "ends at 1, below its start 3" },
		{ "0-3:0", 5, "0 is too small" },  { "0-", 3, "the end of the range" },
		{ "0,", 3, "a processor number" }, { "all", 1, "'all'" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lm_error err = { 0 };
		unsigned *cpus = NULL;
		size_t count = 0;

		assert_int_equal(lm_cpus_parse(cases[i].text, "--cpus", 16, &cpus, &count, &err),
				 -1);
		assert_string_equal(err.source, "--cpus");
		assert_int_equal(err.column, cases[i].column);
		assert_non_null(strstr(err.text, cases[i].part));
		assert_null(cpus);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_range),        cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_errors), cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_cpus_errors),  cmocka_unit_test(test_parse_open),
	};

	return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
