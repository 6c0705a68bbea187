/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench FLOOR: what the harness costs, each figure beside the floor measured in the same minute.
 * Every round runs the floor program and then a step of the engine; figures are medians over
 * rounds.
 */
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/session.h"
#include "engine/step.h"
#include "formats/formats.h"
#include "jobs/jobs.h"
#include "memory.h"
#include "model/mix.h"
#include "model/stats.h"
#include "policies/policies.h"

/* Memory of the round before is given back with a delay. */
enum { MAX_ROUNDS = 9, SETTLE_US = 300000 };

/* What one round of either program gives. */
struct cost {
	double ready_s, last_s, kib, real_s;
};

/* --- the engine ---------------------------------------------------------------------------- */

static double gate_kib; /* with all tasks at the gate, from the probe */
static int reads;

/* A probe is asked just before the gate opens: all tasks wait then. */
static int read_memory(double *values)
{
	values[0] = lm_processes_kib();
	if (reads++ == 0)
		gate_kib = values[0];
	return 0;
}

static const char *const memory_names[] = { "memory.processes_kib", NULL };
static const struct lm_probe memory_probe = { .name = "memory",
					      .counters = memory_names,
					      .read = read_memory };
static const struct lm_probe *const probes[] = { &memory_probe, NULL };

static void die(const struct lm_error *err)
{
	fprintf(stderr, "bench: %s\n", err->text);
	exit(1);
}

static int no_moment(void *state, enum lm_moment moment, unsigned tasks, struct lm_error *err)
{
	(void)state;
	(void)moment;
	(void)tasks;
	(void)err;
	return 0;
}

static double last_start_s(const struct lm_step_result *r)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < r->tasks; i++)
		if (lm_result_slot(r, i)->start_ns > last)
			last = lm_result_slot(r, i)->start_ns;
	return (double)(last - r->gate_ns) * 1e-9;
}

static double empty_job_s(const struct lm_step_result *r)
{
	double *jobs = calloc(r->tasks, sizeof(*jobs)), median;

	if (!jobs)
		exit(1);
	for (unsigned i = 0; i < r->tasks; i++) {
		const struct lm_task_slot *slot = lm_result_slot(r, i);

		jobs[i] = (double)(slot->end_ns - slot->start_ns) * 1e-9 / r->jobs_per_task;
	}
	lm_sort(jobs, r->tasks);
	median = lm_quantile(jobs, r->tasks, 0.5);
	free(jobs);
	return median;
}

static double last_end_s(const struct lm_step_result *r)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < r->tasks; i++)
		if (lm_result_slot(r, i)->end_ns > last)
			last = lm_result_slot(r, i)->end_ns;
	return (double)(last - r->gate_ns) * 1e-9;
}

typedef void tick_fn(void *state, uint64_t jobs_done, double elapsed_s);

/* One step of empty jobs; returns what an empty job costs. */
static double engine_step(unsigned tasks, unsigned jobs, tick_fn *tick, void *tick_state,
			  struct cost *cost)
{
	const char *dirs[] = { "/" };
	struct lm_mix mix = { 0 };
	struct lm_plan plan = { .mix = &mix, .jobs = jobs, .dirs = dirs, .dir_count = 1 };
	struct lm_error err = { 0 };
	struct lm_guard guard;
	struct lm_signals signals;
	struct lm_samples samples = { 0 };
	struct lm_step_result result;
	struct lm_facts system = { 0 };
	double before, empty;

	if (lm_mix_add(&mix, lm_jobs_null, 1, 1) < 0)
		exit(1);
	lm_mix_count_jobs(&mix, jobs);
	if (lm_signals_open(&signals, &err) < 0 || lm_guard_open(&guard, NULL, 0, &err) < 0)
		die(&err);
	usleep(SETTLE_US);
	before = lm_processes_kib();
	reads = 0;
	if (lm_step_run(&(struct lm_step_spec){ .plan = &plan,
						.tasks = tasks,
						.deadline_s = 600,
						.dirs = dirs,
						.probes = probes,
						.guard = &guard,
						.signals = &signals,
						.hunts = true,
						.tick = tick,
						.tick_state = tick_state,
						.moment = no_moment },
			&samples, &result, &system, &err) < 0)
		die(&err);
	*cost = (struct cost){ (double)result.ready_ns * 1e-9, last_start_s(&result),
			       (gate_kib - before) / tasks, last_end_s(&result) };
	empty = empty_job_s(&result);
	lm_samples_unmap(&samples);
	lm_facts_free(&system);
	lm_guard_close(&guard);
	lm_signals_close(&signals);
	lm_mix_free(&mix);
	return empty;
}

/* --- side by side -------------------------------------------------------------------------- */

static void floor_step(const char *program, unsigned tasks, struct cost *cost)
{
	char command[4200];
	FILE *f;

	usleep(SETTLE_US);
	snprintf(command, sizeof(command), "'%.4000s' %u", program, tasks);
	f = popen(command, "re");
	if (!f || fscanf(f, "%lf %lf %lf", &cost->ready_s, &cost->last_s, &cost->kib) != 3) {
		fprintf(stderr, "bench: %s gave no figures\n", command);
		exit(1);
	}
	pclose(f);
}

static double median_of(const struct cost *costs, int rounds, size_t member)
{
	double x[MAX_ROUNDS];

	for (int i = 0; i < rounds; i++)
		memcpy(&x[i], (const char *)&costs[i] + member, sizeof(x[i]));
	lm_sort(x, (size_t)rounds);
	return lm_quantile(x, (size_t)rounds, 0.5);
}

static void print_row(const char *what, const char *unit, double scale, const struct cost *engine,
		      const struct cost *base, int rounds, size_t member)
{
	double e = median_of(engine, rounds, member) * scale;
	double b = median_of(base, rounds, member) * scale;

	printf("  %-28s %10.3f %10.3f %-4s %6.2f\n", what, b, e, unit, b > 0 ? e / b : 0);
}

static void compare(const char *program, unsigned tasks, int rounds)
{
	struct cost engine[MAX_ROUNDS], base[MAX_ROUNDS], full;
	double empty[MAX_ROUNDS];

	for (int i = 0; i < rounds; i++) {
		floor_step(program, tasks, &base[i]);
		engine_step(tasks, 1, NULL, NULL, &engine[i]);
		empty[i] = engine_step(tasks, 100, NULL, NULL, &full);
	}
	lm_sort(empty, (size_t)rounds);
	printf("%u tasks, %d rounds%13s %10s %15s\n", tasks, rounds, "floor", "engine", "ratio");
	print_row("first fork to all waiting", "ms", 1e3, engine, base, rounds,
		  offsetof(struct cost, ready_s));
	print_row("gate to last task running", "ms", 1e3, engine, base, rounds,
		  offsetof(struct cost, last_s));
	print_row("memory per waiting task", "KiB", 1, engine, base, rounds,
		  offsetof(struct cost, kib));
	printf("  %-28s %10s %10.3f us\n", "an empty job, of 100", "",
	       lm_quantile(empty, (size_t)rounds, 0.5) * 1e6);
	fflush(stdout);
}

/* --- the progress line --------------------------------------------------------------------- */

/* The line on a terminal of our own, and what showing it took. */
struct show {
	struct lm_sink sink;
	clock_t spent; /* processor time */
	unsigned draws;
	int terminal, stderr_copy;
};

static void show(void *state, uint64_t jobs_done, double elapsed_s)
{
	struct show *s = state;
	struct lm_progress p = { .step = 1,
				 .steps = 2,
				 .tasks = 1000,
				 .jobs_done = jobs_done,
				 .jobs_total = 2000000,
				 .elapsed_s = elapsed_s,
				 .step_left_s = 100,
				 .run_left_s = 1000 };
	clock_t start = clock();

	s->sink.progress(s->sink.state, &p);
	s->spent += clock() - start;
	s->draws++;
}

static void show_open(struct show *s)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct lm_error err = { 0 };
	int slave;

	*s = (struct show){ .stderr_copy = dup(STDERR_FILENO) };
	if (openpty(&s->terminal, &slave, NULL, NULL, &size) < 0 ||
	    dup2(slave, STDERR_FILENO) < 0 || lm_format_progress.open(NULL, &s->sink, &err) < 0) {
		perror("bench: a terminal");
		exit(1);
	}
	close(slave);
}

static void show_close(struct show *s)
{
	s->sink.close(s->sink.state);
	dup2(s->stderr_copy, STDERR_FILENO);
	close(s->stderr_copy);
	close(s->terminal);
}

/* The same step with and without, in turns. */
static void with_progress(unsigned tasks, unsigned jobs, int rounds)
{
	struct cost without[MAX_ROUNDS], with[MAX_ROUNDS];
	struct show s;

	show_open(&s);
	for (int i = 0; i < 2 * rounds; i++) {
		/* without, with, with, without: who comes first has no advantage */
		bool shown = (i + 1) / 2 % 2;

		engine_step(tasks, jobs, shown ? show : NULL, &s,
			    shown ? &with[i / 2] : &without[i / 2]);
	}
	show_close(&s);
	printf("%u tasks of %u jobs, %d rounds %9s %10s %15s\n", tasks, jobs, rounds, "no line",
	       "line", "ratio");
	print_row("gate to end, progress line", "ms", 1e3, with, without, rounds,
		  offsetof(struct cost, real_s));
	printf("  %-28s %10s %10.3f us   of %u\n", "showing it once", "",
	       s.draws ? (double)s.spent * 1e6 / CLOCKS_PER_SEC / s.draws : 0, s.draws);
	fflush(stdout);
}

/* --- around a step ------------------------------------------------------------------------- */

static double outside_sum;

static int take_outside(void *state, const struct lm_record *record, struct lm_error *err)
{
	(void)state;
	(void)err;
	outside_sum += record->outside_s;
	printf("  %-4u tasks: real %8.3f s, files and sync %6.3f s, outside real %6.3f s\n",
	       record->tasks, record->real_s, record->files_s, record->outside_s);
	return 0;
}

static void no_close(void *state)
{
	(void)state;
}

/* A mix that touches every part of a session, small enough for a bench. */
static void around_steps(const char *dir)
{
	const char *dirs[] = { dir };
	struct lm_range range = { 8, 32, 8 };
	struct lm_mix mix = {
		.name = "bench", .path = "bench", .filesize_kib = 1024, .poolsize_kib = 1024
	};
	struct lm_plan plan = { .mix = &mix,
				.sweep = { .ranges = &range, .count = 1 },
				.jobs = 20,
				.label = "",
				.dirs = dirs,
				.dir_count = 1,
				.sync = true };
	struct lm_sink sink = { .step = take_outside, .close = no_close };
	struct lm_session session = { .plan = &plan,
				      .policy = &lm_policy_fixed,
				      .probes = probes,
				      .sinks = &sink,
				      .sink_count = 1 };
	struct lm_session_outcome outcome;
	struct lm_error err = { 0 };

	for (size_t i = 0; lm_jobs_disk[i].name; i++)
		lm_mix_add(&mix, &lm_jobs_disk[i], 1, 1);
	for (size_t i = 0; lm_jobs_meta[i].name; i++)
		lm_mix_add(&mix, &lm_jobs_meta[i], 1, 1);
	lm_mix_count_jobs(&mix, plan.jobs);
	printf("wall time around a step, files of 1 to 2 MiB in %s\n", dir);
	if (lm_session_run(&session, &outcome, &err) < 0)
		die(&err);
	printf("  mean outside real: %.3f s\n", outside_sum / outcome.summary.steps);
	free(mix.entries);
}

int main(int argc, char **argv)
{
	const char *dir = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	struct lm_error err = { 0 };

	if (argc != 2) {
		fprintf(stderr,
			"usage: bench FLOOR (the floor program; run it with 'make bench')\n");
		return 2;
	}
	/* also makes this program map the libraries that the real one does */
	if (lm_formats_check(&err) < 0)
		die(&err);
	compare(argv[1], 100, 9);
	compare(argv[1], 1000, 9);
	compare(argv[1], 10000, 3);
	with_progress(1000, 2000, 8);
	around_steps(dir);
	return 0;
}
