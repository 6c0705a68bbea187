/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building and taking apart lists of runs that were read back. Pure. */
#ifndef LM_MODEL_RUNS_H
#define LM_MODEL_RUNS_H

#include <loadmix/error.h>
#include <loadmix/run.h>

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

/* Work out figures that follow from those that are known (jobs/min/task, jobs/s/task, jobs per task
 * from jobs/min * real / 60 / tasks). Called once when a run has been read. */
void lm_run_derive(struct lm_run *run);

/*
 * Take the 10 idle seconds that AIM7 counts out of real, and restate what follows from it, for runs
 * of its formats (suite7, multitask, posted). A step whose real is not above 10 s, or is not known,
 * becomes INVALID with that problem. Returns the number of steps changed. See
 * docs/figures.md.
 */
size_t lm_run_take_delay(struct lm_run *run);

void lm_runs_free(struct lm_runs *runs);

#endif
