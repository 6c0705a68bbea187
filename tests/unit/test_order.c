/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/mix.h"
#include "model/order.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct lm_job job = { .name = "job" };

/* A mix of so many jobs an entry; weights are not looked at. */
static void make_mix(struct lm_mix *mix, const unsigned *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(lm_mix_add(mix, &job, 1, 1), 0);
		mix->entries[i].jobs = jobs[i];
		mix->jobs_per_task += jobs[i];
	}
}

static void check_order(const unsigned *jobs, size_t n, enum lm_order order, uint64_t seed,
			unsigned task, const unsigned *expected)
{
	struct lm_mix mix = { 0 };
	uint16_t *out;

	make_mix(&mix, jobs, n);
	out = calloc(mix.jobs_per_task, sizeof(*out));
	assert_non_null(out);
	assert_int_equal(lm_order_fill(&mix, order, seed, task, out), 0);
	for (unsigned i = 0; i < mix.jobs_per_task; i++)
		assert_int_equal(out[i], expected[i]);
	free(out);
	lm_mix_free(&mix);
}

/*
 * Three entries with 2, 1 and 1 jobs. States s = s * 1103515245 + 12345 mod 2^64, draws
 * (s >> 16) & 32767, computed apart from this program.
 *
 * Start 0: s 12345, draw 0, mod 3 = 0               -> 0
 *          s 13622895711870, draw 21468, mod 3 = 0  -> 0, which has none left now
 *          s 17423423094097455071, draw 9988, = 1   -> 1, none left
 *          s 9039786828775103532, draw 22117, = 1, none left; only 2 has:
 *          s 12744206516323260149, draw 3498, mod 1 = 0th of (2) -> 2
 * Start 7: s 7724619060, draw 19564, mod 3 = 1      -> 1, none left
 *          s 8524234894527582045, draw 9806, = 2    -> 2, none left
 *          s 3444270722190692562, draw 10868, = 2, none left; only 0 has:
 *          s 8370960814090392995, draw 22674        -> 0
 *          s 18359143622224613536, draw 32531, = 2, none left; s ..., draw 3365 -> 0
 * Start 12345678901234567890:
 *          s 12206404692513638307, draw 16879, mod 3 = 1 -> 1, none left
 *          s 6166714700407888544, draw 27901, = 1, none left; 0 and 2 have:
 *          s 8776716242765678169, draw 30835, mod 2 = 1st of (0, 2) -> 2, none left
 *          s 17251513083948368414, draw 22207, = 1, none left; s ..., draw 25389 -> 0
 *          s 3101805484239618252, draw 25206, mod 3 = 0 -> 0
 */
static void test_aim7_by_hand(void **state)
{
	static const unsigned jobs[] = { 2, 1, 1 };
	static const unsigned from_0[] = { 0, 0, 1, 2 }, from_7[] = { 1, 2, 0, 0 },
			      from_big[] = { 1, 2, 0, 0 };

	(void)state;
	check_order(jobs, 3, LM_ORDER_AIM7, 0, 0, from_0);
	check_order(jobs, 3, LM_ORDER_AIM7, 0, 7, from_7);
	check_order(jobs, 3, LM_ORDER_AIM7, 5, 2, from_7); /* the seed is added to the task */
	check_order(jobs, 3, LM_ORDER_AIM7, 12345678901234567880u, 10, from_big);
	check_order(jobs, 3, LM_ORDER_AIM7, UINT64_MAX, 1, from_0); /* modulo 2^64 */
}

static const unsigned fserver_jobs[] = { 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5, 2, 2, 2, 2, 3,
					 7, 2, 3, 2, 2, 2, 3, 2, 5, 5, 1, 1, 1, 2, 7 };

/* All 101 jobs of task 3 of the file server mix, from a script of the formula in another
 * language. The first four draws are 17747, 7107, 10365 and 8312: mod 31 they are 15, 8, 11, 4. */
static void test_aim7_whole_task(void **state)
{
	static const unsigned expected[] = {
		15, 8,  11, 4,  7,  17, 19, 12, 26, 28, 1,  9,  30, 18, 2,  12, 23, 17, 5,  21, 9,
		10, 11, 20, 10, 8,  16, 10, 21, 4,  20, 29, 15, 13, 16, 27, 19, 2,  6,  7,  23, 13,
		5,  9,  30, 9,  3,  5,  24, 14, 3,  6,  1,  5,  30, 2,  9,  10, 5,  6,  6,  18, 24,
		4,  3,  8,  22, 0,  14, 1,  29, 25, 15, 16, 10, 18, 7,  25, 0,  30, 0,  22, 6,  8,
		8,  16, 24, 16, 16, 30, 24, 16, 7,  7,  30, 22, 24, 30, 25, 25, 25,
	};

	(void)state;
	assert_int_equal(COUNT(expected), 101);
	check_order(fserver_jobs, COUNT(fserver_jobs), LM_ORDER_AIM7, 0, 3, expected);
}

/* A mix of one entry; entries that have no job from the start. */
static void test_aim7_edges(void **state)
{
	static const unsigned one[] = { 3 }, some[] = { 0, 0, 2, 0 };
	static const unsigned zeros[] = { 0, 0, 0 }, twos[] = { 2, 2 };

	(void)state;
	check_order(one, 1, LM_ORDER_AIM7, 9, 4, zeros);
	check_order(some, 4, LM_ORDER_AIM7, 9, 4, twos);
}

/* Whatever the order, every entry gets exactly its jobs. */
static void check_counts(const struct lm_mix *mix, const uint16_t *order)
{
	unsigned seen[64] = { 0 };

	for (unsigned i = 0; i < mix->jobs_per_task; i++) {
		assert_true(order[i] < mix->count);
		seen[order[i]]++;
	}
	for (size_t i = 0; i < mix->count; i++)
		assert_int_equal(seen[i], mix->entries[i].jobs);
}

static void test_every_job_once(void **state)
{
	struct lm_mix mix = { 0 };
	uint16_t order[101];

	(void)state;
	make_mix(&mix, fserver_jobs, COUNT(fserver_jobs));
	assert_int_equal(mix.jobs_per_task, 101);
	for (unsigned task = 0; task < 500; task++) {
		assert_int_equal(lm_order_fill(&mix, LM_ORDER_AIM7, 0, task, order), 0);
		check_counts(&mix, order);
		assert_int_equal(lm_order_fill(&mix, LM_ORDER_SHUFFLE, 1, task, order), 0);
		check_counts(&mix, order);
	}
	lm_mix_free(&mix);
}

/* splitmix64 and Fisher-Yates from the top, written down in another language; that splitmix64
 * gave the published first output of seed 1234567, 6457827717110365317. */
static void test_shuffle_by_hand(void **state)
{
	static const unsigned jobs[] = { 2, 1, 1, 3 };
	static const unsigned seed_0_task_0[] = { 3, 2, 0, 3, 3, 0, 1 };
	static const unsigned seed_0_task_1[] = { 3, 3, 3, 2, 0, 0, 1 };
	static const unsigned seed_1_task_0[] = { 0, 3, 3, 0, 1, 3, 2 };

	(void)state;
	check_order(jobs, 4, LM_ORDER_SHUFFLE, 0, 0, seed_0_task_0);
	check_order(jobs, 4, LM_ORDER_SHUFFLE, 0, 1, seed_0_task_1);
	check_order(jobs, 4, LM_ORDER_SHUFFLE, 1, 0, seed_1_task_0);
}

static void test_shuffle_follows_the_seed(void **state)
{
	struct lm_mix mix = { 0 };
	uint16_t a[101], b[101];

	(void)state;
	make_mix(&mix, fserver_jobs, COUNT(fserver_jobs));
	assert_int_equal(lm_order_fill(&mix, LM_ORDER_SHUFFLE, 5, 3, a), 0);
	assert_int_equal(lm_order_fill(&mix, LM_ORDER_SHUFFLE, 5, 3, b), 0);
	assert_memory_equal(a, b, sizeof(a));
	assert_int_equal(lm_order_fill(&mix, LM_ORDER_SHUFFLE, 6, 3, b), 0);
	assert_memory_not_equal(a, b, sizeof(a));
	/* unlike aim7, another seed is not just another task's order */
	assert_int_equal(lm_order_fill(&mix, LM_ORDER_SHUFFLE, 6, 2, b), 0);
	assert_memory_not_equal(a, b, sizeof(a));
	lm_mix_free(&mix);
}

/* All 6 orders of three jobs are equally likely: of 60,000 shuffles 10,000 each, with a standard
 * deviation of sqrt(60000 * 1/6 * 5/6) = 91. The seeds are fixed, so this cannot fail by chance. */
static void test_shuffle_is_uniform(void **state)
{
	static const unsigned jobs[] = { 1, 1, 1 };
	struct lm_mix mix = { 0 };
	unsigned seen[27] = { 0 }, orders = 0;
	uint16_t o[3];

	(void)state;
	make_mix(&mix, jobs, 3);
	for (unsigned task = 0; task < 60000; task++) {
		assert_int_equal(lm_order_fill(&mix, LM_ORDER_SHUFFLE, 0, task, o), 0);
		seen[o[0] * 9 + o[1] * 3 + o[2]]++;
	}
	for (size_t i = 0; i < COUNT(seen); i++) {
		orders += seen[i] > 0;
		assert_true(seen[i] == 0 || (seen[i] > 9500 && seen[i] < 10500));
	}
	assert_int_equal(orders, 6);
	lm_mix_free(&mix);
}

/* First draws of the starts: 0: 0; 1: 16838 (the textbook's first rand() of srand(1)); 2: 908;
 * 7: 19564. */
static void test_first_dir(void **state)
{
	(void)state;
	assert_int_equal(lm_order_first_dir(0, 0, 5), 0);
	assert_int_equal(lm_order_first_dir(0, 1, 5), 16838 % 5);
	assert_int_equal(lm_order_first_dir(1, 0, 7), 16838 % 7);
	assert_int_equal(lm_order_first_dir(1, 1, 7), 908 % 7);
	assert_int_equal(lm_order_first_dir(4, 3, 1000), 564);
	assert_int_equal(lm_order_first_dir(4, 3, 1), 0);
	assert_int_equal(lm_order_first_dir(4, 3, 0), 0);
}

/* From the formula of order.h, computed in another language. */
static void test_kind_seed(void **state)
{
	(void)state;
	assert_true(lm_order_kind_seed(0, 0) == 0x4bffd802ebfb15e4u);
	assert_true(lm_order_kind_seed(0, 1) == 0xfd38f4176be7cabfu);
	assert_true(lm_order_kind_seed(1, 0) == 0x392cce7aba10ca24u);
	assert_true(lm_order_kind_seed(42, 7) == 0x0f841f5866695b9fu);
}

/* 65535 entries, the most there can be. */
static void test_largest_mix(void **state)
{
	struct lm_mix mix = { 0 };
	uint16_t *order = calloc(LM_MAX_ENTRIES, sizeof(*order));
	unsigned char *seen = calloc(LM_MAX_ENTRIES, 1);

	(void)state;
	assert_non_null(order);
	assert_non_null(seen);
	for (size_t i = 0; i < LM_MAX_ENTRIES; i++)
		lm_mix_add(&mix, &job, 1, 1);
	lm_mix_count_jobs(&mix, 1);
	assert_int_equal(mix.jobs_per_task, LM_MAX_ENTRIES);
	assert_int_equal(lm_order_fill(&mix, LM_ORDER_AIM7, 0, 0, order), 0);
	for (size_t i = 0; i < LM_MAX_ENTRIES; i++)
		seen[order[i]]++;
	for (size_t i = 0; i < LM_MAX_ENTRIES; i++) {
		if (seen[i] != 1)
			fail_msg("entry %zu has %u jobs", i, seen[i]);
	}
	free(order);
	free(seen);
	lm_mix_free(&mix);
}

static void test_names(void **state)
{
	enum lm_order order = LM_ORDER_AIM7;

	(void)state;
	assert_string_equal(lm_order_name(LM_ORDER_AIM7), "aim7");
	assert_string_equal(lm_order_name(LM_ORDER_SHUFFLE), "shuffle");
	assert_true(lm_order_parse("shuffle", &order));
	assert_int_equal(order, LM_ORDER_SHUFFLE);
	assert_true(lm_order_parse("aim7", &order));
	assert_int_equal(order, LM_ORDER_AIM7);
	assert_false(lm_order_parse("AIM7", &order));
	assert_false(lm_order_parse("", &order));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aim7_by_hand),
		cmocka_unit_test(test_aim7_whole_task),
		cmocka_unit_test(test_aim7_edges),
		cmocka_unit_test(test_every_job_once),
		cmocka_unit_test(test_shuffle_by_hand),
		cmocka_unit_test(test_shuffle_follows_the_seed),
		cmocka_unit_test(test_shuffle_is_uniform),
		cmocka_unit_test(test_first_dir),
		cmocka_unit_test(test_kind_seed),
		cmocka_unit_test(test_largest_mix),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
