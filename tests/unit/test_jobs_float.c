/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The floating-point, sieve, function-call, numeric and mathematics kinds, and re-aim-7's ram_copy:
 * how they are described, and how many operations and calls a job makes. These are counted through
 * the seams of spoil.h; all figures are the specification's (docs/jobs.md).
 */
#include "spoil.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "jobs/jobs.h"

static const struct lm_job published[] = {
	{ "add_double", "Thousand Double Precision Additions", LM_CLASS_CPU_FLOAT,
	  .factor = 18000 },
	{ "add_float", "Thousand Single Precision Additions", LM_CLASS_CPU_FLOAT, .factor = 12000 },
	{ "mul_double", "Thousand Double Precision Multiplies", LM_CLASS_CPU_FLOAT,
	  .factor = 12000 },
	{ "mul_float", "Thousand Single Precision Multiplies", LM_CLASS_CPU_FLOAT,
	  .factor = 12000 },
	{ "div_double", "Thousand Double Precision Divides", LM_CLASS_CPU_FLOAT, .factor = 3000 },
	{ "div_float", "Thousand Single Precision Divides", LM_CLASS_CPU_FLOAT, .factor = 3000 },
	{ "sieve", "Integer Sieves", LM_CLASS_CPU_INT, .factor = 5 },
	{ "num_rtns_1", "Numeric Functions", LM_CLASS_LIBC, .factor = 100 },
	{ "trig_rtns", "Trigonometric Functions", LM_CLASS_LIBC, .factor = 10000 },
	{ "matrix_rtns", "Point Transformations", LM_CLASS_CPU_FLOAT, .factor = 100 },
	{ "array_rtns", "Linear Systems Solved", LM_CLASS_CPU_FLOAT, .factor = 20 },
	{ "new_raph", "Zeros Found", LM_CLASS_CPU_FLOAT, .factor = 200 },
	{ "series_1", "Series Evaluations", LM_CLASS_CPU_FLOAT, .factor = 100 },
	{ "ram_copy", "Memory to Memory Copy", LM_CLASS_MEMORY, .factor = 25020 },
	{ "fun_cal", "Function Calls (no arguments)", LM_CLASS_CPU_INT, .factor = 512000 },
	{ "fun_cal1", "Function Calls (1 argument)", LM_CLASS_CPU_INT, .factor = 512000 },
	{ "fun_cal2", "Function Calls (2 arguments)", LM_CLASS_CPU_INT, .factor = 512000 },
	{ "fun_cal15", "Function Calls (15 arguments)", LM_CLASS_CPU_INT, .factor = 512000 },
};

/* The shipped kind, without any seam. */
static const struct lm_job *find(const char *name)
{
	for (size_t i = 0; lm_jobs[i]; i++)
		for (const struct lm_job *job = lm_jobs[i]; job->name; job++)
			if (strcmp(job->name, name) == 0)
				return job;
	fail_msg("there is no kind %s", name);
	return NULL;
}

static void assert_ok(const struct lm_job *job, enum lm_semantics semantics)
{
	if (run_spoilt(job, semantics) != LM_JOB_OK)
		fail_msg("%s: %s", job->name, reported);
}

static void test_descriptors_are_as_published(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		const struct lm_job *want = &published[i], *job = find(want->name);

		assert_string_equal(job->unit, want->unit);
		assert_int_equal(job->class, want->class);
		assert_int_equal(job->factor, want->factor);
		assert_int_equal(job->ops_per, LM_OPS_PER_RUN);
		assert_int_equal(job->flags, 0);
	}
}

/* The values that kinds draw go on where the last job ended, and through all of them again. */
static void test_every_kind_runs_again_and_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		const struct lm_job *job = find(published[i].name);

		if (job->prepare)
			assert_int_equal(job->prepare(), 0);
		assert_ok(job, LM_SEMANTICS_AIM7);
		assert_ok(job, LM_SEMANTICS_REAIM);
	}
	for (int n = 0; n < 120; n++) {
		assert_ok(find("num_rtns_1"), LM_SEMANTICS_AIM7);
		assert_ok(find("series_1"), LM_SEMANTICS_AIM7);
		assert_ok(find("matrix_rtns"), LM_SEMANTICS_AIM7);
		if (n % 40 == 0)
			assert_ok(find("trig_rtns"), LM_SEMANTICS_AIM7);
	}
}

/* ---- counts ---- */

enum { MANY = INT_MAX };

/* Operations of a job that a barrier follows. */
static uint64_t operations(const char *kind)
{
	const struct lm_job *job = find_spoilt(kind);

	fault = (struct fault){ .operations = MANY };
	assert_ok(job, LM_SEMANTICS_AIM7);
	return MANY - fault.operations;
}

static uint64_t calls(const char *kind, enum lm_semantics semantics, const char *function)
{
	const struct lm_job *job = find_spoilt(kind);

	fault = (struct fault){ function, 0, MANY };
	assert_ok(job, semantics);
	return MANY - fault.calls;
}

/* Three more, before the loops, see that the compiler does not know the operands. */
static void test_floating_point_operations(void **state)
{
	(void)state;
	assert_int_equal(operations("add_double"), 18000000 + 3);
	assert_int_equal(operations("add_float"), 12000000 + 3);
	assert_int_equal(operations("mul_double"), 12000000 + 3);
	assert_int_equal(operations("mul_float"), 12000000 + 3);
	assert_int_equal(operations("div_double"), 3000000 + 3);
	assert_int_equal(operations("div_float"), 3000000 + 3);
}

static void test_sieve_clears_its_multiples(void **state)
{
	(void)state;
	assert_int_equal(operations("sieve"), 13876040);
}

/* 2,000 draws and 16 multiply-adds a point. */
static void test_matrix_rtns_multiplies(void **state)
{
	(void)state;
	assert_int_equal(operations("matrix_rtns"), 2000 + 100 * 16);
}

/* Multiply-subtracts and divisions. */
static void test_array_rtns_solves(void **state)
{
	(void)state;
	assert_int_equal(operations("array_rtns"), 5511450 + 37450);
}

/* The first job after the fork draws the first 100 values, which take 256 terms. The fifth from it
 * draws these again. */
static void test_series_1_adds_its_terms(void **state)
{
	(void)state;
	assert_int_equal(find_spoilt("series_1")->prepare(), 0);
	assert_int_equal(operations("series_1"), 100 + 256);
	for (int n = 0; n < 4; n++)
		assert_int_equal(calls("series_1", LM_SEMANTICS_AIM7, "sin"), 100);
	assert_int_equal(operations("series_1"), 100 + 256);
}

/* Two sines and two cosines a step, of which there are 1,051 and 992. */
static void test_new_raph_makes_its_steps(void **state)
{
	(void)state;
	assert_int_equal(calls("new_raph", LM_SEMANTICS_AIM7, "sin"), 2 * 1051);
	assert_int_equal(calls("new_raph", LM_SEMANTICS_AIM7, "cos"), 2 * 1051);
	assert_int_equal(calls("new_raph", LM_SEMANTICS_REAIM, "sin"), 2 * 992);
	assert_int_equal(calls("new_raph", LM_SEMANTICS_REAIM, "cos"), 2 * 992);
}

static void test_function_calls(void **state)
{
	(void)state;
	assert_int_equal(calls("fun_cal", LM_SEMANTICS_REAIM, "fun_cal"), 512000);
	assert_int_equal(calls("fun_cal1", LM_SEMANTICS_REAIM, "fun_cal1"), 512000);
	assert_int_equal(calls("fun_cal2", LM_SEMANTICS_REAIM, "fun_cal2"), 512000);
	assert_int_equal(calls("fun_cal15", LM_SEMANTICS_REAIM, "fun_cal15"), 512000);
}

static void assert_calls(const char *kind, const char *const *functions, uint64_t want)
{
	for (; *functions; functions++)
		if (calls(kind, LM_SEMANTICS_AIM7, *functions) != want)
			fail_msg("%s does not call %s %u times", kind, *functions, (unsigned)want);
}

/* 16 functions once in each of 100 rounds, 10 in each of 10,000. */
static void test_mathematical_calls(void **state)
{
	static const char *const numeric[] = { "floor", "exp",   "ceil", "log10", "modf", "log",
					       "frexp", "ldexp", "abs",  "fabs",  "fmod", "sqrt",
					       "pow",   "srand", "rand", "labs",  NULL };
	static const char *const trigonometric[] = { "sin",  "asin",  "cos",  "acos", "tan", "atan",
						     "tanh", "atan2", "sinh", "cosh", NULL };

	(void)state;
	assert_calls("num_rtns_1", numeric, 100);
	assert_calls("trig_rtns", trigonometric, 10000);
}

static void test_ram_copy_copies_its_bytes(void **state)
{
	(void)state;
	bytes_copied = 0;
	assert_int_equal(calls("ram_copy", LM_SEMANTICS_AIM7, "memcpy"), 64);
	assert_int_equal(bytes_copied, 25020);
	bytes_copied = 0;
	assert_int_equal(calls("ram_copy", LM_SEMANTICS_REAIM, "memcpy"), 100);
	assert_int_equal(bytes_copied, 139996);
}

/* ---- the sieve of other sizes ---- */

/* The number of primes below 2^10, 2^12, 2^16 and 10^6, as published; 0 and 1 stay marked as well.
 * Found by spoiling a job, as it then tells what it wants. */
static void test_sieve_knows_what_is_left(void **state)
{
	static const struct {
		uint64_t size;
		const char *want;
	} sizes[] = {
		{ 1024, "want 174" },      { 4096, "want 566" },         { 65536, "want 6544" },
		{ 1000000, "want 78500" }, { 16 << 20, "want 1077873" },
	};
	struct lm_job job = *find_spoilt("sieve");

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct lm_job_param of_size[] = { job.params[0], { 0 } };
		struct lm_job other = job;

		of_size[0].fallback = sizes[i].size;
		other.params = of_size;
		fault = (struct fault){ "memset", 0, 5 };
		assert_int_equal(run_spoilt(&other, LM_SEMANTICS_AIM7), LM_JOB_FAILED);
		assert_non_null(strstr(reported, sizes[i].want));
		assert_ok(&other, LM_SEMANTICS_AIM7);
	}
}

static void test_sieve_has_its_sizes(void **state)
{
	const struct lm_job_param *size = find("sieve")->params;

	(void)state;
	assert_string_equal(size->name, "size");
	assert_true(size->is_size);
	assert_int_equal(size->fallback, 1000000);
	assert_int_equal(size->min, 1024);
	assert_int_equal(size->max, 256 << 20);
	assert_null(size[1].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_descriptors_are_as_published),
		cmocka_unit_test(test_every_kind_runs_again_and_again),
		cmocka_unit_test(test_floating_point_operations),
		cmocka_unit_test(test_sieve_clears_its_multiples),
		cmocka_unit_test(test_matrix_rtns_multiplies),
		cmocka_unit_test(test_array_rtns_solves),
		cmocka_unit_test(test_series_1_adds_its_terms),
		cmocka_unit_test(test_new_raph_makes_its_steps),
		cmocka_unit_test(test_function_calls),
		cmocka_unit_test(test_mathematical_calls),
		cmocka_unit_test(test_ram_copy_copies_its_bytes),
		cmocka_unit_test(test_sieve_knows_what_is_left),
		cmocka_unit_test(test_sieve_has_its_sizes),
	};

	return cmocka_run_group_tests_name("jobs_float", tests, prepare_spoilt, NULL);
}
