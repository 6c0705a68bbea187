/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building and taking apart lists of runs that were read back. Pure. */
#ifndef LM_MODEL_RUNS_H
#define LM_MODEL_RUNS_H

#include <loadmix/error.h>
#include <loadmix/run.h>

#include <stdbool.h>

/* Add an empty run, its texts "". NULL with err when memory ran out. The pointer is good until the
 * next run is added. */
struct lm_run *lm_runs_add(struct lm_runs *runs, const char *source, long line, const char *format,
			   struct lm_error *err);

/* Add an empty record, valid and with every figure unknown. NULL with err. The pointer is good
 * until the next is added. */
struct lm_record *lm_run_step(struct lm_run *run, long line, struct lm_error *err);

/* Set a text of a run, such as &run->label. 0, or -1 with err. */
int lm_run_text(char **field, const char *text, struct lm_error *err);

/* A name or unit of a kind that lives as long as the runs; one copy of each. NULL with err. */
const char *lm_runs_name(struct lm_runs *runs, const char *name, struct lm_error *err);

/* Remember what was not used: the first 1,000 of such notes, and in one more the number of the
 * others. 0, or -1 with err. */
int lm_runs_note(struct lm_runs *runs, const char *source, long line, struct lm_error *err,
		 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/*
 * Work out what follows from the figures that are known: jobs/min/task, jobs/s/task and cpu; what
 * each figure is rounded to; and, when the run does not tell its jobs per task, bounds on them from
 * jobs/min * real / 60 / tasks. Called once when a run has been read.
 */
void lm_run_derive(struct lm_run *run);

/* Does its real hold the 10 idle seconds that AIM7 counts? So it is with its formats (suite7,
 * multitask, posted), unless version says that loadmix wrote the file, or they were taken out. */
bool lm_run_has_delay(const struct lm_run *run);

/* They were taken out: now, or before what was read was written. */
bool lm_run_delay_taken(const struct lm_run *run);

/* Jobs per task as told, or the only number within the bounds, which are then less than one apart.
 * 0: not known. */
unsigned lm_run_jobs(const struct lm_run *run);

/* Whether the steps of a run are a kind each, repeated for a time: they are no sweep. */
bool lm_run_is_single(const struct lm_run *run);

/* The kind that a step of single mode is of; "" for any other step. */
const char *lm_run_kind(const struct lm_run *run, const struct lm_record *record);

/* The kernel that a run was resumed under, if it was another: its release, or what else of it had
 * changed. NULL: it was not. Good as long as the run. */
const char *lm_run_other_kernel(const struct lm_run *run);

/* Whether a task did the same jobs in two steps that tell their kinds, in whatever order. */
bool lm_same_jobs(const struct lm_record *a, const struct lm_record *b);

/* Whether each kind that is a command in both is the same command. */
bool lm_same_commands(const struct lm_run *a, const struct lm_run *b);

/* Whether a job of each kind that both have is of as many operations: files may be larger. */
bool lm_same_operations(const struct lm_record *a, const struct lm_record *b);

/* Whether two are the same run, read twice: valid steps and figures are equal, as far as both tell
 * them and to the digits that both have, and so are the times when they began and the steps ended.
 * Where a side tells no time, the figures must have more digits than would agree by chance. */
bool lm_run_same(const struct lm_run *a, const struct lm_run *b);

/*
 * Take these 10 seconds out of real, and restate what follows from it, where they are in it. The
 * environment tells of it, so that it is done once. A step whose real is not above 10 s, or is not
 * known, becomes INVALID with that problem. Returns the number of steps changed. See
 * docs/figures.md.
 */
size_t lm_run_take_delay(struct lm_run *run);

void lm_runs_free(struct lm_runs *runs);

#endif
