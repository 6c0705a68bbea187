/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process does to itself: non-local gotos and signals. */
#include <loadmix/job.h>

#include "jobs/jobs.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum { JUMPS = 1000, DEEPEST = 10, FRAMES = DEEPEST + 1, SIGNALS = 1000 };

/* Static, because what lives across setjmp() must not sit in a register. */
static jmp_buf landing;
static volatile unsigned frames;

static void descend(int levels);

/* Through this pointer the recursion can become neither a loop nor part of its caller. */
static void (*volatile const call_descend)(int) = descend;

static void descend(int levels)
{
	frames++;
	if (levels == 0)
		longjmp(landing, 1);
	call_descend(levels - 1);
	__asm__ volatile(""); /* something left to do after the call: no tail call */
}

/* Jump out of FRAMES nested calls; true when setjmp() returned 0 and then what longjmp() sent. */
static bool jump_once(void)
{
	switch (setjmp(landing)) {
	case 0:
		call_descend(DEEPEST);
		return false;
	case 1:
		return true;
	default:
		return false;
	}
}

static enum lm_outcome jmp_test(struct lm_job_ctx *ctx)
{
	frames = 0;
	for (int n = 0; n < JUMPS; n++)
		if (!jump_once())
			return lm_job_wrong(ctx, "setjmp did not return 1 after longjmp with 1");
	if (frames != JUMPS * FRAMES)
		return lm_job_wrong(ctx, "jumped out of %u calls; want %d", frames, JUMPS * FRAMES);
	return LM_JOB_OK;
}

static volatile sig_atomic_t caught; /* signals counted by the handler */
static volatile sig_atomic_t stray;  /* another signal's number, or -1: could not re-install */

/* Install the handler; 0, or -1 with errno. Called by the handler as well. */
static int install(struct sigaction *before);

static void on_signal(int number)
{
	if (number != SIGUSR2)
		stray = number;
	else if (install(NULL))
		stray = -1;
	caught++;
}

static int install(struct sigaction *before)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	return sigaction(SIGUSR2, &action, before);
}

/* A signal to oneself is handled before kill() returns, unless it is blocked. */
static enum lm_outcome send_signals(struct lm_job_ctx *ctx, pid_t self)
{
	while (caught < SIGNALS) {
		sig_atomic_t before = caught;

		if (kill(self, SIGUSR2))
			return lm_job_fail(ctx, "kill %d with SIGUSR2", (int)self);
		if (caught != before + 1)
			return lm_job_wrong(
				ctx,
				"SIGUSR2 %d of %d was not caught: is it blocked? A task "
				"must be able to receive it",
				(int)before + 1, SIGNALS);
		if (stray)
			return lm_job_wrong(ctx, "the handler of SIGUSR2 found %d; want 0",
					    (int)stray);
	}
	return LM_JOB_OK;
}

/* 1,000 times kill and a handler that installs itself anew; what was there before is put back,
 * which is one sigaction() more than AIM7 does. */
static enum lm_outcome signal_test(struct lm_job_ctx *ctx)
{
	struct sigaction before;
	enum lm_outcome outcome;
	pid_t self = getpid();

	caught = stray = 0;
	if (install(&before))
		return lm_job_fail(ctx, "sigaction SIGUSR2");
	outcome = send_signals(ctx, self);
	if (sigaction(SIGUSR2, &before, NULL) && outcome == LM_JOB_OK)
		return lm_job_fail(ctx, "sigaction SIGUSR2, putting the handler back");
	return outcome;
}

const struct lm_job lm_jobs_process[] = {
	{
		.name = "jmp_test",
		.unit = "Non-local gotos",
		.class = LM_CLASS_PROCESS,
		.factor = JUMPS,
		.run = jmp_test,
	},
	{
		.name = "signal_test",
		.unit = "Signal Traps",
		.class = LM_CLASS_PROCESS,
		.factor = SIGNALS,
		.run = signal_test,
	},
	{ 0 },
};
