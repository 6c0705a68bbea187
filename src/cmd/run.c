/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix run: a workload through a sweep. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/doubts.h"
#include "cmd/output.h"
#include "cmd/perform.h"
#include "cmd/plan.h"
#include "cmd/resume.h"
#include "engine/signals.h"
#include "formats/formats.h"

#define MAX_TIMEOUT_S (366.0 * 86400)

/* --- options ------------------------------------------------------------------------------- */

enum {
	KEY_CPUS = 0x200,
	KEY_START_DELAY,
	KEY_STEP_TIMEOUT,
	KEY_SKIP,
	KEY_RESUME,
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
	{ "resume", KEY_RESUME, "FILE", 0,
	  "Go on with the run of this journal, which holds the workload and all options; only "
	  "--dry-run and --progress go with it",
	  0 },
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
		o->progress_given = true;
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
	case KEY_RESUME:
		o->journal = arg;
		o->workload.optional = true;
		return 0;
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
	.args_doc = "WORKLOAD\n--resume=FILE",
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

static int open_journal(const struct lm_run_options *o, const char *output, struct lm_sink *sinks,
			size_t *count, struct lm_error *err)
{
	if (o->resume && lm_resume_journal(o->resume, &sinks[*count], err) < 0)
		return -1;
	if (!o->resume && lm_format_journal.open(output, &sinks[*count], err) < 0)
		return -1;
	(*count)++;
	if (!o->output.output && !o->resume)
		sinks[(*count)++] = (struct lm_sink){ .state = (void *)(uintptr_t)output,
						      .begin = announce,
						      .close = announce_close };
	return 0;
}

/* The journal comes first: a step is on the disk before anybody reads it. */
static int open_sinks(const struct lm_run_options *o, const char *output, struct lm_sink *sinks,
		      size_t *count, struct lm_error *err)
{
	if (open_journal(o, output, sinks, count, err) < 0)
		return -1;
	if (progress_format(o)->open(NULL, &sinks[*count], err) < 0)
		return -1;
	(*count)++;
	if (lm_format_table.open(NULL, &sinks[*count], err) < 0)
		return -1;
	(*count)++;
	if (o->resume)
		lm_resume_teller(o->resume, &sinks[(*count)++]);
	return 0;
}

/* --- the run ------------------------------------------------------------------------------- */

/* What was measured is not lost. */
static void tell_how_to_go_on(const char *journal)
{
	const char *const again[] = { "loadmix", "run", "--resume", journal, NULL };
	struct stat st;
	char *command;

	if (stat(journal, &st) < 0 || !S_ISREG(st.st_mode) || !(command = lm_text_shell(again)))
		return;
	fprintf(stderr, "loadmix: the steps so far are kept; to go on: %s\n", command);
	free(command);
}

static int run(const struct lm_run_options *o, const struct lm_plan_box *box)
{
	struct lm_session_outcome outcome;
	struct lm_sink sinks[5];
	char name[512];
	size_t count = 0;
	struct lm_error err = { 0 };
	int status;

	lm_default_output(box->mix.name, name, sizeof(name));
	lm_signals_hold();
	if (open_sinks(o, o->output.output ? o->output.output : name, sinks, &count, &err) < 0) {
		lm_sinks_close(sinks, count);
		return lm_cmd_fail(&err);
	}
	status = lm_perform(box, sinks, count, &outcome);
	if (outcome.signal && !outcome.complete)
		tell_how_to_go_on(o->output.output ? o->output.output : name);
	return status;
}

static void print_plan(const struct lm_plan_box *box, const struct lm_run_options *o)
{
	lm_plan_print(box, stdout);
	if (o->resume)
		lm_resume_print(box, stdout);
}

static int run_plan(void *options, lm_job_list kinds)
{
	const struct lm_run_options *o = options;
	struct lm_plan_box box;
	struct lm_error err = { 0 };
	int status = LM_EXIT_OK;

	if (lm_plan_open(o, kinds, &box, &err) < 0 ||
	    (o->resume && lm_resume_check(o->resume, &box, &err) < 0) ||
	    lm_doubts_warn(&box.plan, box.policy, &box.doubts, &err) < 0) {
		status = lm_cmd_fail(&err);
	} else {
		if (o->dry_run)
			print_plan(&box, o);
		else
			status = run(o, &box);
	}
	lm_plan_close(&box);
	return status;
}

/* --- the command --------------------------------------------------------------------------- */

static int resume_journal(const struct lm_run_options *o, int argc, const char **argv,
			  lm_job_list kinds);

/* What does not change the plan is as it is given now. */
static void take_asked(struct lm_run_options *o, const struct lm_resume *resume)
{
	lm_resume_limit(resume, &o->sweep);
	o->dry_run |= resume->asked->dry_run;
	if (resume->asked->progress_given)
		o->progress = resume->asked->progress;
}

/* argp reorders argv; its words are in copy and again, too. */
static int start(int argc, char **argv, const char **copy, const char **again,
		 struct lm_resume *resume, lm_job_list kinds)
{
	struct lm_run_options *o = calloc(1, sizeof(*o));
	struct lm_error err = { 0 };
	int status;

	if (!o) {
		lm_error_sys(&err, "options");
		return lm_cmd_fail(&err);
	}
	o->argv = copy;
	o->again = again;
	o->resume = resume;
	status = lm_workload_parse(&argp, argc, argv, o, &o->workload);
	if (o->sweep.err.code)
		status = lm_cmd_fail(&o->sweep.err);
	if (status < 0 && o->journal) {
		status = resume_journal(o, argc, copy + 1, kinds);
	} else if (status < 0) {
		lm_argv_drop(again, o->output.output);
		if (resume)
			take_asked(o, resume);
		status = lm_with_plugins(&o->workload.standard, kinds, run_plan, o);
	}
	free(o);
	return status;
}

/* Everything is done: 0, or 1 when a step is INVALID, as it was when it ran. */
static int tell_complete(const struct lm_resume *resume)
{
	const struct lm_run *run = resume->run;
	int status = LM_EXIT_OK;

	for (size_t i = 0; i < run->count; i++)
		if (!run->records[i].valid)
			status = LM_EXIT_NO;
	fprintf(stderr,
		"loadmix: the run of '%s' is complete, with %zu step%s: nothing is left to "
		"do\n",
		resume->path, run->count, run->count == 1 ? "" : "s");
	return status;
}

static int resume_run(struct lm_resume *resume, lm_job_list kinds, struct lm_error *err)
{
	static char name[] = "loadmix run";

	if (lm_resume_is_complete(resume))
		return tell_complete(resume);
	if (lm_resume_enter(resume, err) < 0)
		return lm_cmd_fail(err);
	resume->command[1] = name; /* what argp takes for the program */
	return start((int)resume->words - 1, resume->command + 1, (const char **)resume->repeat,
		     (const char **)resume->again, resume, kinds);
}

static int resume_journal(const struct lm_run_options *o, int argc, const char **argv,
			  lm_job_list kinds)
{
	struct lm_resume resume = { .fd = -1 };
	struct lm_error err = { 0 };
	int status;

	if (o->resume)
		lm_error_at(&err, o->resume->path, 0, 0,
			    "its own command is one that resumes a journal: it cannot be "
			    "resumed");
	if (err.code || lm_resume_alone(argc, argv, &err) < 0 ||
	    lm_resume_open(o->journal, &resume, &err) < 0) {
		status = lm_cmd_fail(&err);
	} else {
		resume.asked = o;
		status = resume_run(&resume, kinds, &err);
	}
	lm_resume_close(&resume);
	return status;
}

int lm_cmd_run(int argc, char **argv, lm_job_list kinds)
{
	const char **copy = lm_copy_argv("run", argc, argv);
	const char **again = lm_copy_argv("run", argc, argv);
	struct lm_error err = { 0 };
	int status;

	if (copy && again) {
		status = start(argc, argv, copy, again, NULL, kinds);
	} else {
		lm_error_sys(&err, "options");
		status = lm_cmd_fail(&err);
	}
	free(copy);
	free(again);
	return status;
}
