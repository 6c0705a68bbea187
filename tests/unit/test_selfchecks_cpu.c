/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The self-checks of the kinds that stay within their process: every kind, with one operation or
 * one library call gone wrong, fails, and is all right again the next time. See spoil.h.
 */
#include "spoil.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Kinds that have been seen to fail. */
static const struct lm_job *failed[64];
static size_t failed_count;

static bool has_failed(const struct lm_job *job)
{
	for (size_t i = 0; i < failed_count; i++)
		if (failed[i] == job)
			return true;
	return false;
}

static void assert_ok(const struct lm_job *job)
{
	fault = (struct fault){ 0 };
	if (run_spoilt(job, LM_SEMANTICS_AIM7) != LM_JOB_OK)
		fail_msg("%s: %s", job->name, reported);
}

/* With the fault the kind fails and its report holds the word; without, it is all right again. */
static void assert_seen(const char *kind, struct fault planted, const char *word)
{
	const struct lm_job *job = find_spoilt(kind);
	const char *what = planted.function ? planted.function : "an operation";
	enum lm_outcome outcome;

	fault = planted;
	outcome = run_spoilt(job, LM_SEMANTICS_AIM7);
	if (fault.operations || fault.calls)
		fail_msg("%s never came to the wrong %s", kind, what);
	if (outcome != LM_JOB_FAILED)
		fail_msg("%s ended with outcome %d though %s went wrong", kind, (int)outcome, what);
	if (!strstr(reported, word))
		fail_msg("%s reported \"%s\"; want something on %s", kind, reported, word);
	if (!has_failed(job)) {
		assert_true(failed_count < sizeof(failed) / sizeof(failed[0]));
		failed[failed_count++] = job;
	}
	assert_ok(job);
}

/* ---- arithmetic ---- */

/* The last operation; the factor is in thousands, and three barriers come before the loops. An
 * earlier fault would only grow, and overflow or divide by zero. */
static void assert_arithmetic(const struct lm_job *family)
{
	for (const struct lm_job *job = family; job->name; job++)
		assert_seen(job->name, (struct fault){ .operations = job->factor * 1000ull + 3 },
			    "as at the start");
}

static void test_integer_kinds(void **state)
{
	(void)state;
	assert_arithmetic(spoilt_integer);
}

static void test_float_kinds(void **state)
{
	(void)state;
	assert_arithmetic(spoilt_float);
}

/* An early fault stays in a sum and spoils a product, in numbers that cannot overflow. */
static void test_float_kinds_see_an_early_fault(void **state)
{
	(void)state;
	assert_seen("mul_double", (struct fault){ .operations = 10 }, "as at the start");
	assert_seen("mul_float", (struct fault){ .operations = 10 }, "as at the start");
	assert_seen("add_double", (struct fault){ .operations = 10 }, "as at the start");
	assert_seen("add_float", (struct fault){ .operations = 10 }, "as at the start");
	assert_seen("div_double", (struct fault){ .operations = 10 }, "as at the start");
	assert_seen("div_float", (struct fault){ .operations = 10 }, "as at the start");
}

/* ---- kinds with functions ---- */

struct seam {
	const char *kind;
	const char *functions; /* each of them in turn goes wrong, */
	uint64_t call;         /* the so manieth time */
	const char *word;      /* which the report must hold; NULL: the function's name */
};

static void assert_each(const struct seam *seam)
{
	char *functions = strdup(seam->functions), *rest = functions, *function;

	assert_non_null(functions);
	while ((function = strsep(&rest, " ")))
		assert_seen(seam->kind, (struct fault){ function, 0, seam->call },
			    seam->word ? seam->word : function);
	free(functions);
}

static void assert_all(const struct seam *seam)
{
	for (; seam->kind; seam++)
		assert_each(seam);
}

/* The multiples of 2 are the first to go in the last of five passes, of 2,775,208 in each. */
static void test_sieve_and_calls(void **state)
{
	static const struct seam seams[] = {
		{ "sieve", "memset", 5, "left marked" }, { "fun_cal", "fun_cal", 512000, "add" },
		{ "fun_cal1", "fun_cal1", 1, "add" },    { "fun_cal2", "fun_cal2", 1, "add" },
		{ "fun_cal15", "fun_cal15", 1, "add" },  { 0 },
	};

	(void)state;
	assert_all(seams);
	assert_seen("sieve", (struct fault){ .operations = 13876040 - 2775208 + 1 }, "left marked");
}

static void test_sieve_without_memory_is_no_resource(void **state)
{
	(void)state;
	fault = (struct fault){ "malloc", 0, 1 };
	assert_int_equal(run_spoilt(find_spoilt("sieve"), LM_SEMANTICS_AIM7), LM_JOB_NO_RESOURCE);
	assert_non_null(strstr(reported, "malloc"));
}

/* matrix_rtns: a value drawn, a multiply-add of the first point, one of the last (20 + 16 barriers
 * a point); array_rtns: an operation of the last system; series_1: the first sum, and a later sine.
 */
static void test_numeric_kinds(void **state)
{
	(void)state;
	assert_seen("matrix_rtns", (struct fault){ .operations = 2 }, "points");
	assert_seen("matrix_rtns", (struct fault){ .operations = 21 }, "points");
	assert_seen("matrix_rtns", (struct fault){ .operations = 3600 }, "points");
	assert_seen("array_rtns", (struct fault){ .operations = 5000000 }, "is off by");
	assert_seen("series_1", (struct fault){ .operations = 2 }, "series");
	assert_seen("series_1", (struct fault){ "sin", 0, 100 }, "series");
	assert_seen("new_raph", (struct fault){ "sin", 0, 2000 }, "Newton");
}

static void test_mathematics(void **state)
{
	static const struct seam seams[] = {
		{ "num_rtns_1",
		  "floor exp ceil log10 modf log frexp ldexp abs fabs fmod sqrt pow srand rand "
		  "labs",
		  57, "check sum" },
		{ "trig_rtns", "sin asin cos acos tan atan tanh atan2 sinh cosh", 7777,
		  "check sum" },
		{ 0 },
	};

	(void)state;
	assert_all(seams);
}

static void test_library(void **state)
{
	static const struct seam seams[] = {
		{ "mem_rtns_1", "strcpy calloc", 101, "read back wrong" },
		{ "mem_rtns_2", "memset memchr memcmp memcpy memmove", 20, "wrong result" },
		{ "sort_rtns_1", "qsort", 5, NULL },
		{ "sort_rtns_1", "bsearch", 1, NULL },
		{ "ram_copy", "memcpy", 64, "differs" },
		{ "jmp_test", "longjmp", 1000, NULL },
		{ "signal_test", "kill", 1000, "was not caught" },
		{ 0 },
	};

	(void)state;
	assert_all(seams);
}

static void test_strings(void **state)
{
	static const struct seam seam = {
		"string_rtns",
		"atof atoi atol ctime isalpha sprintf strcat strcmp strcoll strcpy strcspn strlen "
		"strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtol tolower "
		"toupper",
		1, "string functions"
	};

	(void)state;
	assert_each(&seam);
}

/* False in a container whose user has no passwd or group entry. */
static bool misc_is_supported(const struct lm_job *job)
{
	char why[256];

	fault = (struct fault){ 0 };
	return job->supported(&(struct lm_job_ctx){ .job = job }, why, sizeof(why)) == LM_JOB_OK;
}

static void test_questions(void **state)
{
	static const struct seam seam = {
		"misc_rtns_1",
		"ctermid getgroups getenv getpwnam getpwuid getgrgid getcwd uname times", 10, NULL
	};

	(void)state;
	if (!misc_is_supported(find_spoilt(seam.kind)))
		skip();
	assert_each(&seam);
}

static void test_no_kind_was_forgotten(void **state)
{
	(void)state;
	for (size_t i = 0; spoilt_families[i]; i++)
		for (const struct lm_job *job = spoilt_families[i]; job->name; job++)
			if (!has_failed(job) && !(job->supported && !misc_is_supported(job)))
				fail_msg("no fault of %s was tried", job->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integer_kinds),
		cmocka_unit_test(test_float_kinds),
		cmocka_unit_test(test_float_kinds_see_an_early_fault),
		cmocka_unit_test(test_sieve_and_calls),
		cmocka_unit_test(test_sieve_without_memory_is_no_resource),
		cmocka_unit_test(test_numeric_kinds),
		cmocka_unit_test(test_mathematics),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_no_kind_was_forgotten),
	};

	return cmocka_run_group_tests_name("selfchecks_cpu", tests, prepare_spoilt, NULL);
}
