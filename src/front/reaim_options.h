/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reaim's command line and configuration file ask for. */
#ifndef LM_FRONT_REAIM_OPTIONS_H
#define LM_FRONT_REAIM_OPTIONS_H

#include <loadmix/error.h>

#include "cmd/plan.h"
#include "cmd/standard.h"
#include "front/reaim_config.h"

struct lm_reaim_options {
	struct lm_standard_options standard;
	uint64_t start, end, increment, jobs, repeat, max_tasks; /* 0: not given */
	const char *workfile, *config_path, *prefix;
	const char *until; /* as --until of loadmix run; NULL: to the end */
	bool verbose, one_user, fixed, brief, no_sync, skip_unsupported;
	double period_s, step_timeout_s, tool_timeout_s;
	const char *tool, *tool_args;
	struct lm_error err; /* what was wrong with an option's value */
	struct lm_reaim_config config;
	char tasks[64]; /* the loads as loadmix run has them */
	char workload[PATH_MAX];
};

/* Parse the command line, then read the configuration file. Returns -1 to go on, else an exit
 * status. lm_reaim_options_free() in either case. */
int lm_reaim_options_parse(int argc, char **argv, struct lm_reaim_options *o);
void lm_reaim_options_free(struct lm_reaim_options *o);

/* The options of loadmix run that ask for the same; they point into o. 0, or -1 with err. */
int lm_reaim_options_run(struct lm_reaim_options *o, struct lm_run_options *run,
			 struct lm_error *err);

#endif
