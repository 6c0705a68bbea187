/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole program with kinds that users cannot name: empty ones, and ones that go wrong. */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "jobs/jobs.h"

static void sleep_ms(long ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static enum lm_outcome nap(struct lm_job_ctx *ctx)
{
	(void)ctx;
	sleep_ms(10);
	return LM_JOB_OK;
}

/* A nap that lasts while the file $ODD_HOLD.TASK is there; $ODD_HOLD.TASK.waits tells that it does.
 */
static enum lm_outcome held(struct lm_job_ctx *ctx)
{
	char hold[PATH_MAX], waits[PATH_MAX + 8];

	snprintf(hold, sizeof(hold), "%s.%u", getenv("ODD_HOLD"), ctx->task);
	snprintf(waits, sizeof(waits), "%s.waits", hold);
	for (bool told = false; nap(ctx) == LM_JOB_OK && access(hold, F_OK) == 0; told = true) {
		FILE *f = told ? NULL : fopen(waits, "w");

		if (f)
			fclose(f);
	}
	return LM_JOB_OK;
}

static enum lm_outcome hang(struct lm_job_ctx *ctx)
{
	pause();
	return lm_job_fail(ctx, "pause");
}

static enum lm_outcome wrong(struct lm_job_ctx *ctx)
{
	return lm_job_wrong(ctx, "result is 41, want 42");
}

static enum lm_outcome one_wrong(struct lm_job_ctx *ctx)
{
	return ctx->task == 1 ? lm_job_wrong(ctx, "result is 41, want 42") : nap(ctx);
}

static enum lm_outcome killed(struct lm_job_ctx *ctx)
{
	(void)ctx;
	kill(getpid(), SIGKILL);
	return LM_JOB_OK;
}

/* A clean exit in the middle of a list must not pass for an end. */
static enum lm_outcome leaves(struct lm_job_ctx *ctx)
{
	(void)ctx;
	_exit(0);
}

static enum lm_outcome stray(struct lm_job_ctx *ctx)
{
	pid_t pid = fork();

	if (pid < 0)
		return lm_job_fail(ctx, "fork");
	if (pid == 0)
		sleep_ms(1000000);
	return LM_JOB_OK;
}

static enum lm_outcome daemonic(struct lm_job_ctx *ctx)
{
	pid_t pid = fork();

	if (pid < 0)
		return lm_job_fail(ctx, "fork");
	if (pid == 0) {
		setsid();
		if (fork() == 0)
			sleep_ms(1000000);
		_exit(0);
	}
	return LM_JOB_OK;
}

/* Append a letter to the file $ODD_TRACE.TASK: what a task really runs, seen from outside. */
static enum lm_outcome trace(struct lm_job_ctx *ctx, char letter)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s.%u", getenv("ODD_TRACE"), ctx->task);
	f = fopen(path, "a");
	if (!f)
		return lm_job_fail(ctx, "fopen %s", path);
	fputc(letter, f);
	fclose(f);
	return LM_JOB_OK;
}

static enum lm_outcome trace_a(struct lm_job_ctx *ctx)
{
	return trace(ctx, 'a');
}

static enum lm_outcome trace_b(struct lm_job_ctx *ctx)
{
	return trace(ctx, 'b');
}

static enum lm_outcome trace_c(struct lm_job_ctx *ctx)
{
	return trace(ctx, 'c');
}

static enum lm_outcome cpus(struct lm_job_ctx *ctx)
{
	char path[PATH_MAX];
	cpu_set_t set;
	FILE *f;

	snprintf(path, sizeof(path), "%s.%u", getenv("ODD_TRACE"), ctx->task);
	f = fopen(path, "a");
	if (!f || sched_getaffinity(0, sizeof(set), &set) < 0)
		return lm_job_fail(ctx, "fopen %s", path);
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			fprintf(f, "%zu", i);
	fclose(f);
	return LM_JOB_OK;
}

static enum lm_outcome unsupported(const struct lm_job_ctx *ctx, char *why, size_t size)
{
	(void)ctx;
	snprintf(why, size, "there is no such thing here");
	return LM_JOB_UNSUPPORTED;
}

#define ODD(NAME, RUN)                                                                    \
	{                                                                                 \
		.name = NAME, .unit = "Oddities", .class = LM_CLASS_PROCESS, .factor = 1, \
		.run = RUN                                                                \
	}

static const struct lm_job odd_jobs[] = {
	ODD("odd_nap", nap),
	ODD("odd_held", held),
	ODD("odd_hang", hang),
	ODD("odd_wrong", wrong),
	ODD("odd_one_wrong", one_wrong),
	ODD("odd_killed", killed),
	ODD("odd_leaves", leaves),
	ODD("odd_stray", stray),
	ODD("odd_daemon", daemonic),
	ODD("odd_a", trace_a),
	ODD("odd_b", trace_b),
	ODD("odd_c", trace_c),
	ODD("odd_cpus", cpus),
	{ .name = "odd_unsupported",
	  .unit = "Oddities",
	  .class = LM_CLASS_PROCESS,
	  .factor = 1,
	  .supported = unsupported,
	  .run = nap },
	{ 0 },
};

int main(int argc, char **argv)
{
	const struct lm_job *kinds[32];
	size_t n = 0;

	for (size_t i = 0; lm_jobs[i]; i++)
		kinds[n++] = lm_jobs[i];
	kinds[n++] = lm_jobs_null;
	kinds[n++] = odd_jobs;
	kinds[n] = NULL;
	return lm_app_main(argc, argv, kinds);
}
