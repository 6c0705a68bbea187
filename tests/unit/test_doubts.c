/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/doubts.h"

#include <string.h>

static const struct lm_job disk = { .name = "disk_rd", .class = LM_CLASS_DISK };
static const struct lm_job sum = { .name = "add_int", .class = LM_CLASS_CPU_INT };

/* What a run of one kind in two directories has to say; each fact is key and text, or number. */
static void judge(const struct lm_job *job, const struct lm_facts *facts, struct lm_doubts *out)
{
	static const char *const dirs[] = { "/one", "/two" };
	struct lm_mix_entry entry = { .job = job };
	struct lm_mix mix = { .entries = &entry, .count = 1 };
	struct lm_plan plan = { .mix = &mix, .dirs = dirs, .dir_count = 2 };
	struct lm_error err = { 0 };

	*out = (struct lm_doubts){ 0 };
	assert_int_equal(lm_doubts_judge(&plan, facts, out, &err), 0);
}

/* The facts give reason for so many doubts, the first of which tells the words. */
static void expect(const struct lm_job *job, struct lm_facts *facts, size_t count,
		   const char *const *words)
{
	struct lm_doubts doubts;

	judge(job, facts, &doubts);
	assert_int_equal(doubts.count, count);
	for (; words && *words; words++)
		if (!strstr(doubts.texts[0], *words))
			fail_msg("'%s' is not in: %s", *words, doubts.texts[0]);
	lm_doubts_free(&doubts);
	lm_facts_free(facts);
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_none(void **state)
{
	static const char *const calm[] = { "performance", "schedutil", "ondemand" };
	struct lm_facts f = { 0 };

	(void)state;
	expect(&disk, &f, 0, NULL); /* nothing is known */
	for (size_t i = 0; i < 3; i++) {
		lm_facts_text(&f, "directory_1.file_system", "ext4");
		lm_facts_text(&f, "directory_1.disk", "sda");
		lm_facts_text(&f, "cpu.governor", calm[i]);
		lm_facts_text(&f, "power.source", "mains");
		lm_facts_number(&f, "load.running", 0);
		lm_facts_number(&f, "load.blocked", 0);
		lm_facts_number(&f, "load.average_1min", 40); /* of a run that is over */
		expect(&disk, &f, 0, NULL);
	}
	lm_facts_text(&f, "directory_1.file_system", NULL);
	lm_facts_text(&f, "cpu.governor", NULL);
	lm_facts_text(&f, "load.running", NULL);
	expect(&disk, &f, 0, NULL);
}

static void test_memory(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	lm_facts_text(&f, "directory_1.file_system", "ext4");
	lm_facts_text(&f, "directory_2.file_system", "tmpfs");
	expect(&disk, &f, 1, WORDS("/two", "tmpfs", "disk_rd"));
	lm_facts_text(&f, "directory_1.file_system", "tmpfs");
	expect(&sum, &f, 0, NULL); /* no disk kind */
	lm_facts_text(&f, "directory_1.file_system", "ramfs");
	lm_facts_text(&f, "directory_2.file_system", "tmpfs");
	expect(&disk, &f, 2, WORDS("/one", "ramfs"));
	lm_facts_text(&f, "directory_1.file_system", "ext4");
	lm_facts_text(&f, "directory_1.disk", "zram0");
	expect(&disk, &f, 1, WORDS("/one", "zram0"));
}

static void test_machine(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	lm_facts_text(&f, "cpu.governor", "powersave");
	expect(&sum, &f, 1, WORDS("powersave", "performance"));
	lm_facts_text(&f, "cpu.governor", "performance (3), powersave (1)");
	expect(&sum, &f, 1, WORDS("performance (3), powersave (1)"));
	lm_facts_text(&f, "power.source", "battery");
	expect(&sum, &f, 1, WORDS("battery"));
	lm_facts_number(&f, "load.running", 3);
	lm_facts_number(&f, "load.blocked", 0);
	lm_facts_number(&f, "load.average_1min", 1.05);
	expect(&sum, &f, 1, WORDS("3 other tasks", "0 waiting", "load average 1.05"));
	lm_facts_number(&f, "load.running", 0);
	lm_facts_number(&f, "load.blocked", 2);
	expect(&sum, &f, 1, WORDS("0 other tasks", "2 waiting"));
	lm_facts_text(&f, "cpu.governor", "powersave");
	lm_facts_text(&f, "power.source", "battery");
	lm_facts_number(&f, "load.running", 1);
	lm_facts_text(&f, "directory_1.file_system", "tmpfs");
	expect(&disk, &f, 4, NULL);
}

static void test_lookup(void **state)
{
	struct lm_facts facts = { 0 }, copy = { 0 };

	(void)state;
	assert_int_equal(lm_facts_text(&facts, "a", NULL), 0);
	assert_int_equal(lm_facts_text(&facts, "a", "text"), 0);
	assert_int_equal(lm_facts_number(&facts, "a", 2.5), 0);
	assert_int_equal(lm_facts_number(&facts, "b", 0), 0);
	assert_int_equal(lm_facts_copy(&copy, &facts), 0);
	lm_facts_free(&facts);
	assert_int_equal(copy.count, 4);
	assert_int_equal(lm_facts_find(&copy, "a")->type, LM_FACT_NULL);
	assert_string_equal(lm_facts_text_of(&copy, "a", "no"), "text");
	assert_true(lm_facts_number_of(&copy, "a", 7) == 2.5);
	assert_string_equal(lm_facts_text_of(&copy, "b", "no"), "no");
	assert_true(lm_facts_number_of(&copy, "b", 7) == 0);
	assert_true(lm_facts_number_of(&copy, "c", 7) == 7);
	assert_null(lm_facts_text_of(&copy, "c", NULL));
	lm_facts_free(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_lookup),
		cmocka_unit_test(test_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
