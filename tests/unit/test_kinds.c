/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/kinds.h"

#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static enum lm_outcome run(struct lm_job_ctx *ctx)
{
	(void)ctx;
	return LM_JOB_OK;
}

#define KIND(n, ...)                                                              \
	{                                                                         \
		.name = n, .unit = "Things", .factor = 1, .run = run, __VA_ARGS__ \
	}

static const struct lm_job family_a[] = {
	KIND("add_int", ), KIND("add_long", ), KIND("add_short", ), KIND("creat-clo", ), { 0 },
};
static const struct lm_job family_b[] = {
	KIND("disk_rr", .flags = LM_JOB_DIR),
	KIND("disk_rw", .flags = LM_JOB_DIR),
	KIND("disk_src", .flags = LM_JOB_DIR),
	KIND("sync_disk_rw", .flags = LM_JOB_DIR),
	{ 0 },
};
static const struct lm_job *const kinds[] = { family_a, family_b, NULL };
static const struct lm_job *const nothing[] = { NULL };

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(lm_kind_find(kinds, "add_int"), &family_a[0]);
	assert_ptr_equal(lm_kind_find(kinds, "add-int"), &family_a[0]);
	assert_ptr_equal(lm_kind_find(kinds, "creat_clo"), &family_a[3]);
	assert_ptr_equal(lm_kind_find(kinds, "sync_disk_rw"), &family_b[3]);
	assert_null(lm_kind_find(kinds, "add_in"));
	assert_null(lm_kind_find(kinds, "add_intx"));
	assert_null(lm_kind_find(kinds, ""));
	assert_null(lm_kind_find(nothing, "add_int"));
}

static void test_at(void **state)
{
	(void)state;
	assert_ptr_equal(lm_kind_at(kinds, 0), &family_a[0]);
	assert_ptr_equal(lm_kind_at(kinds, 3), &family_a[3]);
	assert_ptr_equal(lm_kind_at(kinds, 4), &family_b[0]);
	assert_ptr_equal(lm_kind_at(kinds, 7), &family_b[3]);
	assert_null(lm_kind_at(kinds, 8));
	assert_null(lm_kind_at(nothing, 0));
}

static void test_nearest(void **state)
{
	static const struct {
		const char *written, *expected;
	} cases[] = {
		{ "add_itn", "add_int" },
		{ "add_ong", "add_long, add_int" },
		{ "creatclo", "creat-clo" },
		{ "ADD-INT", "add_int" },
		{ "disk_rx", "disk_rr, disk_rw, disk_src" },
		{ "disk", "disk_rr, disk_rw, disk_src" },
		{ "quicksort", "" },
		{ "", "" },
	};
	char buf[100];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(lm_kind_nearest(kinds, cases[i].written, buf, sizeof(buf)),
				    cases[i].expected);
	assert_string_equal(lm_kind_nearest(nothing, "add_int", buf, sizeof(buf)), "");
}

static void test_nearest_in_little_space(void **state)
{
	char buf[12];

	(void)state;
	assert_string_equal(lm_kind_nearest(kinds, "disk_rx", buf, sizeof(buf)), "disk_rr");
	assert_string_equal(lm_kind_nearest(kinds, "disk_rx", buf, 1), "");
}

static void check_fault(const struct lm_job *job, const char *part)
{
	const struct lm_job table[] = { *job, { 0 } };
	const struct lm_job *const list[] = { family_a, table, NULL };
	struct lm_error err = { 0 };

	assert_int_equal(lm_kinds_check(list, &err), -1);
	assert_int_equal(err.code, LM_ERR_SYSTEM);
	assert_non_null(strstr(err.text, part));
}

static void test_check(void **state)
{
	static const struct lm_job no_name = KIND("", ), bad_name = KIND("a b", ),
				   twice = KIND("creat_clo", ),
				   no_unit = { .name = "x", .factor = 1, .run = run },
				   no_factor = { .name = "x", .unit = "U", .run = run },
				   no_run = { .name = "x", .unit = "U", .factor = 1 },
				   no_class = KIND("x", .class = LM_CLASS_COUNT),
				   no_dir = KIND("x", .flags = LM_JOB_COMMON);
	struct lm_error err = { 0 };

	(void)state;
	assert_int_equal(lm_kinds_check(kinds, &err), 0);
	assert_int_equal(err.code, LM_ERR_NONE);
	check_fault(&no_name, "name");
	check_fault(&bad_name, "'a b'");
	check_fault(&twice, "two job kinds are named 'creat_clo'");
	check_fault(&no_unit, "unit");
	check_fault(&no_factor, "operations");
	check_fault(&no_run, "run");
	check_fault(&no_class, "class");
	check_fault(&no_dir, "directory");
}

static void test_class_name(void **state)
{
	(void)state;
	assert_string_equal(lm_class_name(LM_CLASS_CPU_INT), "cpu-int");
	assert_string_equal(lm_class_name(LM_CLASS_FS_META), "fs-meta");
	assert_string_equal(lm_class_name(LM_CLASS_DISK), "disk");
	assert_string_equal(lm_class_name(LM_CLASS_SHELL), "shell");
	for (unsigned i = 0; i < LM_CLASS_COUNT; i++) {
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(lm_class_name((enum lm_job_class)i),
						lm_class_name((enum lm_job_class)k));
	}
	assert_string_equal(lm_class_name(LM_CLASS_COUNT), "unknown");
}

static void test_ops(void **state)
{
	struct lm_job job = { .factor = 3, .ops_per = LM_OPS_PER_RUN };

	(void)state;
	assert_int_equal(lm_job_ops(&job, NULL, 11), 3);
	assert_int_equal(lm_job_ops(&job, NULL, 0), 3);
	job.ops_per = LM_OPS_PER_BLOCK;
	assert_int_equal(lm_job_ops(&job, NULL, 11), 33);
	assert_int_equal(lm_job_ops(&job, NULL, 0), 0);
	job.ops_per = LM_OPS_PER_HALF_BLOCK;
	assert_int_equal(lm_job_ops(&job, NULL, 11), 15); /* 3 * floor(11 / 2) */
	assert_int_equal(lm_job_ops(&job, NULL, 1), 0);
	job.ops_per = LM_OPS_PER_BLOCK;
	assert_int_equal(lm_job_ops(&job, NULL, UINT64_MAX / 2), UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),    cmocka_unit_test(test_at),
		cmocka_unit_test(test_nearest), cmocka_unit_test(test_nearest_in_little_space),
		cmocka_unit_test(test_check),   cmocka_unit_test(test_class_name),
		cmocka_unit_test(test_ops),
	};

	return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
