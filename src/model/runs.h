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

/* Jobs per task as told, or the only number within the bounds, which are then less than one apart.
 * 0: not known. */
unsigned lm_run_jobs(const struct lm_run *run);

/* Whether the steps of a run are a kind each, repeated for a time: they are no sweep. Of a table
 * the column "kind" tells. */
bool lm_run_is_single(const struct lm_run *run);

/* The kind that a step of single mode is of; "" for any other step. */
const char *lm_run_kind(const struct lm_run *run, const struct lm_record *record);

/* The kernel that a run was resumed under, if it was another: its release, or what else of it had
 * changed. NULL: it was not. Good as long as the run. */
const char *lm_run_other_kernel(const struct lm_run *run);

void lm_runs_free(struct lm_runs *runs);

#endif
