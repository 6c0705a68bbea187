/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sink takes what a session produces: a table, a journal, a progress line. Any number at once. */
#ifndef LOADMIX_SINK_H
#define LOADMIX_SINK_H

#include <loadmix/error.h>
#include <loadmix/plan.h>
#include <loadmix/result.h>

/* Where a running step is; all tasks together. */
struct lm_progress {
	unsigned step, steps; /* steps 0: not known beforehand */
	unsigned tasks;
	uint64_t jobs_done, jobs_total; /* of this step */
	double elapsed_s;               /* since the gate opened; 0: it has not */
	double step_left_s, run_left_s; /* estimates; negative: not known */
};

/* What happens in a step, for tools that look at the machine meanwhile. */
enum lm_moment {
	LM_MOMENT_SETUP, /* before the step's files and tasks exist */
	LM_MOMENT_GATE,  /* all tasks wait; the clock starts when every sink has returned */
	LM_MOMENT_HALT,  /* an eighth of the tasks has finished: inside the measured time, so what
			    is done here must only be begun */
};

/*
 * All hooks run in the parent, never inside a task. begin, step and end return 0, or -1 with err.
 *
 * begin     once, before the first fork of the run
 * start     before every step, with what is known then; may be NULL
 * progress  while a step runs, twice a second at most; may be NULL. The engine wakes up for it
 *           only when a sink has it
 * moment    see enum lm_moment; may be NULL. Before step() of the same load. 0, or -1 with err,
 *           which ends the run before the tasks start; LM_MOMENT_HALT always goes well
 * samples   after every step, before step(), when all its processes are gone: what the tasks left,
 *           with the names of mix; may be NULL. Nothing of it lasts longer than the call
 * step      after every step, when all its processes are gone: the record is on stable storage
 *           or on its way to the reader when this returns
 * end       once, if every sink's begin returned 0, whatever happened then: flush, print the
 *           summary
 * close     once, if begin was reached or not: free the state. Mandatory
 */
struct lm_sink {
	void *state;
	int (*begin)(void *state, const struct lm_plan *plan, const struct lm_facts *environment,
		     struct lm_error *err);
	void (*start)(void *state, const struct lm_progress *progress);
	void (*progress)(void *state, const struct lm_progress *progress);
	int (*moment)(void *state, enum lm_moment moment, unsigned tasks, struct lm_error *err);
	int (*samples)(void *state, const struct lm_mix *mix, const struct lm_step_result *result,
		       struct lm_error *err);
	int (*step)(void *state, const struct lm_record *record, struct lm_error *err);
	int (*end)(void *state, const struct lm_summary *summary, struct lm_error *err);
	void (*close)(void *state);
};

/*
 * A result format. open makes a sink that writes to path (NULL: the stream the format is for,
 * standard output or standard error). A file that exists already is not touched: -1 with err; but
 * the formats of a file that all runs share (suite7) add to it, and change nothing of what is
 * there.
 */
struct lm_format {
	const char *name;
	const char *summary;
	int (*open)(const char *path, struct lm_sink *out, struct lm_error *err);
};

#endif
