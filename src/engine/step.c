/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/step.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/counters.h"
#include "engine/task.h"

enum { BEFORE, AFTER, LOOKS }; /* at the counters */
enum { START_DELAY_S = 10, TICK_MS = 500, KILL_WAIT_S = 60 };

struct step {
	const struct lm_step_spec *spec;
	struct lm_samples *samples;
	struct lm_roster roster;
	struct lm_task_setup setup;
	struct lm_counters *counters; /* LOOKS */
	int ready_fd;
	bool ready, halted;   /* LM_MOMENT_HALT has been told */
	uint64_t deadline_ns; /* of the clock */
	uint64_t gate_ns;     /* 0 until it opens */
	uint64_t next_tick_ns;
};

static uint64_t seconds_ns(double s)
{
	return (uint64_t)(s * 1e9);
}

/* --- birth ------------------------------------------------------------------------------- */

static int pin(const struct lm_plan *plan, cpu_set_t *before, struct lm_error *err)
{
	cpu_set_t set;

	if (!plan->cpu_count)
		return 0;
	CPU_ZERO(&set);
	for (size_t i = 0; i < plan->cpu_count; i++)
		CPU_SET(plan->cpus[i], &set);
	if (sched_getaffinity(0, sizeof(*before), before) == 0 &&
	    sched_setaffinity(0, sizeof(set), &set) == 0)
		return 0;
	return lm_error_sys(err, "cannot pin the tasks to processors %s", plan->cpu_list);
}

static int fork_tasks(struct step *s, struct lm_error *err)
{
	for (unsigned task = 0; task < s->spec->tasks; task++) {
		pid_t pid = fork();

		if (pid == 0)
			lm_task_main(&s->setup, task);
		if (pid < 0)
			return lm_error_sys(err,
					    "cannot fork task %u of %u (see ulimit -u, "
					    "/proc/sys/kernel/pid_max and the cgroup's pids.max)",
					    task + 1, s->spec->tasks);
		lm_samples_slot(s->samples, task)->pid = pid;
		lm_roster_add(&s->roster, pid, task);
		if (task % 64 == 0 && lm_signals_take(s->spec->signals))
			return -1;
	}
	lm_roster_sort(&s->roster);
	lm_reap(&s->roster, s->samples); /* whose SIGCHLD may have been taken above */
	return 0;
}

/* Tasks inherit the processors they are to run on: no system call of their own. */
static int give_birth(struct step *s, struct lm_error *err)
{
	cpu_set_t before;
	int rc;

	if (pin(s->spec->plan, &before, err) < 0)
		return -1;
	s->roster.warden = lm_guard_warden(s->spec->guard, err);
	s->setup.group = s->roster.warden;
	rc = s->roster.warden < 0 ? -1 : fork_tasks(s, err);
	if (s->roster.warden < 0)
		s->roster.warden = 0;
	if (s->spec->plan->cpu_count)
		sched_setaffinity(0, sizeof(before), &before);
	return rc;
}

/* --- waiting ----------------------------------------------------------------------------- */

static void tick(struct step *s)
{
	s->next_tick_ns = lm_now_ns() + TICK_MS * 1000000ull;
	if (s->gate_ns)
		s->spec->tick(s->spec->tick_state, lm_samples_jobs_done(s->samples),
			      (double)(lm_now_ns() - s->gate_ns) * 1e-9);
}

static int poll_timeout_ms(const struct step *s, uint64_t until)
{
	uint64_t now = lm_now_ns(), left = until > now ? (until - now) / 1000000 + 1 : 0;
	uint64_t most = s->spec->tick && s->gate_ns ? TICK_MS : 60000;

	return (int)(left < most ? left : most);
}

/* Sleep until something happens or the time is up; reap, tick, take signals. */
static void doze(struct step *s, uint64_t until)
{
	struct pollfd fds[2] = { { .fd = s->spec->signals->fd, .events = POLLIN },
				 { .fd = s->ready ? -1 : s->ready_fd, .events = POLLIN } };
	int n = poll(fds, 2, poll_timeout_ms(s, until));

	if (s->spec->tick && lm_now_ns() >= s->next_tick_ns)
		tick(s);
	if (n <= 0)
		return;
	if (fds[0].revents)
		lm_signals_take(s->spec->signals);
	if (fds[1].revents)
		s->ready = true;
	lm_reap(&s->roster, s->samples);
}

/* A stop of the program must not count as slowness of the tasks' birth. */
static uint64_t ready_deadline(const struct step *s)
{
	uint64_t continued = s->spec->signals->continued_ns;
	uint64_t again = continued ? continued + seconds_ns(s->spec->deadline_s) : 0;

	return again > s->deadline_ns ? again : s->deadline_ns;
}

/* All tasks wait at the gate: 0; a signal ended it: -1 without err; else -1 with err. */
static int await_ready(struct step *s, struct lm_error *err)
{
	while (!s->ready) {
		doze(s, ready_deadline(s));
		if (s->spec->signals->taken)
			return -1;
		if (s->roster.left < s->roster.count)
			return lm_error_set(err, LM_ERR_SYSTEM,
					    "%u of %u tasks died before the start gate opened (out "
					    "of memory, or killed)",
					    s->roster.count - s->roster.left, s->roster.count);
		if (!s->ready && lm_now_ns() >= ready_deadline(s))
			return lm_error_set(
				err, LM_ERR_SYSTEM,
				"the step's %u tasks were not ready within its deadline of %g s: "
				"allow more time, or fewer tasks",
				s->spec->tasks, s->spec->deadline_s);
	}
	return 0;
}

static void await_start_delay(struct step *s)
{
	uint64_t until = s->gate_ns + START_DELAY_S * 1000000000ull;

	while (!s->spec->signals->taken && lm_now_ns() < until)
		doze(s, until);
}

static void tell_halt(struct step *s)
{
	if (s->halted || (uint64_t)(s->roster.count - s->roster.left) * 8 < s->roster.count)
		return;
	s->halted = true;
	s->spec->moment(s->spec->moment_state, LM_MOMENT_HALT, s->spec->tasks, NULL);
}

static uint64_t last_end(const struct step *s)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < s->spec->tasks; i++) {
		uint64_t end = lm_samples_slot(s->samples, i)->end_ns;

		last = end > last ? end : last;
	}
	return last;
}

static enum lm_step_end await_tasks(struct step *s)
{
	while (s->roster.left > 0) {
		if (s->spec->signals->taken)
			return LM_STEP_INTERRUPTED;
		if (lm_now_ns() >= s->deadline_ns)
			break;
		doze(s, s->deadline_ns);
		tell_halt(s);
	}
	/* what ended while the program was stopped did not wait for it to go on */
	lm_reap(&s->roster, s->samples);
	if (s->roster.left > 0 || last_end(s) > s->deadline_ns)
		return LM_STEP_DEADLINE;
	return LM_STEP_COMPLETE;
}

/* --- death ------------------------------------------------------------------------------- */

static int await_killed(struct step *s, struct lm_error *err)
{
	uint64_t until = lm_now_ns() + KILL_WAIT_S * 1000000000ull;

	lm_reap(&s->roster, s->samples);
	while (s->roster.left > 0 && lm_now_ns() < until) {
		poll(NULL, 0, 1);
		lm_reap(&s->roster, s->samples);
	}
	if (s->roster.left == 0)
		return 0;
	return lm_error_set(err, LM_ERR_SYSTEM,
			    "%u tasks do not end, although killed: are they waiting for a disk?",
			    s->roster.left);
}

/* Nothing that the step started is left after this. Returns the number of strays, -1 with err. */
static int bury(struct step *s, struct lm_error *err)
{
	pid_t warden = s->roster.warden;
	int strays;

	lm_roster_kill(&s->roster);
	if (await_killed(s, err) < 0)
		return -1;
	if (s->roster.warden)
		while (waitpid(warden, NULL, 0) < 0 && errno == EINTR)
			;
	lm_guard_drop_ipc(s->spec->guard, s->spec->tasks);
	strays = lm_reap_strays(s->spec->hunts, err);
	return strays < 0 ? -1 : strays + (int)s->roster.strays;
}

/* --- the step ---------------------------------------------------------------------------- */

static int prepare(struct step *s, struct lm_error *err)
{
	const struct lm_step_spec *spec = s->spec;

	s->deadline_ns = lm_now_ns() + seconds_ns(spec->deadline_s);
	if (lm_samples_map(s->samples, spec->plan, spec->tasks, err) < 0 ||
	    lm_roster_open(&s->roster, spec->tasks, err) < 0)
		return -1;
	s->counters = calloc(LOOKS, sizeof(*s->counters));
	if (!s->counters)
		return lm_error_sys(err, "the counters of the system");
	s->ready_fd = eventfd(0, EFD_CLOEXEC);
	if (s->ready_fd < 0)
		return lm_error_sys(err, "eventfd");
	s->setup = (struct lm_task_setup){ .plan = spec->plan,
					   .samples = s->samples,
					   .dirs = spec->dirs,
					   .file_kib = spec->file_kib,
					   .parent = getpid(),
					   .ipc_keys = spec->guard->ipc_keys,
					   .ready_fd = s->ready_fd,
					   .parent_fd = spec->guard->watch[1] };
	return 0;
}

/* Since then SIGCONT came. */
static bool continued_since(const struct step *s, uint64_t since_ns)
{
	lm_signals_take(s->spec->signals);
	return s->spec->signals->continued_ns >= since_ns;
}

/* From the opening of the gate to the end of the last task; nothing else is in it. */
static void measure(struct step *s, struct lm_step_result *result)
{
	s->gate_ns = lm_now_ns();
	if (s->spec->plan->start_delay)
		await_start_delay(s);
	s->deadline_ns = lm_now_ns() + seconds_ns(s->spec->deadline_s);
	if (!s->spec->signals->taken)
		lm_gate_open(s->samples->gate);
	result->held_gate = continued_since(s, s->gate_ns);
	lm_reap(&s->roster, s->samples); /* whose SIGCHLD may have been taken */
	result->end = await_tasks(s);
	result->gate_ns = s->gate_ns;
	result->deadline_ns = s->deadline_ns;
}

static int run(struct step *s, struct lm_step_result *result, struct lm_facts *system,
	       struct lm_error *err)
{
	uint64_t first_fork;

	if (prepare(s, err) < 0)
		return -1;
	first_fork = lm_now_ns();
	if (give_birth(s, err) < 0 || await_ready(s, err) < 0)
		return -1;
	result->ready_ns = lm_now_ns() - first_fork;
	if (s->spec->moment(s->spec->moment_state, LM_MOMENT_GATE, s->spec->tasks, err) < 0 ||
	    lm_signals_take(s->spec->signals)) /* a stop until here does no harm */
		return -1;
	lm_counters_read(s->spec->probes, &s->counters[BEFORE]);
	measure(s, result);
	lm_counters_read(s->spec->probes, &s->counters[AFTER]);
	if (continued_since(s, s->gate_ns))
		result->continued_ns = s->spec->signals->continued_ns;
	if (lm_counters_diff(s->spec->probes, &s->counters[BEFORE], &s->counters[AFTER], system) <
	    0)
		return lm_error_sys(err, "figures of the system");
	return 0;
}

int lm_step_run(const struct lm_step_spec *spec, struct lm_samples *samples,
		struct lm_step_result *result, struct lm_facts *system, struct lm_error *err)
{
	struct step s = { .spec = spec, .samples = samples, .ready_fd = -1 };
	int rc, strays;

	*result = (struct lm_step_result){ 0 };
	rc = run(&s, result, system, err);
	strays = bury(&s, err);
	free(s.counters);
	if (s.ready_fd >= 0)
		close(s.ready_fd);
	lm_roster_close(&s.roster);
	result->tasks = spec->tasks;
	result->jobs_per_task = spec->plan->mix->jobs_per_task;
	result->period_s = spec->plan->period_s;
	result->file_kib = spec->file_kib;
	result->signal = spec->signals->taken;
	result->deadline_s = spec->deadline_s;
	result->strays = result->end == LM_STEP_COMPLETE && strays > 0 ? (unsigned)strays : 0;
	result->slots = samples->slots;
	result->slot_stride = samples->stride;
	return rc < 0 || strays < 0 ? -1 : 0;
}
