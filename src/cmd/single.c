/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix single: each job kind alone for a period. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/alone.h"
#include "cmd/cmd.h"
#include "cmd/data.h"
#include "cmd/doubts.h"
#include "cmd/origin.h"
#include "cmd/output.h"
#include "cmd/perform.h"
#include "cmd/standard.h"
#include "engine/signals.h"
#include "engine/support.h"
#include "formats/formats.h"
#include "formats/workfile.h"
#include "model/kinds.h"
#include "model/mix.h"
#include "policies/policies.h"

#define MAX_KINDS    4096
#define MAX_PERIOD_S 86400.0

struct single_options {
	struct lm_standard_options standard;
	struct lm_output_options output;
	const char *dir, *filesize;
	double period_s;
	const char **kinds;
	size_t kind_count;
	const char *const *argv, *const *again; /* see struct lm_plan */
	struct lm_error err;
};

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_FILESIZE = 0x200 };

static const struct argp_option options_table[] = {
	{ "period", 'p', "SECONDS", 0, "How long each kind is repeated (default 2); once at least",
	  0 },
	{ "dir", 'd', "DIR", 0, "Directory that the jobs work in (default: the current one)", 0 },
	{ "filesize", KEY_FILESIZE, "SIZE", 0, "File size (default 1M)", 0 },
	{ 0 },
};

static error_t parse_value(int key, char *arg, struct single_options *o)
{
	switch (key) {
	case 'p':
		if (lm_parse_seconds(arg, MAX_PERIOD_S, &o->period_s))
			return 0;
		return lm_bad_value(&o->err, "--period", arg,
				    "number of seconds above 0, a day at most");
	case ARGP_KEY_ARG:
		o->kinds[o->kind_count++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct single_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->standard;
		o->output.err = &o->err;
		state->child_inputs[1] = &o->output;
		return 0;
	case 'd':
		o->dir = arg;
		return 0;
	case KEY_FILESIZE:
		o->filesize = arg;
		return 0;
	default:
		return parse_value(key, arg, o);
	}
}

static const struct argp_child children[] = { { &lm_standard_argp, 0, NULL, 0 },
					      { &lm_output_argp, 0, NULL, 0 },
					      { 0 } };

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "[KIND...]",
	.doc = "Run each job kind alone, in one task, over and over for a period: all kinds, or "
	       "those "
	       "named. A KIND may have parameters, as in 'disk_rd block=64K'.\vTimes are those of "
	       "the "
	       "last 65536 runs. User and Sys are shares of the elapsed time.\n",
	.children = children,
};

/* --- what is to be run --------------------------------------------------------------------- */

struct single {
	const struct single_options *options;
	struct lm_mix all; /* every kind to be run, one entry each */
	struct lm_plan plan;
	struct lm_range once;
	char *dir;
	char data_dir[PATH_MAX], cwd[PATH_MAX];
	struct lm_doubts doubts;
	char *skipped[MAX_KINDS]; /* "KIND: reason" */
};

static int next_char(void *state)
{
	const char **at = state;

	return **at ? (unsigned char)*(*at)++ : -1;
}

/* The error's place is one in a line of ours: tell the argument instead. */
static int name_argument(const char *kind, struct lm_error *err)
{
	struct lm_error own = *err;

	if (own.code != LM_ERR_INPUT)
		return -1;
	*err = (struct lm_error){ 0 };
	return lm_error_at(err, kind, 0, 0, "%s", own.text);
}

/* The kinds are read as a workfile would be, so that their parameters and errors are the same. */
static int read_kinds(struct single *s, lm_job_list kinds, struct lm_error *err)
{
	const struct lm_workfile_kinds known = { kinds, NULL };
	const struct lm_job *job;

	for (size_t i = 0; s->options->kind_count == 0 && (job = lm_kind_at(kinds, i)); i++)
		if (lm_mix_add(&s->all, job, 1, 1) < 0)
			return lm_error_sys(err, "a list of kinds");
	for (size_t i = 0; i < s->options->kind_count; i++) {
		char *line;
		const char *at;
		int rc;

		if (strpbrk(s->options->kinds[i], "\r\n"))
			return lm_error_at(err, "KIND", 0, 0,
					   "a line break stands in a kind's name");
		if (asprintf(&line, "1 %s", s->options->kinds[i]) < 0)
			return lm_error_sys(err, "a list of kinds");
		at = line;
		rc = lm_workfile_read(next_char, &at, "KIND", &known, &s->all, err);
		free(line);
		if (rc < 0)
			return name_argument(s->options->kinds[i], err);
	}
	return 0;
}

static int set_size(struct single *s, struct lm_error *err)
{
	const char *size = s->options->filesize ? s->options->filesize : "1M";
	enum lm_size_fault fault = lm_parse_size_kib(size, LM_MAX_SIZE_KIB, &s->all.filesize_kib);

	if (fault == LM_SIZE_OK && s->all.filesize_kib == 0)
		return lm_error_at(err, "--filesize", 0, 0, "'%.100s' is no size to work on", size);
	if (fault == LM_SIZE_OK)
		return 0;
	return lm_error_at(err, "--filesize", 0, 0, "'%.100s' %s", size, lm_size_fault_text(fault));
}

static int set_plan(struct single *s, struct lm_error *err)
{
	const struct single_options *o = s->options;

	s->dir = realpath(o->dir ? o->dir : ".", NULL);
	if (!s->dir)
		return lm_error_sys(err, "cannot use directory '%s' (--dir)",
				    o->dir ? o->dir : ".");
	s->all.name = strdup("single");
	s->all.path = strdup("");
	if (!s->all.name || !s->all.path)
		return lm_error_sys(err, "a plan");
	lm_mix_count_jobs(&s->all, (unsigned)s->all.count);
	lm_data_place("scripts", s->data_dir, sizeof(s->data_dir));
	s->once = (struct lm_range){ 1, 1, 1 };
	s->plan = (struct lm_plan){
		.mix = &s->all,
		.sweep = { .ranges = &s->once, .count = 1, .policy = lm_policy_fixed.name },
		.jobs = LM_ALONE_RUNS,
		.period_s = o->period_s,
		.step_timeout_s = lm_alone_timeout_s(o->period_s),
		.semantics = o->output.semantics,
		.data_dir = s->data_dir,
		.skipped = (const char *const *)s->skipped,
		.label = o->output.label ? o->output.label : "",
		.dirs = (const char *const *)&s->dir,
		.dir_count = 1,
		.sync = !o->output.no_sync,
		.argv = o->argv,
		.again = o->again,
		.cwd = getcwd(s->cwd, sizeof(s->cwd))
	};
	return 0;
}

/* --- running it ---------------------------------------------------------------------------- */

/* Take the kinds that cannot be run here out of the list. */
static int drop_unsupported(struct single *s, struct lm_error *err)
{
	char why[PATH_MAX + 300];

	for (size_t i = 0; i < s->all.count;) {
		if (lm_supported(&s->plan, &s->all.entries[i], 1, why, sizeof(why))) {
			i++;
			continue;
		}
		if (s->plan.skipped_count == MAX_KINDS ||
		    asprintf(&s->skipped[s->plan.skipped_count], "%s: %s", s->all.entries[i].label,
			     why) < 0)
			return lm_error_sys(err, "a list of kinds");
		printf("%s is not supported here: %s\n", s->all.entries[i].label, why);
		s->plan.skipped_count++;
		lm_mix_drop(&s->all, i);
	}
	if (s->all.count > 0)
		return 0;
	return lm_error_set(err, LM_ERR_SYSTEM, "none of the kinds is supported here");
}

static int run_single(struct single *s, struct lm_session_outcome *outcome, struct lm_error *err)
{
	const char *output = s->options->output.output;
	struct lm_sink sinks[2];
	char name[512];
	int rc;

	if (!output) {
		lm_default_output("single", name, sizeof(name));
		output = name;
		fprintf(stderr, "loadmix: journal: %s\n", name);
	}
	lm_signals_hold();
	if (lm_format_journal.open(output, &sinks[0], err) < 0)
		return -1;
	if (lm_format_single.open(NULL, &sinks[1], err) < 0) {
		lm_sinks_close(sinks, 1);
		return -1;
	}
	rc = lm_alone_run(&s->plan, sinks, 2, outcome, err);
	lm_sinks_close(sinks, 2);
	return rc;
}

static int perform(struct single *s, lm_job_list kinds, struct lm_session_outcome *outcome,
		   struct lm_error *err)
{
	if (read_kinds(s, kinds, err) < 0 || set_size(s, err) < 0 || set_plan(s, err) < 0 ||
	    drop_unsupported(s, err) < 0 || lm_origins_note(&s->all, err) < 0 ||
	    lm_doubts_warn(&s->plan, &lm_policy_fixed, &s->doubts, err) < 0)
		return -1;
	return run_single(s, outcome, err);
}

static void single_free(struct single *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->plan.skipped_count; i++)
		free(s->skipped[i]);
	lm_doubts_free(&s->doubts);
	lm_mix_free(&s->all);
	free(s->dir);
	free(s);
}

static int single(void *options, lm_job_list kinds)
{
	struct single *s = calloc(1, sizeof(*s));
	struct lm_session_outcome outcome = { 0 };
	struct lm_error err = { 0 };
	int rc = -1;

	if (s) {
		s->options = options;
		rc = perform(s, kinds, &outcome, &err);
	} else {
		lm_error_sys(&err, "a plan");
	}
	single_free(s);
	return lm_exit_status(rc, &outcome, &err);
}

int lm_cmd_single(int argc, char **argv, lm_job_list kinds)
{
	struct single_options o = { .period_s = 2 };
	const char **copy = lm_copy_argv("single", argc, argv);
	const char **again = lm_copy_argv("single", argc, argv);
	int status = LM_EXIT_USAGE, rc = -1;

	o.kinds = calloc((size_t)argc + 1, sizeof(*o.kinds));
	o.argv = copy;
	o.again = again;
	if (copy && again && o.kinds)
		rc = lm_standard_parse(&argp, argc, argv, &o, &o.standard);
	if (!copy || !again || !o.kinds)
		lm_error_sys(&o.err, "options");
	if (rc == 0)
		lm_argv_drop(again, o.output.output);
	if (rc > 0)
		status = LM_EXIT_OK;
	else if (o.err.code)
		status = lm_cmd_fail(&o.err);
	else if (rc == 0)
		status = lm_with_plugins(&o.standard, kinds, single, &o);
	free(o.kinds);
	free(copy);
	free(again);
	return status;
}
