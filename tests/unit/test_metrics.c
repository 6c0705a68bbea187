/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/metrics.h"
#include "model/mix.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S(seconds)  ((uint64_t)((seconds)*1000000000.0))
#define EXITED(n)   ((n) << 8)
#define KILLED(sig) (sig)

static const struct lm_job job_a = { .name = "add_int" }, job_b = { .name = "disk_rr" };

/* A step whose slots a test may write. */
struct stage {
	struct lm_mix mix;
	struct lm_step_result result;
	unsigned char *memory;
};

static struct lm_task_slot *slot(const struct stage *st, unsigned task)
{
	return (void *)(st->memory + task * st->result.slot_stride);
}

/*
 * A good step: mix add_int, disk_rr, add_int again; tasks that do these three jobs in that order.
 * The gate opens at 100 s; task i starts at once and ends i + 1 seconds later; a job of task i
 * takes (i + 1) * (0.1, 0.2, 0.3) s, of which half is user and a quarter system time; the whole
 * task used 0.5 s user and 0.25 s system.
 */
static void set_task(struct stage *st, unsigned i)
{
	struct lm_task_slot *s = slot(st, i);

	s->state = LM_TASK_DONE;
	s->jobs_done = 3;
	s->start_ns = S(100);
	s->end_ns = S(100) + S(i + 1);
	s->pid = 1000 + (int)i;
	s->user_ns = S(0.5);
	s->system_ns = S(0.25);
	for (unsigned k = 0; k < 3; k++) {
		uint64_t duration = (i + 1) * (k + 1) * S(0.1);

		s->samples[k] = (struct lm_sample){ .entry = k,
						    .duration_ns = duration,
						    .user_ns = duration / 2,
						    .system_ns = duration / 4 };
	}
}

static void make_stage(struct stage *st, unsigned tasks)
{
	size_t size = sizeof(struct lm_task_slot) + 3 * sizeof(struct lm_sample);
	size_t stride = (size + 63) / 64 * 64;

	memset(st, 0, sizeof(*st));
	assert_int_equal(lm_mix_add(&st->mix, &job_a, 1, 1), 0);
	assert_int_equal(lm_mix_add(&st->mix, &job_b, 1, 2), 0);
	assert_int_equal(lm_mix_add(&st->mix, &job_a, 1, 3), 0);
	lm_mix_count_jobs(&st->mix, 3);
	st->memory = aligned_alloc(64, tasks * stride);
	assert_non_null(st->memory);
	memset(st->memory, 0, tasks * stride);
	st->result = (struct lm_step_result){ .tasks = tasks,
					      .jobs_per_task = 3,
					      .file_kib = 15360,
					      .ready_ns = S(0.25),
					      .gate_ns = S(100),
					      .deadline_s = 60,
					      .deadline_ns = S(160),
					      .slots = st->memory,
					      .slot_stride = stride };
	for (unsigned i = 0; i < tasks; i++)
		set_task(st, i);
}

static void free_stage(struct stage *st, struct lm_record *record)
{
	lm_record_free(record);
	assert_null(record->problems);
	assert_null(record->kinds);
	lm_mix_free(&st->mix);
	free(st->memory);
}

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * fabs(want)))
		fail_msg("%.17g is not %.17g", got, want);
}

static void test_figures(void **state)
{
	struct stage st;
	struct lm_record r = { .step = 7, .outside_s = 0.125 };

	(void)state;
	make_stage(&st, 4);
	assert_int_equal(lm_facts_number(&r.system, "kept", 1), 0);
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_true(r.valid);
	assert_int_equal(r.problem_count, 0);
	assert_int_equal(r.problem_total, 0);
	assert_int_equal(r.tasks, 4);
	assert_int_equal(r.jobs_per_task, 3);
	assert_int_equal(r.file_kib, 15360);
	assert_int_equal(r.jobs_done, 12);
	assert_near(r.real_s, 4);
	assert_near(r.user_s, 2);
	assert_near(r.system_s, 1);
	assert_near(r.cpu_s, 3);
	assert_near(r.jobs_per_min, 12 * 60 / 4.0);
	assert_near(r.jobs_per_min_task, 45);
	assert_near(r.jobs_per_s_task, 0.75);
	/* 1 2 3 4: mean 2.5, variance (2.25 + 0.25 + 0.25 + 2.25) / 4 = 1.25; 1 - 0.447 = 0.55 */
	assert_near(r.stddev_s, sqrt(1.25));
	assert_int_equal(r.jti, 55);
	assert_near(r.ready_s, 0.25);
	/* the caller's */
	assert_int_equal(r.step, 7);
	assert_near(r.outside_s, 0.125);
	assert_int_equal(r.system.count, 1);
	free_stage(&st, &r);
}

static void test_kinds(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 4);
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_int_equal(r.kind_count, 2);
	/* add_int: (0.1 + 0.3) * (1 + 2 + 3 + 4); sorted 0.1 0.2 0.3 0.3 0.4 0.6 0.9 1.2 */
	assert_string_equal(r.kinds[0].name, "add_int");
	assert_int_equal(r.kinds[0].jobs, 8);
	assert_near(r.kinds[0].elapsed_s, 4);
	assert_near(r.kinds[0].user_s, 2);
	assert_near(r.kinds[0].system_s, 1);
	assert_near(r.kinds[0].min_s, 0.1);
	assert_near(r.kinds[0].median_s, 0.3); /* the 4th */
	assert_near(r.kinds[0].p99_s, 1.2);
	assert_near(r.kinds[0].max_s, 1.2);
	/* disk_rr: 0.2 0.4 0.6 0.8 */
	assert_string_equal(r.kinds[1].name, "disk_rr");
	assert_int_equal(r.kinds[1].jobs, 4);
	assert_near(r.kinds[1].elapsed_s, 2);
	assert_near(r.kinds[1].median_s, 0.4);
	assert_near(r.kinds[1].max_s, 0.8);
	free_stage(&st, &r);
}

/* Jobs that did not end ok count nowhere; a kind without any has a row of zeros. */
static void test_kinds_of_what_was_done(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 2);
	for (unsigned i = 0; i < 2; i++) {
		slot(&st, i)->state = LM_TASK_FAILED;
		slot(&st, i)->jobs_done = 1;
	}
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_int_equal(r.jobs_done, 2);
	assert_near(r.jobs_per_min, 60);
	assert_int_equal(r.kinds[0].jobs, 2);
	assert_near(r.kinds[0].elapsed_s, 0.3);
	assert_string_equal(r.kinds[1].name, "disk_rr");
	assert_int_equal(r.kinds[1].jobs, 0);
	assert_true(r.kinds[1].elapsed_s == 0 && r.kinds[1].min_s == 0 &&
		    r.kinds[1].median_s == 0 && r.kinds[1].p99_s == 0 && r.kinds[1].max_s == 0);
	free_stage(&st, &r);
}

static void fail_job(const struct stage *st, unsigned task, unsigned done, int error,
		     const char *text)
{
	struct lm_task_slot *s = slot(st, task);

	s->state = LM_TASK_FAILED;
	s->jobs_done = done;
	s->wait_status = EXITED(1);
	s->failure_errno = error;
	snprintf(s->failure, sizeof(s->failure), "%s", text);
}

static void lose_task(const struct stage *st, unsigned task, unsigned state, unsigned done,
		      int status)
{
	struct lm_task_slot *s = slot(st, task);

	s->state = state;
	s->jobs_done = done;
	s->wait_status = status;
	if (state < LM_TASK_RUNNING)
		s->start_ns = 0;
}

/* Make the record and compare its problems, one a line. */
static void check_problems(const struct stage *st, struct lm_record *r, const char *expected)
{
	char text[4096] = "";

	assert_int_equal(lm_metrics(&st->mix, &st->result, r), 0);
	for (size_t i = 0; i < r->problem_count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\n", r->problems[i]);
	assert_string_equal(text, expected);
	assert_false(r->valid);
}

static void test_failed_jobs(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };
	char expected[1024];

	(void)state;
	make_stage(&st, 4);
	fail_job(&st, 3, 1, ENOSPC, "creat /x/\xc3\xa4: y");
	fail_job(&st, 1, 0, 0, "sum is 3,\nwant 4");
	fail_job(&st, 2, 2, 0, "");
	snprintf(expected, sizeof(expected),
		 "task 1 (pid 1001), job 1 of 3, add_int: sum is 3,\\x0awant 4\n"
		 "task 2 (pid 1002), job 3 of 3, add_int: it failed and did not say why\n"
		 "task 3 (pid 1003), job 2 of 3, disk_rr: creat /x/\xc3\xa4: y: %s\n",
		 strerror(ENOSPC));
	check_problems(&st, &r, expected);
	assert_int_equal(r.problem_total, 3);
	assert_int_equal(r.jobs_done, 3 + 0 + 2 + 1);
	assert_near(r.jobs_per_min, 6 * 60 / 4.0);
	free_stage(&st, &r);
}

static void test_lost_tasks(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 8);
	lose_task(&st, 0, LM_TASK_RUNNING, 1, KILLED(SIGKILL));
	lose_task(&st, 1, LM_TASK_RUNNING, 0, EXITED(7));
	lose_task(&st, 2, LM_TASK_WAITING, 0, KILLED(SIGSEGV));
	lose_task(&st, 3, LM_TASK_RUNNING, 3, KILLED(SIGTERM));
	lose_task(&st, 4, LM_TASK_DONE, 3, EXITED(2));
	lose_task(&st, 5, LM_TASK_RUNNING, 2, EXITED(0));
	lose_task(&st, 6, LM_TASK_UNBORN, 0, EXITED(1));
	lose_task(&st, 7, LM_TASK_UNBORN, 0, 0);
	slot(&st, 7)->pid = 0;
	check_problems(&st, &r,
		       "task 0 (pid 1000) was killed by signal 9 (Killed) in job 2 of 3, disk_rr\n"
		       "task 1 (pid 1001) exited with status 7 in job 1 of 3, add_int\n"
		       "task 2 (pid 1002) was killed by signal 11 (Segmentation fault) before it "
		       "started\n"
		       "task 3 (pid 1003) was killed by signal 15 (Terminated) after its last job\n"
		       "task 4 (pid 1004) exited with status 2 after its last job\n"
		       "task 5 (pid 1005) exited with status 0 in job 3 of 3, add_int\n"
		       "task 6 (pid 1006) exited with status 1 before it started\n"
		       "task 7 was never forked\n");
	free_stage(&st, &r);
}

/* SIGKILL in mid-step: the rate is of the jobs really done, to the time the loss was noticed. */
static void test_killed_task_lowers_the_rate(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 2);
	lose_task(&st, 1, LM_TASK_RUNNING, 1, KILLED(SIGKILL));
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_false(r.valid);
	assert_int_equal(r.jobs_done, 4);
	assert_near(r.real_s, 2);
	assert_near(r.jobs_per_min, 120);
	free_stage(&st, &r);
}

/* The tasks end at 101, 102 and 103 s. */
static void test_stops(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 3);
	st.result.continued_ns = S(102.9);
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_true(r.valid);
	lm_record_free(&r);
	st.result.continued_ns = S(103.1);
	check_problems(&st, &r,
		       "the program was stopped when the last task ended: the counters of the "
		       "system are of a longer time\n");
	assert_false(r.valid);
	assert_near(r.real_s, 3);
	lm_record_free(&r);
	st.result.held_gate = true;
	st.result.continued_ns = S(100.5);
	check_problems(&st, &r,
		       "the program was stopped while the start gate opened: the real time is too "
		       "long\n");
	free_stage(&st, &r);
}

/* Tasks that the engine ended for the deadline are told once; a task killed before is not one. */
static void test_deadline(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 4);
	st.result.end = LM_STEP_DEADLINE;
	for (unsigned i = 1; i < 4; i++) {
		lose_task(&st, i, i == 3 ? LM_TASK_WAITING : LM_TASK_RUNNING, 0, KILLED(SIGKILL));
		slot(&st, i)->end_ns = S(160) + 1;
	}
	check_problems(&st, &r, "the step deadline of 60 s passed with 3 of 4 tasks unfinished\n");
	assert_int_equal(r.problem_total, 1);
	lm_record_free(&r);

	fail_job(&st, 0, 1, 0, "wrong");
	st.result.deadline_s = 59.25;
	st.result.deadline_ns = S(159.25);
	slot(&st, 2)->end_ns = S(159);
	check_problems(
		&st, &r,
		"the step deadline of 59.25 s passed with 3 of 4 tasks unfinished\n"
		"task 0 (pid 1000), job 2 of 3, disk_rr: wrong\n"
		"task 2 (pid 1002) was killed by signal 9 (Killed) in job 1 of 3, add_int\n");
	free_stage(&st, &r);
}

static void test_interrupted(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 4);
	st.result.end = LM_STEP_INTERRUPTED;
	st.result.signal = SIGINT;
	lose_task(&st, 0, LM_TASK_RUNNING, 1, KILLED(SIGKILL));
	lose_task(&st, 1, LM_TASK_UNBORN, 0, 0);
	lose_task(&st, 3, LM_TASK_RUNNING, 1, KILLED(SIGSEGV));
	check_problems(&st, &r,
		       "interrupted by signal 2 (Interrupt) with 3 of 4 tasks unfinished\n"
		       "task 3 (pid 1003) was killed by signal 11 (Segmentation fault) in job 2 of "
		       "3, disk_rr\n");
	free_stage(&st, &r);
}

/* Interrupted just as the last task ended: still not a step that ran to its end. */
static void test_interrupted_at_the_end(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 2);
	st.result.end = LM_STEP_INTERRUPTED;
	st.result.signal = SIGTERM;
	check_problems(&st, &r,
		       "interrupted by signal 15 (Terminated) with 0 of 2 tasks unfinished\n");
	free_stage(&st, &r);
}

static void test_strays(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 2);
	st.result.strays = 1;
	check_problems(&st, &r, "jobs left 1 process behind that had to be killed\n");
	lm_record_free(&r);
	st.result.strays = 2;
	check_problems(&st, &r, "jobs left 2 processes behind that had to be killed\n");
	free_stage(&st, &r);
}

/* The first 20 are kept, all are counted. */
static void test_many_problems(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 50);
	for (unsigned i = 10; i < 50; i++)
		fail_job(&st, i, 0, 0, "wrong");
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_int_equal(r.problem_count, 20);
	assert_int_equal(r.problem_total, 40);
	assert_string_equal(r.problems[0], "task 10 (pid 1010), job 1 of 3, add_int: wrong");
	assert_string_equal(r.problems[19], "task 29 (pid 1029), job 1 of 3, add_int: wrong");
	free_stage(&st, &r);
}

/* What a crashed task may leave in shared memory is not followed. */
static void test_garbage(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 3);
	lose_task(&st, 0, LM_TASK_RUNNING, 0xffffffff, KILLED(SIGSEGV));
	lose_task(&st, 1, LM_TASK_RUNNING, 1, KILLED(SIGSEGV));
	slot(&st, 1)->samples[1].entry = 0xffffffff;
	slot(&st, 2)->samples[0].entry = 3;
	memset(slot(&st, 2)->failure, 'x', sizeof(slot(&st, 2)->failure)); /* no end */
	slot(&st, 2)->state = LM_TASK_FAILED;
	slot(&st, 2)->start_ns = S(300); /* after its end */
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_int_equal(r.problem_total, 3);
	assert_non_null(strstr(r.problems[0], "after its last job"));
	assert_non_null(strstr(r.problems[1], "in job 2 of 3, unknown kind"));
	assert_true(isfinite(r.stddev_s) && r.stddev_s >= 0);
	assert_in_range(r.jti, 0, 100);
	assert_int_equal(r.kinds[0].jobs + r.kinds[1].jobs, 3 + 1 + 2);
	free_stage(&st, &r);
}

static void check_finite(const struct lm_record *r)
{
	const double figures[] = { r->real_s,   r->cpu_s,           r->user_s,
				   r->system_s, r->jobs_per_min,    r->jobs_per_min_task,
				   r->stddev_s, r->jobs_per_s_task, r->ready_s };

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		assert_true(isfinite(figures[i]) && figures[i] >= 0);
	for (size_t i = 0; i < r->kind_count; i++)
		assert_true(isfinite(r->kinds[i].elapsed_s) && isfinite(r->kinds[i].p99_s));
	assert_in_range(r->jti, 0, 100);
}

static void test_one_task(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 1);
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_true(r.valid);
	check_finite(&r);
	assert_true(r.stddev_s == 0);
	assert_int_equal(r.jti, 100);
	free_stage(&st, &r);
}

static void test_equal_tasks(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 3000);
	for (unsigned i = 0; i < 3000; i++)
		slot(&st, i)->end_ns = S(100.1);
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	check_finite(&r);
	assert_true(r.stddev_s == 0);
	assert_int_equal(r.jti, 100);
	free_stage(&st, &r);
}

/* Jobs and tasks of no length at all: no rate rather than an infinite one. */
static void test_no_time(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 2);
	for (unsigned i = 0; i < 2; i++) {
		slot(&st, i)->end_ns = S(100);
		for (unsigned k = 0; k < 3; k++)
			slot(&st, i)->samples[k].duration_ns = 0;
	}
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	check_finite(&r);
	assert_true(r.real_s == 0 && r.jobs_per_min == 0 && r.jobs_per_s_task == 0);
	assert_int_equal(r.jti, 100);
	assert_int_equal(r.jobs_done, 6);
	free_stage(&st, &r);
}

/* Tasks that never started: real runs to when that was noticed, the spread leaves them out. */
static void test_not_started(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 3);
	lose_task(&st, 2, LM_TASK_WAITING, 0, KILLED(SIGKILL));
	slot(&st, 2)->end_ns = S(110);
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_near(r.real_s, 10);
	assert_near(r.stddev_s, 0.5); /* of 1 and 2 s */
	lm_record_free(&r);
	st.result.gate_ns = 0; /* the gate never opened: no clock to count from */
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_true(r.real_s == 0);
	check_finite(&r);
	free_stage(&st, &r);
}

/* Tasks that failed in their first job took equally long over nothing. */
static void test_no_jobs(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 2);
	for (unsigned i = 0; i < 2; i++) {
		slot(&st, i)->jobs_done = 0;
		slot(&st, i)->end_ns = S(101);
	}
	assert_int_equal(lm_metrics(&st.mix, &st.result, &r), 0);
	assert_int_equal(r.jti, 0);
	assert_true(r.jobs_per_min == 0);
	free_stage(&st, &r);
}

static void test_no_tasks(void **state)
{
	struct stage st;
	struct lm_record r = { 0 };

	(void)state;
	make_stage(&st, 1);
	st.result.tasks = 0;
	check_problems(&st, &r, "the step had no tasks\n");
	check_finite(&r);
	free_stage(&st, &r);
}

static void test_decimal_point(void **state)
{
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		skip();
	test_deadline(state);
	setlocale(LC_NUMERIC, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_kinds_of_what_was_done),
		cmocka_unit_test(test_failed_jobs),
		cmocka_unit_test(test_lost_tasks),
		cmocka_unit_test(test_killed_task_lowers_the_rate),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_stops),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_interrupted_at_the_end),
		cmocka_unit_test(test_strays),
		cmocka_unit_test(test_many_problems),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_one_task),
		cmocka_unit_test(test_equal_tasks),
		cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_not_started),
		cmocka_unit_test(test_no_jobs),
		cmocka_unit_test(test_no_tasks),
		cmocka_unit_test(test_decimal_point),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
