/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the commands that compare results share. */
#ifndef LM_CMD_COMPARE_H
#define LM_CMD_COMPARE_H

#include <argp.h>

#include "cmd/output.h"
#include "cmd/results.h"
#include "model/study.h"

struct lm_study_options {
	struct lm_results_options results;
	enum lm_figure figures[LM_FIGURES];
	size_t figure_count; /* 0: jobs/min, real, cpu and JTI */
	bool spread;
	enum lm_blame_when blame;
	bool gaps; /* set before the parse: one set alone will do, and so will sets that have
		    * nothing in common */
};

/* A child parser for the options and the FILE arguments; its input is the struct. */
extern const struct argp lm_study_argp;
/* The children of a parser that has just that one. */
extern const struct argp_child lm_study_children[];

/* A study and what it is made of. */
struct lm_study_box {
	struct lm_results results;
	struct lm_study study;
	char *command;
};

/* Read the results and compare all sets with the first. argv repeats it, ended by NULL. 0, or -1
 * with err; lm_study_close() in either case. */
int lm_study_open(const struct lm_study_options *options, const char *const *argv,
		  struct lm_study_box *box, struct lm_error *err);
void lm_study_close(struct lm_study_box *box);

#endif
