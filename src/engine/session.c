/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/foresight.h"
#include "engine/furnish.h"
#include "engine/guard.h"
#include "engine/limits.h"
#include "engine/reap.h"
#include "engine/scratch.h"
#include "engine/signals.h"
#include "engine/step.h"
#include "model/metrics.h"
#include "model/mix.h"
#include "model/next.h"
#include "model/summary.h"
#include "model/validity.h"

enum { DESCRIPTORS = 4 }; /* that have to be free, see check_descriptors() */

/* Everything a session holds; session_close() lets go of whatever has been taken. */
struct session {
	const struct lm_session *in;
	const struct lm_plan *plan;
	struct lm_session_outcome *out;
	int stdin_copy; /* the caller's standard input, -1: not put aside */
	struct lm_signals signals;
	int was_subreaper;          /* of what jobs leave behind, before the session */
	bool hunts;                 /* such processes can be told from others: see session_open() */
	struct lm_scratch *scratch; /* one a directory */
	size_t scratch_count;
	const char **dirs; /* their paths */
	struct lm_guard guard;
	struct lm_facts environment;
	struct lm_record *records; /* the first in->before_count belong to the caller */
	size_t count;
	size_t first;              /* record of this iteration */
	struct lm_figures *sweeps; /* one an iteration, out->summary.sweep_count of them */
	bool ticks;                /* some sink wants progress */
	bool sink_failed;          /* at a step's samples: told after the record is */
	struct lm_foresight foresight;
};

static double seconds_since(uint64_t start_ns)
{
	return (double)(lm_now_ns() - start_ns) * 1e-9;
}

/* --- set-up ------------------------------------------------------------------------------ */

/* The janitor first: it sees each directory as soon as it is made. */
static int make_scratch(struct session *s, struct lm_error *err)
{
	size_t n = s->plan->dir_count;

	s->scratch = lm_scratch_map(n);
	s->dirs = calloc(n, sizeof(*s->dirs));
	if (!s->scratch || !s->dirs)
		return lm_error_sys(err, "a list of %zu directories", n);
	if (lm_guard_open(&s->guard, s->scratch, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (lm_scratch_make(&s->scratch[i], s->plan->dirs[i], err) < 0)
			return -1;
		s->dirs[s->scratch_count++] = s->scratch[i].path;
	}
	return 0;
}

/* To remove what is in a directory takes two descriptors; to look for what jobs left behind, or to
 * make a common file, while the sinks have theirs takes four. Who has fewer is told while the
 * directories are empty. */
static int check_descriptors(struct lm_error *err)
{
	int fds[DESCRIPTORS], error;
	size_t n = 0;

	while (n < DESCRIPTORS && (fds[n] = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
		n++;
	error = errno;
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
	if (n == DESCRIPTORS)
		return 0;
	errno = error;
	return lm_error_sys(err,
			    "a run needs %d free file descriptors and has %zu: raise ulimit -n, or "
			    "close what it inherits",
			    DESCRIPTORS, n);
}

/* What a job leaves behind becomes our child, and can be found. Not so when we have children that
 * are none of ours: the program was started by exec in a script, say, or is a container's first
 * process. Then nobody could tell whose a process is, and the tasks' group has to do. */
static void inherit_strays(struct session *s)
{
	siginfo_t info;

	s->hunts = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD &&
		   prctl(PR_GET_CHILD_SUBREAPER, &s->was_subreaper) == 0 &&
		   prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

static int ask_probes(struct session *s)
{
	if (s->plan->environment)
		return lm_facts_copy(&s->environment, s->plan->environment);
	for (size_t i = 0; s->in->probes[i]; i++)
		if (s->in->probes[i]->describe &&
		    s->in->probes[i]->describe(s->plan, &s->environment) < 0)
			return -1;
	return 0;
}

static int describe(struct session *s, struct lm_error *err)
{
	if (ask_probes(s) < 0 ||
	    lm_facts_text(&s->environment, "session.strays", s->hunts ? "found" : "left alone") < 0)
		return lm_error_sys(err, "facts about this machine");
	return 0;
}

static int begin_sinks(struct session *s, struct lm_error *err)
{
	for (size_t i = 0; i < s->in->sink_count; i++) {
		struct lm_sink *sink = &s->in->sinks[i];

		s->ticks = s->ticks || sink->progress;
		if (sink->begin && sink->begin(sink->state, s->plan, &s->environment, err) < 0)
			return -1;
	}
	return 0;
}

/* misc_rtns_1 asks what descriptor 0 is: its work must not depend on who started the program. */
static int put_stdin_aside(struct session *s, struct lm_error *err)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int rc = -1;

	s->stdin_copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (null >= 0 && s->stdin_copy >= 0)
		rc = dup2(null, STDIN_FILENO);
	if (rc < 0)
		lm_error_sys(err, "cannot give the tasks /dev/null as standard input");
	if (null >= 0)
		close(null);
	return rc < 0 ? -1 : 0;
}

static void put_stdin_back(struct session *s)
{
	if (s->stdin_copy < 0)
		return;
	dup2(s->stdin_copy, STDIN_FILENO);
	close(s->stdin_copy);
}

/* What makes the kinds' files is to end with that, or it would pass for a job's in the first step.
 */
static int reap_makers(struct session *s, struct lm_error *err)
{
	int left = lm_reap_strays(s->hunts, err);

	if (left <= 0)
		return left;
	return lm_error_set(err, LM_ERR_SYSTEM,
			    "%d process%s left behind when the kinds' files were made: a plug-in's "
			    "furnish() has to wait for what it starts",
			    left, left == 1 ? " was" : "es were");
}

/* 0; -1 with err, or without when a signal came before any sink began. */
static int session_open(struct session *s, struct lm_error *err)
{
	if (put_stdin_aside(s, err) < 0 || make_scratch(s, err) < 0)
		return -1;
	if (check_descriptors(err) < 0)
		return -1;
	inherit_strays(s); /* not the janitor, which is there already */
	if (lm_furnish(s->plan->mix, s->dirs, s->scratch_count, &s->guard, &s->signals, err) < 0) {
		lm_reap_strays(s->hunts, err); /* of a hook that was killed */
		return -1;
	}
	if (reap_makers(s, err) < 0)
		return -1;
	if (describe(s, err) < 0 || lm_signals_take(&s->signals))
		return -1;
	return begin_sinks(s, err);
}

/* 0, or -1 with err when something could not be removed. */
static int session_close(struct session *s, struct lm_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < s->scratch_count; i++)
		rc |= lm_scratch_remove(&s->scratch[i], err);
	lm_guard_close(&s->guard);
	if (s->hunts)
		prctl(PR_SET_CHILD_SUBREAPER, s->was_subreaper);
	for (size_t i = s->in->before_count; i < s->count; i++)
		lm_record_free(&s->records[i]);
	free(s->records);
	free(s->sweeps);
	lm_foresight_free(&s->foresight);
	lm_scratch_unmap(s->scratch, s->plan->dir_count);
	free(s->dirs);
	lm_facts_free(&s->environment);
	put_stdin_back(s);
	lm_signals_close(&s->signals);
	return rc;
}

/* --- steps ------------------------------------------------------------------------------- */

static bool interrupted(void *state)
{
	return lm_signals_take(&((struct session *)state)->signals) != 0;
}

/* The common files of a step. With a pool the size depends on the load, so they are written anew
 * before each step; without one they are written once. */
static int common_files(struct session *s, uint64_t kib, struct lm_error *err)
{
	for (size_t i = 0; i < s->scratch_count; i++) {
		if (!lm_mix_needs(s->plan->mix, LM_JOB_COMMON) || s->scratch[i].common_kib == kib)
			continue;
		if (lm_scratch_common(&s->scratch[i], kib, interrupted, s, err) < 0)
			return -1;
	}
	if (s->plan->sync)
		sync();
	return 0;
}

static void tidy_files(struct session *s, const struct lm_record *record)
{
	for (size_t i = 0; i < s->scratch_count; i++) {
		if (!record->valid)
			lm_scratch_sweep(&s->scratch[i]);
		if (s->plan->mix->poolsize_kib)
			lm_scratch_drop_common(&s->scratch[i]);
	}
}

/* Work done in a directory that is no longer the one that was made is not the work that was asked
 * for. */
static void check_places(const struct session *s, struct lm_record *record)
{
	for (size_t i = 0; i < s->scratch_count; i++)
		if (!lm_scratch_in_place(&s->scratch[i]))
			lm_record_problem(record,
					  "the scratch directory '%s' was moved or replaced",
					  s->scratch[i].real);
}

static void tick(void *state, uint64_t jobs_done, double elapsed_s)
{
	struct session *s = state;

	lm_foresight_advance(&s->foresight, jobs_done, elapsed_s);
	for (size_t i = 0; i < s->in->sink_count; i++)
		if (s->in->sinks[i].progress)
			s->in->sinks[i].progress(s->in->sinks[i].state, &s->foresight.progress);
}

static int tell_moment(void *state, enum lm_moment moment, unsigned tasks, struct lm_error *err)
{
	const struct session *s = state;
	int rc = 0;

	for (size_t i = 0; i < s->in->sink_count; i++)
		if (s->in->sinks[i].moment &&
		    s->in->sinks[i].moment(s->in->sinks[i].state, moment, tasks, err) < 0)
			rc = -1;
	return rc;
}

static void tell_samples(struct session *s, const struct lm_step_result *result,
			 struct lm_error *err)
{
	for (size_t i = 0; i < s->in->sink_count; i++)
		if (s->in->sinks[i].samples &&
		    s->in->sinks[i].samples(s->in->sinks[i].state, s->plan->mix, result, err) < 0)
			s->sink_failed = true;
}

static void expect_step(struct session *s, unsigned tasks)
{
	lm_foresight_expect(&s->foresight, tasks, s->count, s->count - s->first,
			    s->out->summary.sweep_count);
	for (size_t i = 0; i < s->in->sink_count; i++)
		if (s->in->sinks[i].start)
			s->in->sinks[i].start(s->in->sinks[i].state, &s->foresight.progress);
}

/* Run the tasks and make the record. 0; -1 with err, or without when a signal came first. */
static int run_tasks(struct session *s, unsigned tasks, uint64_t file_kib, struct lm_record *record,
		     struct lm_error *err)
{
	struct lm_step_spec spec = {
		.plan = s->plan,
		.tasks = tasks,
		.file_kib = file_kib,
		.deadline_s = lm_step_timeout_s(s->plan, tasks),
		.dirs = s->dirs,
		.probes = s->in->probes,
		.guard = &s->guard,
		.signals = &s->signals,
		.hunts = s->hunts,
		.tick = s->ticks ? tick : NULL,
		.tick_state = s,
		.moment = tell_moment,
		.moment_state = s,
	};
	struct lm_samples samples = { 0 };
	struct lm_step_result result;
	struct lm_facts system = { 0 };
	int rc = lm_step_run(&spec, &samples, &result, &system, err);

	if (rc == 0 && (rc = lm_metrics(s->plan->mix, &result, record)) < 0)
		lm_error_sys(err, "the figures of a step");
	record->system = system;
	if (rc == 0)
		tell_samples(s, &result, err);
	lm_samples_unmap(&samples);
	return rc;
}

static int tell_sinks(struct session *s, const struct lm_record *record, struct lm_error *err)
{
	int rc = 0;

	/* one that fails must not keep the record from the others */
	for (size_t i = 0; i < s->in->sink_count; i++)
		if (s->in->sinks[i].step &&
		    s->in->sinks[i].step(s->in->sinks[i].state, record, err) < 0)
			rc = -1;
	return rc;
}

static int run_step(struct session *s, unsigned tasks, struct lm_record *record,
		    struct lm_error *err)
{
	uint64_t file_kib = lm_mix_file_kib(s->plan->mix, tasks);
	uint64_t start_ns = lm_now_ns(), files_ns;
	double files_s;

	expect_step(s, tasks);
	if (tell_moment(s, LM_MOMENT_SETUP, tasks, err) < 0)
		return -1;
	files_ns = lm_now_ns();
	if (lm_limits_check(s->plan, tasks, err) < 0 || common_files(s, file_kib, err) < 0)
		return -1;
	files_s = seconds_since(files_ns);
	if (interrupted(s) || run_tasks(s, tasks, file_kib, record, err) < 0)
		return -1;
	check_places(s, record);
	tidy_files(s, record);
	record->iteration = (unsigned)s->out->summary.sweep_count + 1;
	record->step = s->in->steps_before + (unsigned)s->count + 1;
	lm_now_text(record->ended, sizeof(record->ended));
	record->files_s = files_s;
	record->outside_s = seconds_since(start_ns) - files_s - record->real_s;
	return 0;
}

/* Those of this iteration; NULL before the first of all. */
static struct lm_record *sweep_records(const struct session *s)
{
	return s->records ? s->records + s->first : NULL;
}

/* Room for one more. NULL with err. */
static struct lm_record *add_record(struct session *s, struct lm_error *err)
{
	struct lm_record *more = realloc(s->records, (s->count + 1) * sizeof(*more));

	if (!more) {
		lm_error_sys(err, "a record");
		return NULL;
	}
	s->records = more;
	more[s->count] = (struct lm_record){ 0 };
	return &more[s->count];
}

/* Take over the steps of this iteration that were run before the session. */
static int take_before(struct session *s, struct lm_error *err)
{
	unsigned iteration = (unsigned)s->out->summary.sweep_count + 1;

	while (s->count < s->in->before_count && s->in->before[s->count].iteration == iteration) {
		struct lm_record *record = add_record(s, err);

		if (!record)
			return -1;
		*record = s->in->before[s->count++];
		lm_summary_add(&s->out->summary, record);
		if (lm_foresight_learn(&s->foresight, record) < 0)
			return lm_error_sys(err, "an estimate");
	}
	return 0;
}

/* The next step of the sweep. 1: there was one; 0: the sweep is over; -1: it cannot go on. */
static int next_step(struct session *s, struct lm_reason *why, struct lm_error *err)
{
	struct lm_record *record;
	unsigned tasks;
	int rc;

	if (!lm_sweep_next(s->in->policy, &s->plan->sweep, sweep_records(s), s->count - s->first,
			   &tasks, why))
		return 0;
	record = add_record(s, err);
	if (!record)
		return -1;
	if (run_step(s, tasks, record, err) < 0) {
		lm_record_free(record);
		return -1;
	}
	s->count++;
	lm_summary_add(&s->out->summary, record);
	rc = tell_sinks(s, record, err);
	if (rc < 0 || s->sink_failed)
		return -1;
	if (lm_foresight_learn(&s->foresight, record) < 0)
		return lm_error_sys(err, "an estimate");
	return 1;
}

/* The figures of an iteration, also of one that was not completed. */
static int sum_up(struct session *s, const struct lm_reason *why, struct lm_error *err)
{
	struct lm_summary *summary = &s->out->summary;
	struct lm_figures *figures = &s->sweeps[summary->sweep_count++];

	*figures =
		(struct lm_figures){ .iteration = (unsigned)summary->sweep_count, .ended = *why };
	summary->sweeps = s->sweeps;
	if (lm_figures(sweep_records(s), s->count - s->first, figures) < 0)
		return lm_error_sys(err, "the figures of a sweep");
	s->first = s->count;
	return 0;
}

/* One iteration. 1: its end was reached; 0: a signal came; -1: it cannot go on. */
static int sweep_once(struct session *s, struct lm_error *err)
{
	struct lm_reason why = { "" };
	int rc = 1;

	if (take_before(s, err) < 0)
		return -1;
	while (rc == 1 && !lm_signals_take(&s->signals))
		rc = next_step(s, &why, err);
	if (sum_up(s, &why, err) < 0)
		return -1;
	return rc < 0 ? -1 : rc == 0;
}

static int sweep(struct session *s, struct lm_error *err)
{
	int rc = 1;

	s->sweeps = calloc(lm_iterations(s->plan), sizeof(*s->sweeps));
	if (!s->sweeps)
		return lm_error_sys(err, "the figures of the sweeps");
	for (unsigned i = 0; i < lm_iterations(s->plan) && rc == 1; i++)
		rc = sweep_once(s, err);
	/* one that kept a sink from waiting for its reader is still to be taken */
	s->out->signal = rc < 0 ? lm_signals_take(&s->signals) : s->signals.taken;
	/* without an error it was the signal that ended a step before its gate */
	return rc < 0 && err->code ? -1 : 0;
}

static void end_sinks(struct session *s, int rc, struct lm_error *err, struct lm_error *sink_err)
{
	if (s->out->signal)
		s->out->summary.stopped = strsignal(s->out->signal);
	else if (rc < 0)
		s->out->summary.stopped = err->text;
	for (size_t i = 0; i < s->in->sink_count; i++)
		if (s->in->sinks[i].end)
			s->in->sinks[i].end(s->in->sinks[i].state, &s->out->summary, sink_err);
}

static int run(struct session *s, struct lm_error *err, struct lm_error *sink_err)
{
	int rc;

	if (lm_signals_take(&s->signals) || session_open(s, err) < 0) {
		s->out->signal = lm_signals_take(&s->signals);
		return err->code ? -1 : 0;
	}
	rc = sweep(s, err);
	s->out->complete = rc == 0 && !s->out->signal;
	end_sinks(s, rc, err, sink_err);
	if (sink_err->code && !s->out->signal)
		s->out->signal = lm_signals_take(&s->signals);
	return rc;
}

int lm_session_run(const struct lm_session *session, struct lm_session_outcome *outcome,
		   struct lm_error *err)
{
	struct session s = { .in = session,
			     .plan = session->plan,
			     .out = outcome,
			     .foresight = { .plan = session->plan, .policy = session->policy },
			     .guard = LM_GUARD_CLOSED,
			     .stdin_copy = -1 };
	struct lm_error own = { 0 }, sink_err = { 0 };
	int rc;

	*outcome = (struct lm_session_outcome){ 0 };
	/* without TZ the C library looks for the time zone's file in every call of ctime() */
	setenv("TZ", ":/etc/localtime", 0);
	/* nothing is on any disk yet; a signal that comes meanwhile waits */
	if (lm_prepare_kinds(s.plan->mix, &own) < 0 || lm_signals_open(&s.signals, &own) < 0) {
		if (err)
			*err = own;
		return -1;
	}
	rc = run(&s, &own, &sink_err);
	if (session_close(&s, &sink_err) < 0 || sink_err.code) {
		if (rc == 0)
			own = sink_err;
		rc = -1;
	}
	outcome->summary.stopped = NULL;
	outcome->summary.sweeps = NULL;
	outcome->summary.sweep_count = 0;
	if (rc < 0 && err)
		*err = own;
	return rc;
}
