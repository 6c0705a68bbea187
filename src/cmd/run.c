/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix run: a workload through a sweep. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/doubts.h"
#include "cmd/output.h"
#include "cmd/perform.h"
#include "cmd/plan.h"
#include "formats/formats.h"

#define MAX_TIMEOUT_S (366.0 * 86400)

/* --- options ------------------------------------------------------------------------------- */

enum {
	KEY_CPUS = 0x200,
	KEY_START_DELAY,
	KEY_STEP_TIMEOUT,
	KEY_SKIP,
	KEY_PROGRESS,
};

static const struct argp_option options_table[] = {
	{ "dir", 'd', "DIR", 0,
	  "Directory that the jobs work in, in a private directory of their own; may be given more "
	  "than once (default: the current one)",
	  0 },
	{ "cpus", KEY_CPUS, "LIST", 0, "Processors that all tasks are pinned to: 0-3 or 0,2", 0 },
	{ "count-start-delay", KEY_START_DELAY, NULL, 0,
	  "Wait 10 s inside the measured time, for figures that stand beside AIM7's", 0 },
	{ "step-timeout", KEY_STEP_TIMEOUT, "SECONDS", 0,
	  "Longest time for a step (default: an hour and a minute a task)", 0 },
	{ "skip-unsupported", KEY_SKIP, NULL, 0,
	  "Drop job kinds that cannot be run here from the mix, and say so", 0 },
	{ "progress", KEY_PROGRESS, "HOW", 0,
	  "How far the run is, on standard error: line, drawn anew on a terminal; plain, a line a "
	  "step; none (default: line on a terminal, else plain)",
	  0 },
	{ "dry-run", 'n', NULL, 0, "Print the plan and what it needs; run nothing", 0 },
	{ 0 },
};

static error_t take_dir(struct lm_run_options *o, const char *arg)
{
	if (o->dir_count == LM_MAX_DIRS)
		return lm_bad_value(&o->workload.err, "--dir", arg,
				    "directory that fits: there are too many");
	o->dirs[o->dir_count++] = arg;
	return 0;
}

static error_t take_progress(struct lm_run_options *o, const char *arg)
{
	static const struct {
		const char *name;
		const struct lm_format *format;
	} ways[] = { { "auto", NULL },
		     { "line", &lm_format_progress },
		     { "plain", &lm_format_plain },
		     { "none", &lm_format_null } };

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(arg, ways[i].name))
			continue;
		o->progress = ways[i].format;
		return 0;
	}
	return lm_bad_value(&o->workload.err, "--progress", arg,
			    "way to show progress: give auto, line, plain or none");
}

/* Options whose values are more than text. */
static error_t parse_value(int key, const char *arg, struct lm_run_options *o)
{
	switch (key) {
	case 'd':
		return take_dir(o, arg);
	case KEY_PROGRESS:
		return take_progress(o, arg);
	case KEY_STEP_TIMEOUT:
		if (lm_parse_seconds(arg, MAX_TIMEOUT_S, &o->step_timeout_s))
			return 0;
		return lm_bad_value(&o->workload.err, "--step-timeout", arg,
				    "number of seconds above 0");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_run_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->workload;
		state->child_inputs[1] = &o->sweep;
		o->output.err = &o->workload.err;
		state->child_inputs[2] = &o->output;
		return 0;
	case KEY_CPUS:
		o->cpus = arg;
		return 0;
	case KEY_START_DELAY:
		o->start_delay = true;
		return 0;
	case KEY_SKIP:
		o->skip_unsupported = true;
		return 0;
	case 'n':
		o->dry_run = true;
		return 0;
	default:
		return parse_value(key, arg, o);
	}
}

static const struct argp_child children[] = { { &lm_workload_argp, 0, NULL, 0 },
					      { &lm_sweep_argp, 0, NULL, 0 },
					      { &lm_output_argp, 0, NULL, 0 },
					      { 0 } };

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "WORKLOAD",
	.doc = "Run a workload, a bundled name such as fserver or a path to a workfile, through a "
	       "sweep "
	       "of task counts.\vA line a step goes to standard output as the step ends; every "
	       "step is "
	       "kept in the journal.\n",
	.children = children,
};

/* --- output -------------------------------------------------------------------------------- */

/* A sink that tells where the journal is, once it is there. */
static int announce(void *state, const struct lm_plan *plan, const struct lm_facts *environment,
		    struct lm_error *err)
{
	(void)plan;
	(void)environment;
	(void)err;
	fprintf(stderr, "loadmix: journal: %s\n", (const char *)state);
	return 0;
}

static void announce_close(void *state)
{
	(void)state;
}

/* What cannot draw a line gets whole ones. */
static const struct lm_format *progress_format(const struct lm_run_options *o)
{
	if (o->progress && o->progress != &lm_format_progress)
		return o->progress;
	return lm_progress_can_draw() ? &lm_format_progress : &lm_format_plain;
}

/* The journal comes first: a step is on the disk before anybody reads it. */
static int open_sinks(const struct lm_run_options *o, const char *output, struct lm_sink *sinks,
		      size_t *count, struct lm_error *err)
{
	if (lm_format_journal.open(output, &sinks[(*count)], err) < 0)
		return -1;
	(*count)++;
	if (!o->output.output)
		sinks[(*count)++] = (struct lm_sink){ .state = (void *)(uintptr_t)output,
						      .begin = announce,
						      .close = announce_close };
	if (progress_format(o)->open(NULL, &sinks[*count], err) < 0)
		return -1;
	(*count)++;
	if (lm_format_table.open(NULL, &sinks[*count], err) < 0)
		return -1;
	(*count)++;
	return 0;
}

/* --- the run ------------------------------------------------------------------------------- */

static int run(const struct lm_run_options *o, const struct lm_plan_box *box)
{
	struct lm_session_outcome outcome;
	struct lm_sink sinks[4];
	char name[512];
	size_t count = 0;
	struct lm_error err = { 0 };

	lm_default_output(box->mix.name, name, sizeof(name));
	if (open_sinks(o, o->output.output ? o->output.output : name, sinks, &count, &err) < 0) {
		lm_sinks_close(sinks, count);
		return lm_cmd_fail(&err);
	}
	return lm_perform(box, sinks, count, &outcome);
}

static int run_plan(void *options, lm_job_list kinds)
{
	const struct lm_run_options *o = options;
	struct lm_plan_box box;
	struct lm_error err = { 0 };
	int status = LM_EXIT_OK;

	if (lm_plan_open(o, kinds, &box, &err) < 0 ||
	    lm_doubts_warn(&box.plan, box.policy, &box.doubts, &err) < 0) {
		status = lm_cmd_fail(&err);
	} else {
		if (o->dry_run)
			lm_plan_print(&box, stdout);
		else
			status = run(o, &box);
	}
	lm_plan_close(&box);
	return status;
}

int lm_cmd_run(int argc, char **argv, lm_job_list kinds)
{
	struct lm_run_options *o = calloc(1, sizeof(*o));
	const char **copy = lm_copy_argv("run", argc, argv);
	struct lm_error err = { 0 };
	int status;

	if (!o || !copy) {
		lm_error_sys(&err, "options");
		status = lm_cmd_fail(&err);
	} else {
		o->argv = copy;
		status = lm_workload_parse(&argp, argc, argv, o, &o->workload);
		if (o->sweep.err.code)
			status = lm_cmd_fail(&o->sweep.err);
		if (status < 0)
			status = lm_with_plugins(&o->workload.standard, kinds, run_plan, o);
	}
	free(copy);
	free(o);
	return status;
}
