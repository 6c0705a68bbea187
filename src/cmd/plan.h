/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the options of a run to its plan. */
#ifndef LM_CMD_PLAN_H
#define LM_CMD_PLAN_H

#include <loadmix/error.h>
#include <loadmix/plan.h>
#include <loadmix/policy.h>
#include <loadmix/sink.h>

#include "cmd/output.h"
#include "cmd/sweep.h"
#include "cmd/workload.h"
#include "model/doubts.h"

#define LM_MAX_DIRS    1024
#define LM_MAX_SKIPPED 256

struct lm_resume;

/* What a program calls the things that errors in its plan are about; NULL: as loadmix run does. */
struct lm_plan_words {
	const char *dirs; /* what names the directories: "--dir" */
	const char
		*filesize; /* what gives the file size: "FILESIZE in the workfile or --filesize" */
};

struct lm_run_options {
	struct lm_plan_words words;
	const struct lm_plan *told; /* of the same command: what it leaves out is not told again */
	struct lm_workload_options workload;
	struct lm_sweep_options sweep;
	const char *dirs[LM_MAX_DIRS];
	size_t dir_count;
	struct lm_output_options output;
	const char *cpus;
	double step_timeout_s;
	bool skip_unsupported, start_delay, dry_run;
	const struct lm_format *progress; /* lm_format_null: none; NULL: as standard error is */
	bool progress_given;
	const char *const *argv, *const *again; /* see struct lm_plan */
	const char *journal;                    /* --resume */
	struct lm_resume *resume;               /* the run that is gone on with, NULL: a new one */
};

/* A plan and what it owns. */
struct lm_plan_box {
	struct lm_plan plan;
	struct lm_mix mix;
	const struct lm_policy *policy;
	unsigned *cpus;
	char *data_dir, *cwd;
	const struct lm_record *before; /* steps of a run that is resumed; the caller's */
	size_t before_count;
	char **dirs, **skipped;  /* room for LM_MAX_DIRS and LM_MAX_SKIPPED */
	struct lm_doubts doubts; /* of lm_doubts_warn() */
};

/*
 * Make the plan: load the workload, resolve directories, parse the lists, check that every step is
 * possible as far as the plan alone tells. 0, or -1 with err; lm_plan_close() in either case.
 */
int lm_plan_open(const struct lm_run_options *options, lm_job_list kinds, struct lm_plan_box *box,
		 struct lm_error *err);
void lm_plan_close(struct lm_plan_box *box);

/* Print the plan for people. */
void lm_plan_print(const struct lm_plan_box *box, FILE *out);

#endif
