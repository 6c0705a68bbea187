/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/differ.h"
#include "model/runs.h"

#include <stdlib.h>
#include <string.h>

#define MOST_RUNS 8

struct side {
	struct lm_runs runs;
	const struct lm_run *list[MOST_RUNS];
	struct lm_set set;
};

struct pair {
	struct side base, now;
	struct lm_differences result;
};

static struct lm_run *add_run(struct side *s)
{
	struct lm_run *run = lm_runs_add(&s->runs, "test", 1, "journal", NULL);

	assert_non_null(run);
	/* so that neither block is untold */
	assert_int_equal(lm_facts_number(&run->plan, "seed", 0), 0);
	assert_int_equal(lm_facts_text(&run->environment, "host.machine", "x86_64"), 0);
	return run;
}

static const struct lm_set *set_of(struct side *s)
{
	for (size_t i = 0; i < s->runs.count; i++)
		s->list[i] = &s->runs.items[i];
	s->set = (struct lm_set){ "label", s->list, s->runs.count };
	return &s->set;
}

static void differ(struct pair *p)
{
	lm_differences_free(&p->result);
	assert_int_equal(lm_differ(set_of(&p->base), set_of(&p->now), &p->result, NULL), 0);
}

static void free_pair(struct pair *p)
{
	lm_differences_free(&p->result);
	lm_runs_free(&p->base.runs);
	lm_runs_free(&p->now.runs);
}

static void fact(struct lm_run *run, const char *key, const char *text)
{
	assert_int_equal(lm_facts_text(&run->environment, key, text), 0);
}

static void check(const struct pair *p, size_t i, const char *key, const char *base,
		  const char *now, bool expected)
{
	assert_true(i < p->result.count);
	assert_string_equal(p->result.items[i].key, key);
	assert_string_equal(p->result.items[i].base, base);
	assert_string_equal(p->result.items[i].now, now);
	assert_int_equal(p->result.items[i].expected, expected);
}

static void test_suspicious_first(void **state)
{
	struct pair p = { 0 };
	struct lm_run *base = add_run(&p.base), *now = add_run(&p.now);

	(void)state;
	differ(&p);
	assert_int_equal(p.result.count, 0);
	fact(base, "kernel.release", "2.5.69");
	fact(now, "kernel.release", "2.5.70");
	fact(base, "cpu.governor", "performance");
	fact(now, "cpu.governor", "powersave");
	fact(base, "cpu.model", "the same");
	fact(now, "cpu.model", "the same");
	assert_int_equal(lm_facts_number(&base->environment, "memory.total_kib", 2048), 0);
	assert_int_equal(lm_facts_number(&now->environment, "memory.total_kib", 1024.5), 0);
	assert_int_equal(lm_facts_number(&base->environment, "directory_1.free_kib", 5), 0);
	assert_int_equal(lm_facts_number(&now->environment, "directory_1.free_kib", 6), 0);
	assert_int_equal(lm_facts_text(&base->plan, "dirs.0", "/a"), 0);
	assert_int_equal(lm_facts_text(&now->plan, "dirs.0", "/b"), 0);
	assert_int_equal(lm_facts_text(&base->plan, "command.3", "a.jsonl"), 0);
	assert_int_equal(lm_facts_text(&now->plan, "command.3", "b.jsonl"), 0);
	assert_int_equal(lm_run_text(&now->label, "new", NULL), 0);
	assert_int_equal(lm_run_text(&now->version, "2.0", NULL), 0);
	differ(&p);
	assert_int_equal(p.result.count, 7);
	check(&p, 0, "plan.dirs.0", "/a", "/b", false);
	check(&p, 1, "environment.cpu.governor", "performance", "powersave", false);
	check(&p, 2, "environment.memory.total_kib", "2048", "1024.5", false);
	check(&p, 3, "run.version", "unknown", "2.0", false);
	check(&p, 4, "environment.kernel.release", "2.5.69", "2.5.70", true);
	check(&p, 5, "environment.directory_1.free_kib", "5", "6", true);
	check(&p, 6, "run.label", "unknown", "new", true);
	free_pair(&p);
}

static void test_boot_command_line(void **state)
{
	static const struct {
		const char *base, *now;
		size_t count;
		bool expected;
	} cases[] = {
		{ "BOOT_IMAGE=/vmlinuz-1 root=/dev/a quiet",
		  "BOOT_IMAGE=/vmlinuz-2 root=/dev/a quiet", 1, true },
		{ "initrd=\\i-1 BOOT_IMAGE=/1 quiet", "quiet  BOOT_IMAGE=/2", 1, true },
		{ "quiet", "quiet", 0, false },
		{ "BOOT_IMAGE=/1 quiet", "BOOT_IMAGE=/2 quiet mitigations=off", 1, false },
		{ "BOOT_IMAGE=/1 root=/dev/a", "BOOT_IMAGE=/2 root=/dev/b", 1, false },
		{ "BOOT_IMAGE=/1 quiet", NULL, 1, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair p = { 0 };

		fact(add_run(&p.base), "kernel.command_line", cases[i].base);
		fact(add_run(&p.now), "kernel.command_line", cases[i].now);
		differ(&p);
		assert_int_equal(p.result.count, cases[i].count);
		if (cases[i].count > 0)
			check(&p, 0, "environment.kernel.command_line", cases[i].base,
			      cases[i].now ? cases[i].now : "unknown", cases[i].expected);
		free_pair(&p);
	}
}

/* Kernels take more or less memory for themselves: 8388608 - 1 % = 8304721.92. */
static void test_nearly_the_same_memory(void **state)
{
	static const struct {
		double now;
		bool expected;
	} cases[] = { { 8304722, true }, { 8304721, false }, { 8388609, true } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair p = { 0 };
		struct lm_run *base = add_run(&p.base), *now = add_run(&p.now);

		lm_facts_number(&base->environment, "memory.total_kib", 8388608);
		lm_facts_number(&now->environment, "memory.total_kib", cases[i].now);
		differ(&p);
		assert_int_equal(p.result.count, 1);
		assert_int_equal(p.result.items[0].expected, cases[i].expected);
		/* nobody knows of a run that does not tell */
		add_run(&p.now);
		differ(&p);
		assert_false(p.result.items[0].expected);
		free_pair(&p);
	}
}

/* The posted case: channels online in some of one kernel's runs. */
static void test_runs_of_a_side_differ(void **state)
{
	struct pair p = { 0 };

	(void)state;
	fact(add_run(&p.base), "disk.channels", "2");
	fact(add_run(&p.base), "disk.channels", "1");
	fact(add_run(&p.base), "disk.channels", "2");
	fact(add_run(&p.now), "disk.channels", "1");
	differ(&p);
	assert_int_equal(p.result.count, 1);
	check(&p, 0, "environment.disk.channels", "1 | 2", "1", false);
	/* the same values on both sides, in whatever order, are no difference */
	fact(add_run(&p.now), "disk.channels", "2");
	differ(&p);
	assert_int_equal(p.result.count, 0);
	/* one that does not tell */
	add_run(&p.now);
	differ(&p);
	check(&p, 0, "environment.disk.channels", "1 | 2", "1 | 2 | unknown", false);
	free_pair(&p);
}

static void test_many_values(void **state)
{
	struct pair p = { 0 };

	(void)state;
	for (int i = 6; i >= 1; i--)
		assert_int_equal(lm_facts_number(&add_run(&p.base)->environment, "load.one", 2 * i),
				 0);
	assert_int_equal(lm_facts_number(&add_run(&p.now)->environment, "load.one", 0.25), 0);
	differ(&p);
	assert_int_equal(p.result.count, 1);
	check(&p, 0, "environment.load.one", "2 | 4 | 6 | 8 | ... (6 values)", "0.25", true);
	free_pair(&p);
}

/* A posted table has neither plan nor environment. */
static void test_untold_blocks(void **state)
{
	struct pair p = { 0 };
	struct lm_run *run;

	(void)state;
	fact(add_run(&p.base), "kernel.release", "6.1");
	run = lm_runs_add(&p.now.runs, "test", 1, "posted", NULL);
	assert_non_null(run);
	differ(&p);
	assert_int_equal(p.result.count, 3);
	check(&p, 0, "run.format", "journal", "posted", false);
	check(&p, 1, "plan", "told", "unknown", false);
	check(&p, 2, "environment", "told", "unknown", false);
	free_pair(&p);
}

/* Null is what a system does not have: the same as not told. */
static void test_null(void **state)
{
	struct pair p = { 0 };
	struct lm_run *base = add_run(&p.base), *now = add_run(&p.now);

	(void)state;
	fact(base, "cpu.governor", NULL);
	differ(&p);
	assert_int_equal(p.result.count, 0);
	fact(now, "cpu.governor", "schedutil");
	differ(&p);
	assert_int_equal(p.result.count, 1);
	check(&p, 0, "environment.cpu.governor", "unknown", "schedutil", false);
	free_pair(&p);
}

/* A step of two kinds, so many jobs of them in all. */
static void add_step(struct lm_run *run, unsigned tasks, uint64_t first, uint64_t second)
{
	struct lm_record *r = lm_run_step(run, 2, NULL);

	assert_non_null(r);
	r->tasks = tasks;
	r->kinds = calloc(2, sizeof(*r->kinds));
	assert_non_null(r->kinds);
	r->kinds[0] = (struct lm_kind_record){ .name = "add_int", .jobs = first };
	r->kinds[1] = (struct lm_kind_record){ .name = "disk_rd", .jobs = second };
	r->kind_count = 2;
}

/* 2 tasks of 3 and 1 jobs, against 4 tasks of the same, and of 2 and 2. */
static void test_place_of_the_workload(void **state)
{
	static const struct {
		uint64_t first, second;
		bool expected;
	} cases[] = { { 12, 4, true }, { 8, 8, false } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pair p = { 0 };
		struct lm_run *base = add_run(&p.base), *now = add_run(&p.now);

		assert_int_equal(lm_facts_text(&base->plan, "workfile", "/a/w"), 0);
		assert_int_equal(lm_facts_text(&now->plan, "workfile", "/b/w"), 0);
		assert_int_equal(lm_facts_text(&base->plan, "cwd", "/a"), 0);
		assert_int_equal(lm_facts_text(&now->plan, "cwd", "/b"), 0);
		/* nobody knows what runs without a step would have done */
		differ(&p);
		assert_int_equal(p.result.count, 2);
		check(&p, 0, "plan.workfile", "/a/w", "/b/w", false);
		check(&p, 1, "plan.cwd", "/a", "/b", false);
		add_step(base, 2, 6, 2);
		add_step(now, 4, cases[i].first, cases[i].second);
		differ(&p);
		assert_int_equal(p.result.count, cases[i].expected ? 2 : 4);
		check(&p, 0, "plan.workfile", "/a/w", "/b/w", cases[i].expected);
		check(&p, 1, "plan.cwd", "/a", "/b", cases[i].expected);
		if (!cases[i].expected) {
			check(&p, 2, "mix.add_int", "3", "2", false);
			check(&p, 3, "mix.disk_rd", "1", "2", false);
		}
		/* as many jobs of another command are other work, too */
		assert_int_equal(lm_facts_text(&base->means, "untar.command", "tar x"), 0);
		assert_int_equal(lm_facts_text(&now->means, "untar.command", "tar xz"), 0);
		differ(&p);
		check(&p, 0, "plan.workfile", "/a/w", "/b/w", false);
		free_pair(&p);
	}
}

/* What a reader makes of a line that tells that the run was resumed. */
static void test_resumed(void **state)
{
	struct pair p = { 0 };
	struct lm_run *now = add_run(&p.now);

	(void)state;
	add_run(&p.base);
	assert_int_equal(lm_facts_number(&now->environment, "resumed.1.after", 2), 0);
	assert_null(lm_run_other_kernel(now));
	fact(now, "resumed.1.was.kernel.release", "6.1");
	fact(now, "resumed.1.now.kernel.release", "6.2");
	fact(now, "resumed.1.now.cpu.governor", "powersave");
	fact(now, "resumed.1.now.load.uptime_s", "7");
	differ(&p);
	assert_int_equal(p.result.count, 5);
	check(&p, 0, "environment.resumed.1.was.kernel.release", "unknown", "6.1", false);
	check(&p, 1, "environment.resumed.1.now.kernel.release", "unknown", "6.2", false);
	check(&p, 2, "environment.resumed.1.now.cpu.governor", "unknown", "powersave", false);
	check(&p, 3, "environment.resumed.1.after", "unknown", "2", true);
	check(&p, 4, "environment.resumed.1.now.load.uptime_s", "unknown", "7", true);
	assert_string_equal(lm_run_other_kernel(now), "6.2");
	free_pair(&p);
}

/* Other work, or measured in another way, because the user said so. */
static void test_plan(void **state)
{
	struct pair p = { 0 };
	struct lm_run *base = add_run(&p.base), *now = add_run(&p.now);

	(void)state;
	assert_int_equal(lm_facts_text(&base->plan, "cpus", NULL), 0);
	assert_int_equal(lm_facts_text(&now->plan, "cpus", "0-3"), 0);
	assert_int_equal(lm_facts_number(&base->plan, "sweep.1.end", 4), 0);
	assert_int_equal(lm_facts_number(&now->plan, "sweep.1.end", 8), 0);
	differ(&p);
	assert_int_equal(p.result.count, 2);
	check(&p, 0, "plan.cpus", "none", "0-3", false);
	assert_true(p.result.items[0].decides);
	check(&p, 1, "plan.sweep.1.end", "4", "8", false);
	assert_false(p.result.items[1].decides);
	/* what a side does not tell is no decision of it */
	assert_int_equal(lm_facts_text(&now->plan, "order", "shuffle"), 0);
	differ(&p);
	check(&p, 2, "plan.order", "unknown", "shuffle", false);
	assert_false(p.result.items[2].decides);
	free_pair(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_suspicious_first),
		cmocka_unit_test(test_boot_command_line),
		cmocka_unit_test(test_nearly_the_same_memory),
		cmocka_unit_test(test_runs_of_a_side_differ),
		cmocka_unit_test(test_many_values),
		cmocka_unit_test(test_untold_blocks),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_place_of_the_workload),
		cmocka_unit_test(test_resumed),
		cmocka_unit_test(test_plan),
	};

	return cmocka_run_group_tests_name("differ", tests, NULL, NULL);
}
