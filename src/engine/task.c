/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/task.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/order.h"

/* The context must be first: report() gets a pointer to it and finds the slot behind it. */
struct task {
	struct lm_job_ctx ctx;
	const struct lm_task_setup *setup;
	struct lm_task_slot *slot;
	size_t next_dir;
};

struct usage {
	uint64_t user_ns, system_ns;
};

static void report(struct lm_job_ctx *ctx, int error, const char *fmt, va_list ap)
{
	struct lm_task_slot *slot = ((struct task *)(void *)ctx)->slot;

	if (slot->failure[0])
		return;
	slot->failure_errno = error;
	vsnprintf(slot->failure, sizeof(slot->failure), fmt, ap);
}

static void add_usage(int who, struct usage *sum)
{
	struct rusage r;

	getrusage(who, &r);
	sum->user_ns += lm_timeval_ns(r.ru_utime);
	sum->system_ns += lm_timeval_ns(r.ru_stime);
}

static const char *job_dir(struct task *t, const struct lm_job *job)
{
	if (!(job->flags & LM_JOB_DIR))
		return NULL;
	return t->setup->dirs[t->next_dir++ % t->setup->plan->dir_count];
}

/* Run a job between two looks at the clock, and nothing else. */
static enum lm_outcome time_job(struct task *t, struct lm_sample *sample)
{
	const struct lm_mix_entry *entry = &t->setup->plan->mix->entries[sample->entry];

	t->ctx.job = entry->job;
	t->ctx.params = entry->params;
	t->ctx.dir = job_dir(t, entry->job);
	sample->start_ns = lm_now_ns();
	sample->outcome = entry->job->run(&t->ctx);
	sample->duration_ns = lm_now_ns() - sample->start_ns;
	return (enum lm_outcome)sample->outcome;
}

static enum lm_outcome run_job(struct task *t, struct lm_sample *sample, struct usage *self)
{
	bool forks = t->setup->plan->mix->entries[sample->entry].job->flags & LM_JOB_CHILDREN;
	struct usage before = *self, now = { 0 };
	enum lm_outcome outcome;

	if (forks)
		add_usage(RUSAGE_CHILDREN, &before);
	outcome = time_job(t, sample);
	add_usage(RUSAGE_SELF, &now);
	*self = now;
	if (forks)
		add_usage(RUSAGE_CHILDREN, &now);
	sample->user_ns = now.user_ns - before.user_ns;
	sample->system_ns = now.system_ns - before.system_ns;
	return outcome;
}

static enum lm_task_state run_list(struct task *t)
{
	unsigned jobs = t->setup->plan->mix->jobs_per_task;
	struct usage self = { 0 };

	add_usage(RUSAGE_SELF, &self);
	for (unsigned i = 0; i < jobs; i++) {
		if (run_job(t, &t->slot->samples[i], &self) != LM_JOB_OK)
			return LM_TASK_FAILED;
		atomic_store_explicit(&t->slot->jobs_done, i + 1, memory_order_release);
	}
	return LM_TASK_DONE;
}

/* Single mode: one kind over and over; the samples are a ring of the last runs. */
static enum lm_task_state run_period(struct task *t)
{
	unsigned room = t->setup->plan->mix->jobs_per_task;
	uint64_t until = t->slot->start_ns + (uint64_t)(t->setup->plan->period_s * 1e9);
	const struct lm_sample *sample = NULL;

	for (uint64_t n = 0; !sample || sample->start_ns + sample->duration_ns < until; n++) {
		sample = &t->slot->samples[n % room];
		if (time_job(t, &t->slot->samples[n % room]) != LM_JOB_OK)
			return LM_TASK_FAILED;
		atomic_store_explicit(&t->slot->jobs_done, n + 1, memory_order_release);
	}
	return LM_TASK_DONE;
}

/* The first write to a shared page costs a fault, which must not fall into the measured time. */
static void touch_slot(const struct lm_task_setup *setup, struct lm_task_slot *slot)
{
	unsigned char *at = (unsigned char *)slot;
	size_t size = setup->samples->stride;

	for (size_t i = 0; i < size; i += 4096)
		__atomic_fetch_or(&at[i], 0, __ATOMIC_RELAXED);
	__atomic_fetch_or(&at[size - 1], 0, __ATOMIC_RELAXED);
}

/* False when the parent or its process group is gone already. */
static bool settle(const struct lm_task_setup *setup)
{
	sigset_t none;

	close(setup->parent_fd);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != setup->parent || setpgid(0, setup->group) < 0)
		return false;
	sigemptyset(&none);
	return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

static enum lm_task_state live(const struct lm_task_setup *setup, unsigned task)
{
	const struct lm_plan *plan = setup->plan;
	struct task t = {
		.ctx = { .home = setup->dirs[0],
			 .semantics = plan->semantics,
			 .system_sync = plan->sync,
			 .data_dir = plan->data_dir,
			 .ipc_key = &setup->ipc_keys[task],
			 .file_kib = setup->file_kib,
			 .tasks = setup->samples->tasks,
			 .task = task,
			 .rng = { lm_order_kind_seed(plan->seed, task) },
			 .report = report },
		.setup = setup,
		.slot = lm_samples_slot(setup->samples, task),
		.next_dir = lm_order_first_dir(plan->seed, task, plan->dir_count),
	};
	enum lm_task_state state;

	touch_slot(setup, t.slot);
	atomic_store_explicit(&t.slot->state, LM_TASK_WAITING, memory_order_relaxed);
	lm_gate_wait(setup->samples->gate, setup->ready_fd);

	t.slot->start_ns = lm_now_ns();
	atomic_store_explicit(&t.slot->state, LM_TASK_RUNNING, memory_order_relaxed);
	state = plan->period_s > 0 ? run_period(&t) : run_list(&t);
	t.slot->end_ns = lm_now_ns();
	atomic_store_explicit(&t.slot->state, state, memory_order_release);
	return state;
}

void lm_task_main(const struct lm_task_setup *setup, unsigned task)
{
	_exit(settle(setup) && live(setup, task) == LM_TASK_DONE ? 0 : 1);
}
