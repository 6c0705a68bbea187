/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reaim -Z: a program that is told where a step is, to look at the machine meanwhile. */
#ifndef LM_FRONT_TOOLS_H
#define LM_FRONT_TOOLS_H

#include <loadmix/error.h>
#include <loadmix/sink.h>

#include <stdbool.h>

#include "front/keeper.h"

struct lm_tools {
	const char *tool;
	char *words; /* the user's arguments, cut into words in place */
	const char *argv[LM_KEEPER_MAX_ARGS + 1]; /* tool, moment, tasks, words */
	char tasks[16];
	double timeout_s;
	struct lm_keeper keeper;
	unsigned load;      /* of this step */
	bool set_up, begun; /* in this step, perhaps in part: to be reported, to be halted */
	bool halting;       /* "halt" was started */
};

/* Look for the program, cut args (may be NULL) into words at blanks, and start the keeper; before
 * the session, and before files are opened. 0, or -1 with err; lm_tools_close() in either case. */
int lm_tools_open(struct lm_tools *t, const char *tool, const char *args, double timeout_s,
		  struct lm_error *err);
void lm_tools_close(struct lm_tools *t);

/*
 * A sink that runs the program: "setup" before a step's files and tasks exist and "begin" when all
 * tasks wait, each to its end, and their failure ends the run; "halt" when an eighth of the tasks
 * has finished, which is only started; "report" after the step. Failures of these are warnings.
 * Where the run ends between "begin" and the end of a step, "halt" and "report" are run then;
 * between "setup" and "begin", "report" is.
 */
struct lm_sink lm_tools_sink(struct lm_tools *t);

#endif
