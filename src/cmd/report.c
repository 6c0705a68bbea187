/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix report: a page of results, or the five panels of one on paper. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/compare.h"
#include "cmd/gnuplot.h"
#include "cmd/newfile.h"
#include "formats/report.h"

struct report_options {
	struct lm_study_options study;
	const char *output;
	bool postscript;
};

/* --- options ------------------------------------------------------------------------------- */

static const struct argp_option options_table[] = {
	{ "output", 'o', "FILE", 0,
	  "Where to, a new file (needed): NAME.html, or NAME.ps for the five panels on a page of "
	  "PostScript; - is standard output, HTML",
	  0 },
	{ 0 },
};

static bool ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && strcmp(name + n - m, end) == 0;
}

static error_t take_output(struct report_options *o, const char *name)
{
	o->output = name;
	o->postscript = ends_in(name, ".ps");
	if (o->postscript || ends_in(name, ".html") || ends_in(name, ".htm") ||
	    strcmp(name, "-") == 0 || strncmp(name, "/dev/", 5) == 0)
		return 0;
	return lm_bad_value(&o->study.results.err, "--output", name,
			    "name of a report: give NAME.html, NAME.ps or -");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->study;
		return 0;
	case 'o':
		return take_output(o, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "FILE...",
	.doc = "Write a page that shows results: jobs/min, JTI, real, cpu and jobs/min/task over "
	       "tasks, the time of a task by job kind, and the comparison with the first set as "
	       "tables.\vFILE is a file with results, or a set of files: LABEL=FILE,FILE. The page "
	       "holds all it needs: no script, nothing from a network. Pictures are drawn by "
	       "gnuplot; when it is missing or fails, the page has the tables alone, and the exit "
	       "status is 3.\n",
	.children = lm_study_children,
};

/* --- the work ------------------------------------------------------------------------------ */

/* Draw; a page does without pictures, but the status tells. */
static int draw(const struct report_options *o, struct lm_report *report, struct lm_gnuplot *g,
		struct lm_error *err)
{
	if (lm_gnuplot_open(g, err) < 0)
		return -1;
	if (o->postscript)
		lm_report_postscript(report, g->script);
	else
		lm_report_script(report, g->script);
	if (lm_gnuplot_run(g, err) < 0)
		return -1;
	return o->postscript ? 0 : lm_report_take(report, g->output, g->size, err);
}

static int has_pictures(const struct lm_report *report)
{
	for (size_t i = 0; i < report->count; i++)
		for (size_t k = 0; k < LM_REPORT_FIGURES; k++)
			if (report->parts[i].charts[k].line_count)
				return 1;
	return 0;
}

/* 0, or -1 with err; doubt is set when there is a page and no pictures. */
static int write_report(const struct report_options *o, struct lm_report *report, FILE *out,
			int *signal, struct lm_error *doubt, struct lm_error *err)
{
	struct lm_gnuplot g = { 0 };
	int rc = 0;

	if (!has_pictures(report))
		report->unpainted = "the results tell none of these figures over tasks";
	else
		rc = draw(o, report, &g, doubt);
	*signal = g.signal;
	if (o->postscript && (rc < 0 || report->unpainted))
		rc = rc < 0 ? -1
			    : lm_error_set(doubt, LM_ERR_INPUT, "nothing to draw: %s",
					   report->unpainted);
	else if (!g.signal) {
		if (rc < 0)
			report->unpainted = doubt->text;
		rc = 0;
		if (o->postscript)
			fwrite(g.output, 1, g.size, out);
		else
			lm_report_html(report, out);
	}
	if (rc < 0)
		*err = *doubt;
	lm_gnuplot_close(&g);
	return rc;
}

/* The exit status of an error, which is told. */
static int tell(const struct report_options *o, const struct lm_error *err, bool page)
{
	int status = lm_cmd_fail(err);

	if (page)
		lm_cmd_warn("'%s' has the tables, but no pictures", o->output);
	return status;
}

static int make_report(const struct report_options *o, const struct lm_study *study)
{
	struct lm_newfile file = LM_NEWFILE_NONE;
	struct lm_error err = { 0 }, doubt = { 0 };
	struct lm_report report;
	bool to_stdout = strcmp(o->output, "-") == 0;
	int signal = 0, rc = lm_report_make(study, &report, &err);

	if (rc == 0 && !to_stdout)
		rc = lm_newfile_open(&file, o->output, &err);
	if (rc == 0)
		rc = write_report(o, &report, to_stdout ? stdout : file.stream, &signal, &doubt,
				  &err);
	if (lm_newfile_close(&file, rc == 0 && !signal, &err) < 0)
		rc = -1;
	lm_report_free(&report);
	if (signal)
		return 128 + signal;
	if (rc < 0)
		return tell(o, &err, false);
	return doubt.code ? tell(o, &doubt, true) : LM_EXIT_OK;
}

static int report(struct report_options *o, const char *const *argv)
{
	struct lm_study_box box;
	struct lm_error err = { 0 };
	int status;

	if (!o->output) {
		lm_error_set(&err, LM_ERR_INPUT, "say where to: -o report.html");
		return lm_cmd_fail(&err);
	}
	if (lm_study_open(&o->study, argv, &box, &err) < 0)
		status = lm_cmd_fail(&err);
	else
		status = make_report(o, &box.study);
	lm_study_close(&box);
	return status;
}

static void set(void *options)
{
	struct report_options *o = options;

	o->study.gaps = true;
}

static int act(void *options, const char *const *again)
{
	return report(options, again);
}

int lm_cmd_report(int argc, char **argv, lm_job_list kinds)
{
	static const struct lm_results_command command = { .name = "report",
							   .argp = &argp,
							   .size = sizeof(struct report_options),
							   .set = set,
							   .act = act };

	(void)kinds;
	return lm_results_command(&command, argc, argv);
}
