/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix convert: results in the form of another program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/newfile.h"
#include "cmd/results.h"
#include "formats/writers.h"

struct convert_options {
	struct lm_results_options results;
	const struct lm_writer *writer;
	const char *output; /* NULL: standard output */
};

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_TO = 0x700 };

static const struct argp_option options_table[] = {
	{ "to", KEY_TO, "FORM", 0, "journal, csv, suite7, json or posted (needed)", 0 },
	{ "output", 'o', "FILE", 0, "Where to, a new file (default: standard output)", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct convert_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->results;
		return 0;
	case KEY_TO:
		o->writer = lm_writer_find(arg);
		if (o->writer)
			return 0;
		return lm_bad_value(&o->results.err, "--to", arg,
				    "form: give journal, csv, suite7, json or posted");
	case 'o':
		o->output = strcmp(arg, "-") ? arg : NULL;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &lm_results_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "FILE...",
	.doc = "Read results of any form and write them in another.\vA FILE is a journal, "
	       "suite7.ss, a "
	       "table that was posted; - is standard input. LABEL=FILE gives its runs a label.\n",
	.children = children,
};

/* --- the work ------------------------------------------------------------------------------ */

static int write_runs(const struct lm_results *results, void *state, FILE *out,
		      struct lm_error *err)
{
	const struct convert_options *o = state;
	struct lm_runs all = { 0 };
	int rc;

	all.items = lm_results_all(results, &all.count);
	if (!all.items)
		return lm_error_sys(err, "a list of runs");
	rc = o->writer->write(&all, out, err);
	free(all.items);
	return rc;
}

static int convert(struct convert_options *o)
{
	struct lm_results results;
	struct lm_newfile file = LM_NEWFILE_NONE;
	struct lm_error err = { 0 };
	int rc = lm_results_open(&o->results, &results, &err);

	if (rc == 0 && o->output)
		rc = lm_newfile_open(&file, o->output, &err);
	if (rc == 0)
		rc = write_runs(&results, o, o->output ? file.stream : stdout, &err);
	if (o->output && lm_newfile_close(&file, rc == 0, &err) < 0)
		rc = -1;
	lm_results_close(&results);
	return rc < 0 ? lm_cmd_fail(&err) : LM_EXIT_OK;
}

int lm_cmd_convert(int argc, char **argv, lm_job_list kinds)
{
	struct convert_options *o = calloc(1, sizeof(*o));
	struct lm_error err = { 0 };
	int status;

	(void)kinds;
	if (!o) {
		lm_error_sys(&err, "options");
		return lm_cmd_fail(&err);
	}
	status = lm_results_parse(&argp, argc, argv, o, &o->results);
	if (status < 0 && !o->writer) {
		lm_error_set(&err, LM_ERR_INPUT,
			     "say what to write: --to journal, csv, suite7, json or posted");
		status = lm_cmd_fail(&err);
	}
	if (status < 0)
		status = convert(o);
	free(o);
	return status;
}
