/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Going on with a run that was broken off, from its journal. */
#ifndef LM_CMD_RESUME_H
#define LM_CMD_RESUME_H

#include <loadmix/error.h>
#include <loadmix/run.h>
#include <loadmix/sink.h>

#include "cmd/plan.h"

struct lm_resume {
	const char *path;
	int fd; /* of the journal, locked; -1: a sink has it */
	struct lm_runs runs;
	const struct lm_run *run; /* NULL until it was read */
	char taken_back[300];     /* the step that a signal ended, which is run again; "": none */
	char **command;           /* "loadmix", "run", ... ended by NULL */
	size_t words;
	char **repeat, **again;             /* lists of the same words: argp reorders the first */
	const struct lm_run_options *asked; /* what goes with --resume, as given beside it */
};

/* 0 when the command line has no other options than go with --resume; -1 with err. argv[0] is the
 * command. */
int lm_resume_alone(int argc, const char *const *argv, struct lm_error *err);

/* Lock and read the journal, and see that it is one to go on with. 0, or -1 with err;
 * lm_resume_close() in either case. */
int lm_resume_open(const char *path, struct lm_resume *resume, struct lm_error *err);
void lm_resume_close(struct lm_resume *resume);

/* Nothing is left to be done; resume->run has the steps. */
bool lm_resume_is_complete(const struct lm_resume *resume);

/* Go to where the command of the journal was given, and see that its directories are there. */
int lm_resume_enter(const struct lm_resume *resume, struct lm_error *err);

/* What the journal tells of a sweep whose limit the machine set. */
void lm_resume_limit(const struct lm_resume *resume, struct lm_sweep_options *options);

/* See that the plan is the journal's, tell what differs on standard error, and hand the steps so
 * far to the box. 0, or -1 with err. */
int lm_resume_check(const struct lm_resume *resume, struct lm_plan_box *box, struct lm_error *err);

/* The journal's sink. */
int lm_resume_journal(struct lm_resume *resume, struct lm_sink *out, struct lm_error *err);

/* A sink that tells of the steps so far, below the head of the table, and on standard error what
 * has changed in the environment. */
void lm_resume_teller(const struct lm_resume *resume, struct lm_sink *out);

/* Tell where the sweep goes on. */
void lm_resume_print(const struct lm_plan_box *box, FILE *out);

#endif
