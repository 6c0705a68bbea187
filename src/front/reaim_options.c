/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/reaim_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "formats/input.h"

#define CONFIG       "reaim.config"
#define MAX_PERIOD_S 86400.0
#define MAX_TIME_S   (366.0 * 86400)
#define MAX_REPEAT   1000
#define TOOL_TIME_S  300.0
#define DEFAULT_END  5

/* --- the command line ---------------------------------------------------------------------- */

enum { KEY_MAX_TASKS = 0x500, KEY_SKIP, KEY_STEP_TIMEOUT, KEY_TOOL_TIMEOUT };

static const struct argp_option options_table[] = {
	{ "startusers", 's', "N", 0, "Load of the first step (default 1)", 0 },
	{ "endusers", 'e', "N", 0, "Load of the last step (default 5)", 0 },
	{ "increment", 'i', "N", 0, "Added to the load at each step (default 1)", 0 },
	{ "jobs", 'j', "N", 0, "Jobs per task, before rounding to the weights (default 100)", 0 },
	{ "file", 'f', "FILE", 0, "Workfile, or a bundled name such as fserver (default workfile)",
	  0 },
	{ "config", 'c', "FILE", 0, "Configuration file (default " CONFIG ", if it is there)", 0 },
	{ "logprefix", 'l', "PREFIX", 0, "Results go to PREFIX.csv and PREFIX.log (default reaim)",
	  0 },
	{ "debug", 'd', "N", OPTION_ARG_OPTIONAL, "Accepted; nothing changes", 0 },
	{ "verbose", 'v', NULL, 0, "Print the plan on standard error", 0 },
	{ "crossover", 'x', NULL, 0, "End when jobs/min/task is 10 or less", 0 },
	{ "quick", 'q', NULL, 0, "End when jobs/min/task is 60 or less", 0 },
	{ "guesspeak", 'g', NULL, 0, "End when jobs/min no longer grows", 0 },
	{ "multiuser", 'm', NULL, 0, "Run the mix through a sweep of loads (default)", 0 },
	{ "oneuser", 'o', NULL, 0, "Run each job kind of the workfile alone for a period", 0 },
	{ "period", 'p', "SECONDS", 0, "With --oneuser: how long (default 10)", 0 },
	{ "timeroff", 't', NULL, 0, "Keep the increment as it is given", 0 },
	{ "repeat", 'r', "N", 0, "Run the whole sweep N times (default 1)", 0 },
	{ "brief", 'b', NULL, 0, "Write stp_mdata.txt, stp_hdata.html and maxjobs.txt, too", 0 },
	{ "nosync", 'y', NULL, 0, "No sync(), neither before every step nor in jobs", 0 },
	{ NULL, 'Z', "TOOL", 0, "Run TOOL setup|begin|halt|report N ARGS at these moments", 0 },
	{ NULL, 'z', "ARGS", 0, "Words that the tool gets, separated by blanks", 0 },
	{ "max-tasks", KEY_MAX_TASKS, "N", 0,
	  "Largest load of a sweep without an end (default: what the machine allows)", 1 },
	{ "skip-unsupported", KEY_SKIP, NULL, 0,
	  "Drop job kinds that cannot be run here from the mix, and say so", 1 },
	{ "step-timeout", KEY_STEP_TIMEOUT, "SECONDS", 0,
	  "Longest time for a step (default: an hour and a minute a task)", 1 },
	{ "tool-timeout", KEY_TOOL_TIMEOUT, "SECONDS", 0, "Longest time for a tool (default 300)",
	  1 },
	{ 0 },
};

/* A number of at least 1. */
static error_t take_number(struct lm_reaim_options *o, const char *option, const char *arg,
			   uint64_t max, uint64_t *out)
{
	char expected[64];

	if (lm_parse_uint(arg, 1, max, out))
		return 0;
	snprintf(expected, sizeof(expected), "number from 1 to %llu", (unsigned long long)max);
	return lm_bad_value(&o->err, option, arg, expected);
}

static error_t take_seconds(struct lm_reaim_options *o, const char *option, const char *arg,
			    double max, double *out)
{
	if (lm_parse_seconds(arg, max, out))
		return 0;
	return lm_bad_value(&o->err, option, arg, "number of seconds above 0");
}

static error_t parse_number(int key, const char *arg, struct lm_reaim_options *o)
{
	switch (key) {
	case 's':
		return take_number(o, "--startusers", arg, LM_MAX_TASKS, &o->start);
	case 'e':
		return take_number(o, "--endusers", arg, LM_MAX_TASKS, &o->end);
	case 'i':
		return take_number(o, "--increment", arg, LM_MAX_TASKS, &o->increment);
	case 'j':
		return take_number(o, "--jobs", arg, LM_MAX_JOBS, &o->jobs);
	case 'r':
		return take_number(o, "--repeat", arg, MAX_REPEAT, &o->repeat);
	case KEY_MAX_TASKS:
		return take_number(o, "--max-tasks", arg, LM_MAX_TASKS, &o->max_tasks);
	case 'p':
		return take_seconds(o, "--period", arg, MAX_PERIOD_S, &o->period_s);
	case KEY_STEP_TIMEOUT:
		return take_seconds(o, "--step-timeout", arg, MAX_TIME_S, &o->step_timeout_s);
	case KEY_TOOL_TIMEOUT:
		return take_seconds(o, "--tool-timeout", arg, MAX_TIME_S, &o->tool_timeout_s);
	case ARGP_KEY_ARG:
		lm_error_set(&o->err, LM_ERR_INPUT,
			     "'%.100s' is one argument too many: there are options only", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The quick crossover comes before the other, whichever is asked for first. */
static error_t take_until(struct lm_reaim_options *o, const char *until)
{
	bool peak = strcmp(until, "peak") == 0;

	if (o->until && peak != (strcmp(o->until, "peak") == 0)) {
		lm_error_set(&o->err, LM_ERR_INPUT,
			     "--guesspeak ends the sweep at the peak, --crossover and --quick at "
			     "the crossover: give one");
		return EINVAL;
	}
	if (!o->until || strcmp(until, "quick") == 0)
		o->until = until;
	return 0;
}

static error_t parse_text(int key, const char *arg, struct lm_reaim_options *o)
{
	switch (key) {
	case 'f':
		o->workfile = arg;
		return 0;
	case 'c':
		o->config_path = arg;
		return 0;
	case 'l':
		o->prefix = arg;
		return 0;
	case 'Z':
		o->tool = arg;
		return 0;
	case 'z':
		o->tool_args = arg;
		return 0;
	case 'x':
		return take_until(o, "crossover=10");
	case 'q':
		return take_until(o, "quick");
	case 'g':
		return take_until(o, "peak");
	default:
		return parse_number(key, arg, o);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_reaim_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->standard;
		return 0;
	case 'd':
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	case 'm':
	case 'o':
		o->one_user = key == 'o';
		return 0;
	case 't':
		o->fixed = true;
		return 0;
	case 'b':
		o->brief = true;
		return 0;
	case 'y':
		o->no_sync = true;
		return 0;
	case KEY_SKIP:
		o->skip_unsupported = true;
		return 0;
	default:
		return parse_text(key, arg, o);
	}
}

static const struct argp_child children[] = { { &lm_standard_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.doc = "Run the mix of a workfile through a sweep of loads, as re-aim-7's command of this "
	       "name does.\vA row a step goes to standard output as the step ends, and to "
	       "PREFIX.csv, PREFIX.log and multiuser.ss. Files of these names that are there "
	       "already are renamed first: PREFIX.csv.1 and so on.\n",
	.children = children,
};

/* --- the configuration file ---------------------------------------------------------------- */

/* A directory that cannot be used is told where it stands. */
static int check_dirs(const struct lm_reaim_options *o, const char *source, struct lm_error *err)
{
	const struct lm_reaim_config *c = &o->config;
	struct stat st;

	for (size_t i = 0; i < c->dir_count; i++) {
		errno = 0;
		if (stat(c->dirs[i], &st) == 0 && S_ISDIR(st.st_mode) &&
		    access(c->dirs[i], W_OK | X_OK) == 0)
			continue;
		return lm_error_at(err, source, c->dir_lines[i], 0,
				   "DISKDIR '%.200s': expected a directory that can be written to "
				   "(%s)",
				   c->dirs[i], strerror(errno ? errno : ENOTDIR));
	}
	return 0;
}

static int read_config(struct lm_reaim_options *o, struct lm_error *err)
{
	const char *path = o->config_path ? o->config_path : CONFIG;
	FILE *in;
	int rc;

	if (!o->config_path && access(path, F_OK) < 0 && errno == ENOENT)
		return 0;
	in = lm_input_open(path, "a configuration file", err);
	if (!in)
		return -1;
	rc = lm_reaim_config_read(in, path, &o->config, err);
	fclose(in);
	return rc < 0 ? -1 : check_dirs(o, path, err);
}

int lm_reaim_options_parse(int argc, char **argv, struct lm_reaim_options *o)
{
	int rc;

	*o = (struct lm_reaim_options){ .period_s = 10, .tool_timeout_s = TOOL_TIME_S };
	rc = lm_standard_parse(&argp, argc, argv, o, &o->standard);
	if (rc > 0)
		return LM_EXIT_OK;
	if (rc == 0)
		read_config(o, &o->err);
	if (o->err.code)
		return lm_cmd_fail(&o->err);
	return rc < 0 ? LM_EXIT_USAGE : -1;
}

void lm_reaim_options_free(struct lm_reaim_options *o)
{
	lm_reaim_config_free(&o->config);
}

/* --- as options of loadmix run ------------------------------------------------------------- */

static uint64_t first_of(uint64_t a, uint64_t b, uint64_t otherwise)
{
	return a ? a : b ? b : otherwise;
}

/* Without an end of its own, a sweep that ends by a rule goes as far as that takes. */
static int write_tasks(struct lm_reaim_options *o, struct lm_error *err)
{
	unsigned long long start = first_of(o->start, o->config.start, 1);
	unsigned long long end = first_of(o->end, o->config.end, 0);
	unsigned long long step = first_of(o->increment, o->config.increment, 1);

	if (end && end < start)
		return lm_error_set(err, LM_ERR_INPUT,
				    "the last load, %llu (--endusers), is below the first, %llu "
				    "(--startusers)",
				    end, start);
	if (!end && !o->until)
		end = start > DEFAULT_END ? start : DEFAULT_END;
	if (o->one_user)
		snprintf(o->tasks, sizeof(o->tasks), "1");
	else if (end)
		snprintf(o->tasks, sizeof(o->tasks), "%llu-%llu:%llu", start, end, step);
	else
		snprintf(o->tasks, sizeof(o->tasks), "%llu-:%llu", start, step);
	return 0;
}

/* A file in the current directory is meant before a bundled workload of that name. */
static int find_workfile(struct lm_reaim_options *o, struct lm_error *err)
{
	const char *name = o->workfile ? o->workfile : "workfile";
	bool here = !strchr(name, '/') && access(name, F_OK) == 0;

	if ((size_t)snprintf(o->workload, sizeof(o->workload), "%s%s", here ? "./" : "", name) <
	    sizeof(o->workload))
		return 0;
	return lm_error_set(err, LM_ERR_INPUT, "the workfile's path is too long (--file)");
}

int lm_reaim_options_run(struct lm_reaim_options *o, struct lm_run_options *run,
			 struct lm_error *err)
{
	const struct lm_reaim_config *c = &o->config;

	if (!o->until && c->crossover)
		o->until = "crossover=10";
	if (write_tasks(o, err) < 0 || find_workfile(o, err) < 0)
		return -1;
	run->workload.workload = o->workload;
	run->workload.jobs = first_of(o->jobs, c->jobs, 100);
	run->workload.usual_filesize_kib = c->filesize_kib;
	run->workload.usual_poolsize_kib = c->poolsize_kib;
	run->words.dirs = "DISKDIR";
	run->words.filesize = "FILESIZE in the workfile or in the configuration file";
	run->sweep.source = "-s/-e/-i";
	run->sweep.tasks = o->tasks;
	run->sweep.iterations = 1;
	if (!o->one_user) {
		run->sweep.until = o->until;
		run->sweep.adaptive = !o->fixed;
		run->sweep.reaim = !o->fixed;
		run->sweep.max_tasks = o->max_tasks;
	}
	for (size_t i = 0; i < c->dir_count; i++)
		run->dirs[run->dir_count++] = c->dirs[i];
	run->output.semantics = LM_SEMANTICS_REAIM;
	run->output.no_sync = o->no_sync;
	run->step_timeout_s = o->step_timeout_s;
	/* each kind stands for itself there */
	run->skip_unsupported = o->skip_unsupported || o->one_user;
	return 0;
}
