/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/mix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct lm_job plain = { .name = "plain" };
static const struct lm_job in_dir = { .name = "in_dir", .flags = LM_JOB_DIR };
static const struct lm_job common = { .name = "common", .flags = LM_JOB_DIR | LM_JOB_COMMON };

static void add(struct lm_mix *mix, uint64_t weight)
{
	assert_int_equal(lm_mix_add(mix, &plain, weight, (long)mix->count + 1), 0);
}

/* The published mixes: weights in file order, ended by 0; their total; jobs a task of 100. */
static const struct {
	const char *name;
	uint64_t total;
	unsigned jobs;
	uint64_t weights[60];
} published[] = {
	{ "fserver", 595, 101, { 20, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30, 10, 10, 10, 10, 20,
				 40, 10, 20, 10, 10, 10, 20, 10, 30, 30, 5,  5,  5,  10, 40 } },
	{ "dbase", 550, 99, { 20, 20, 20, 40, 40, 10, 10, 10, 10, 40, 40, 10,
			      10, 10, 40, 20, 40, 30, 30, 10, 30, 30, 30 } },
	{ "shared", 780, 97, { 30, 30, 30, 30, 30, 10, 10, 10, 10, 10, 20, 20, 20, 20,
			       20, 20, 10, 10, 10, 10, 10, 20, 10, 10, 10, 10, 10, 10,
			       10, 20, 20, 20, 20, 20, 10, 10, 10, 10, 10, 10, 10, 20,
			       10, 10, 10, 10, 30, 10, 10, 10, 10, 10, 10 } },
	{ "compute", 820, 101, { 50, 30, 30, 10, 10, 30, 10, 20, 40, 30, 50, 40, 40,
				 50, 30, 30, 40, 40, 50, 40, 10, 30, 20, 30, 40, 20 } },
	{ "new_dbase", 570, 103, { 20, 20, 20, 40, 40, 10, 10, 10, 10, 40, 40, 10, 10,
				   10, 40, 20, 40, 30, 30, 10, 30, 10, 10, 30, 30 } },
	{ "new_fserver", 580, 98, { 20, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30, 10, 10, 10,
				    10, 20, 40, 10, 20, 10, 10, 10, 20, 10, 30, 30, 10, 40 } },
};

static void test_published_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(published); i++) {
		struct lm_mix mix = { 0 };

		for (size_t k = 0; published[i].weights[k]; k++)
			add(&mix, published[i].weights[k]);
		assert_int_equal(mix.total_weight, published[i].total);
		lm_mix_count_jobs(&mix, 100);
		assert_int_equal(mix.jobs_per_task, published[i].jobs);
		lm_mix_free(&mix);
	}
}

/* A line of mixes.tsv: name, file size, pool size, total weight, jobs, "kind:weight ...". */
static void check_mix_line(char *line)
{
	struct lm_mix mix = { 0 };
	char *fields[6], *entry, *rest = NULL;

	for (size_t i = 0; i < 6; i++)
		fields[i] = strsep(&line, "\t\n");
	assert_non_null(fields[5]);
	for (entry = strtok_r(fields[5], " ", &rest); entry; entry = strtok_r(NULL, " ", &rest))
		add(&mix, strtoull(strchr(entry, ':') + 1, NULL, 10));
	assert_int_equal(mix.total_weight, strtoull(fields[3], NULL, 10));
	lm_mix_count_jobs(&mix, 100);
	assert_int_equal(mix.jobs_per_task, strtoull(fields[4], NULL, 10));
	lm_mix_free(&mix);
}

static void test_all_published_counts(void **state)
{
	const char *shared = getenv("LOADMIX_SHARED");
	char path[4096], line[8192];
	int mixes = 0;
	FILE *file;

	(void)state;
	if (!shared)
		skip();
	snprintf(path, sizeof(path), "%s/data/mixes.tsv", shared);
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		check_mix_line(line);
		mixes++;
	}
	fclose(file);
	assert_int_equal(mixes, 15);
}

static void check_counts(const uint64_t *weights, size_t n, unsigned jobs, const unsigned *expected)
{
	struct lm_mix mix = { 0 };
	unsigned sum = 0;

	for (size_t i = 0; i < n; i++)
		add(&mix, weights[i]);
	lm_mix_count_jobs(&mix, jobs);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(mix.entries[i].jobs, expected[i]);
		sum += expected[i];
	}
	assert_int_equal(mix.jobs_per_task, sum);
	lm_mix_free(&mix);
}

static void test_rounding(void **state)
{
	(void)state;
	/* 1/8 * 100 = 12.5 -> 13, 7/8 * 100 = 87.5 -> 88 */
	check_counts((uint64_t[]){ 1, 7 }, 2, 100, (unsigned[]){ 13, 88 });
	/* 1/3 * 100 = 33.3, 2/3 * 100 = 66.7 */
	check_counts((uint64_t[]){ 1, 2 }, 2, 100, (unsigned[]){ 33, 67 });
	/* 1/1000 * 100 = 0.1: would be 0, becomes 1 */
	check_counts((uint64_t[]){ 1, 999 }, 2, 100, (unsigned[]){ 1, 100 });
	check_counts((uint64_t[]){ 5, 5, 5 }, 3, 1, (unsigned[]){ 1, 1, 1 });
	check_counts((uint64_t[]){ 7 }, 1, 1, (unsigned[]){ 1 });
	/* the bounds: 1/(10^9 + 1) of 100000 jobs is 0.0001 */
	check_counts((uint64_t[]){ 1, LM_MAX_WEIGHT }, 2, LM_MAX_JOBS,
		     (unsigned[]){ 1, LM_MAX_JOBS });
	/* 1.499999995 and 3.500000005; 1.5 and 3.5: nothing is lost in between */
	check_counts((uint64_t[]){ 299999999, 700000001 }, 2, 5, (unsigned[]){ 1, 4 });
	check_counts((uint64_t[]){ 300000000, 700000000 }, 2, 5, (unsigned[]){ 2, 4 });
}

/* Counting again replaces what was counted before. */
static void test_recount(void **state)
{
	struct lm_mix mix = { 0 };

	(void)state;
	add(&mix, 1);
	add(&mix, 1);
	lm_mix_count_jobs(&mix, 100);
	lm_mix_count_jobs(&mix, 10);
	assert_int_equal(mix.entries[0].jobs, 5);
	assert_int_equal(mix.jobs_per_task, 10);
	lm_mix_free(&mix);
}

static void test_add_keeps_order_and_lines(void **state)
{
	struct lm_mix mix = { 0 };

	(void)state;
	for (long i = 0; i < 300; i++)
		assert_int_equal(lm_mix_add(&mix, i % 2 ? &plain : &in_dir, 1 + (uint64_t)i, 2 * i),
				 0);
	assert_int_equal(mix.count, 300);
	assert_int_equal(mix.total_weight, 300 * 301 / 2);
	for (long i = 0; i < 300; i++) {
		assert_ptr_equal(mix.entries[i].job, i % 2 ? &plain : &in_dir);
		assert_int_equal(mix.entries[i].weight, 1 + i);
		assert_int_equal(mix.entries[i].line, 2 * i);
	}
	lm_mix_free(&mix);
	assert_int_equal(mix.count, 0);
	assert_null(mix.entries);
}

static void test_most_entries(void **state)
{
	struct lm_mix mix = { 0 };

	(void)state;
	for (size_t i = 0; i < LM_MAX_ENTRIES; i++) {
		if (lm_mix_add(&mix, &plain, 1, 1) < 0)
			fail_msg("entry %zu was refused", i);
	}
	assert_int_equal(lm_mix_add(&mix, &plain, 1, 1), -1);
	assert_int_equal(mix.count, LM_MAX_ENTRIES);
	assert_int_equal(mix.total_weight, LM_MAX_ENTRIES);
	lm_mix_free(&mix);
}

static void test_needs(void **state)
{
	struct lm_mix mix = { 0 };

	(void)state;
	assert_false(lm_mix_needs(&mix, LM_JOB_DIR));
	add(&mix, 1);
	assert_false(lm_mix_needs(&mix, LM_JOB_DIR | LM_JOB_COMMON));
	assert_int_equal(lm_mix_add(&mix, &in_dir, 1, 2), 0);
	assert_true(lm_mix_needs(&mix, LM_JOB_DIR));
	assert_true(lm_mix_needs(&mix, LM_JOB_DIR | LM_JOB_COMMON));
	assert_false(lm_mix_needs(&mix, LM_JOB_COMMON));
	assert_int_equal(lm_mix_add(&mix, &common, 1, 3), 0);
	assert_true(lm_mix_needs(&mix, LM_JOB_COMMON));
	lm_mix_free(&mix);
}

static void test_sizes(void **state)
{
	struct lm_mix mix = { .filesize_kib = 10240, .poolsize_kib = 20480 };

	(void)state;
	/* 10M + 20M / tasks, in KiB: 20480 / 3 = 6826.67 */
	assert_int_equal(lm_mix_file_kib(&mix, 1), 30720);
	assert_int_equal(lm_mix_file_kib(&mix, 3), 17066);
	assert_int_equal(lm_mix_file_kib(&mix, 4), 15360);
	assert_int_equal(lm_mix_file_kib(&mix, 1000000), 10240);

	add(&mix, 1);
	assert_int_equal(lm_mix_disk_kib(&mix, 4), 0); /* nothing works in a directory */
	assert_int_equal(lm_mix_add(&mix, &in_dir, 1, 2), 0);
	assert_int_equal(lm_mix_disk_kib(&mix, 1), 61440);
	assert_int_equal(lm_mix_disk_kib(&mix, 4), 76800);
	mix.filesize_kib = UINT64_MAX / 4;
	assert_int_equal(lm_mix_disk_kib(&mix, 4), UINT64_MAX);
	lm_mix_free(&mix);
}

static void test_step_timeout(void **state)
{
	struct lm_plan plan = { 0 };

	(void)state;
	assert_true(lm_step_timeout_s(&plan, 1) == 3660);
	assert_true(lm_step_timeout_s(&plan, 32) == 3600 + 60 * 32);
	assert_true(lm_step_timeout_s(&plan, 1000000) == 60003600);
	plan.step_timeout_s = 1.5;
	assert_true(lm_step_timeout_s(&plan, 32) == 1.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published_counts),
		cmocka_unit_test(test_all_published_counts),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_recount),
		cmocka_unit_test(test_add_keeps_order_and_lines),
		cmocka_unit_test(test_most_entries),
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_step_timeout),
	};

	return cmocka_run_group_tests_name("mix", tests, NULL, NULL);
}
