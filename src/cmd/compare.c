/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix compare: what changed between sets of results. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/compare.h"
#include "formats/studies.h"
#include "model/figures.h"

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_FIGURE = 0x600, KEY_STATS, KEY_BLAME, KEY_FORMAT };

static const struct argp_option study_table[] = {
	{ "figure", KEY_FIGURE, "LIST", 0,
	  "Figures to compare: jobs_per_min, real_s, cpu_s, jti, user_s, system_s, "
	  "jobs_per_min_task, jobs_per_s_task, stddev_s; or all (default: the first four; of gate, "
	  "the first)",
	  0 },
	{ "stats", KEY_STATS, "WHAT", 0,
	  "mean (default), or minmax: minimum, average, maximum, standard deviation", 0 },
	{ "blame", KEY_BLAME, "WHEN", OPTION_ARG_OPTIONAL,
	  "Which job kinds the change is in: auto (default: for a significant change), always, "
	  "never",
	  0 },
	{ 0 },
};

static const struct argp_option format_table[] = {
	{ "format", KEY_FORMAT, "FORM", 0, "text (default), posted, markdown, csv, json or robot",
	  0 },
	{ 0 },
};

static const enum lm_figure usual[] = { LM_FIG_JOBS_PER_MIN, LM_FIG_REAL, LM_FIG_CPU, LM_FIG_JTI };

#define USUAL (sizeof(usual) / sizeof(*usual))

static error_t take_figure(struct lm_study_options *o, const char *name, const char *all)
{
	enum lm_figure figure = lm_figure_find(name);

	if (figure == LM_FIGURES)
		return lm_bad_value(
			&o->results.err, "--figure", all,
			"list of figures: give jobs_per_min, real_s, cpu_s, jti, user_s, "
			"system_s, jobs_per_min_task, jobs_per_s_task, stddev_s, parted "
			"by commas, or all");
	for (size_t i = 0; i < o->figure_count; i++)
		if (o->figures[i] == figure)
			return 0;
	o->figures[o->figure_count++] = figure;
	return 0;
}

static error_t take_figures(struct lm_study_options *o, const char *list)
{
	char copy[256], *rest = copy, *name;

	o->figure_count = 0;
	if (strcmp(list, "all") == 0) {
		for (enum lm_figure f = 0; f < LM_FIGURES; f++)
			o->figures[o->figure_count++] = f;
		return 0;
	}
	if (strlen(list) >= sizeof(copy))
		return take_figure(o, "", list);
	strcpy(copy, list);
	while ((name = strsep(&rest, ",")) != NULL) {
		error_t rc = take_figure(o, name, list);

		if (rc)
			return rc;
	}
	return 0;
}

static error_t take_blame(struct lm_study_options *o, const char *when)
{
	if (!when || strcmp(when, "always") == 0)
		o->blame = LM_BLAME_ALWAYS;
	else if (strcmp(when, "auto") == 0)
		o->blame = LM_BLAME_SIGNIFICANT;
	else if (strcmp(when, "never") == 0)
		o->blame = LM_BLAME_NEVER;
	else
		return lm_bad_value(&o->results.err, "--blame", when,
				    "time for it: give auto, always or never");
	return 0;
}

static error_t parse_study(int key, char *arg, struct argp_state *state)
{
	struct lm_study_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->results;
		return 0;
	case KEY_FIGURE:
		return take_figures(o, arg);
	case KEY_BLAME:
		return take_blame(o, arg);
	case KEY_STATS:
		o->spread = strcmp(arg, "minmax") == 0;
		if (o->spread || strcmp(arg, "mean") == 0)
			return 0;
		return lm_bad_value(&o->results.err, "--stats", arg,
				    "form of statistics: give mean or minmax");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp lm_study_argp = { .options = study_table,
				    .parser = parse_study,
				    .children = lm_results_children };

const struct argp_child lm_study_children[] = { { &lm_study_argp, 0, NULL, 0 }, { 0 } };

/* --- the study ----------------------------------------------------------------------------- */

int lm_study_open(const struct lm_study_options *o, const char *const *argv,
		  struct lm_study_box *box, struct lm_error *err)
{
	*box = (struct lm_study_box){ 0 };
	if (lm_results_open(&o->results, &box->results, err) < 0)
		return -1;
	if (box->results.set_count < 2 && !o->gaps)
		return lm_error_set(err, LM_ERR_INPUT,
				    "there is nothing to compare: the results are all of '%.200s'; "
				    "name two files of one workload, or call the sets apart: "
				    "OLD=FILE,FILE NEW=FILE,FILE",
				    box->results.set_count ? box->results.sets[0].label : "");
	box->command = lm_text_shell(argv);
	if (!box->command)
		return lm_error_sys(err, "the command line");
	box->study = (struct lm_study){ .sets = box->results.sets,
					.set_count = box->results.set_count,
					.figures = o->figure_count ? o->figures : usual,
					.figure_count = o->figure_count ? o->figure_count : USUAL,
					.spread = o->spread,
					.blame = o->blame,
					.command = box->command,
					.gaps = o->gaps };
	return lm_study_make(&box->study, err);
}

void lm_study_close(struct lm_study_box *box)
{
	lm_study_free(&box->study);
	lm_results_close(&box->results);
	free(box->command);
}

/* --- the command --------------------------------------------------------------------------- */

struct compare_options {
	struct lm_study_options study;
	const struct lm_study_format *format;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct compare_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->study;
		o->format = lm_study_formats[0];
		return 0;
	case KEY_FORMAT:
		o->format = lm_study_format_find(arg);
		if (o->format)
			return 0;
		return lm_bad_value(&o->study.results.err, "--format", arg,
				    "form: give text, posted, markdown, csv, json or robot");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = format_table,
	.parser = parse,
	.args_doc = "BASE NEW [MORE...]",
	.doc = "Compare results with a base: each figure at each task count, whether the change is "
	       "more than noise, which job kinds it is in, and what else differs.\vBASE, NEW and "
	       "MORE "
	       "are files, or sets of files: LABEL=FILE,FILE. A file with several labels, such as "
	       "a "
	       "posted table of kernels, is split by them.\n",
	.children = lm_study_children,
};

static int compare(const struct compare_options *o, const char *const *argv)
{
	struct lm_study_box box;
	struct lm_error err = { 0 };
	int rc = lm_study_open(&o->study, argv, &box, &err);

	if (rc == 0 && o->format->write(&box.study, stdout) < 0)
		rc = lm_error_sys(&err, "a comparison");
	lm_study_close(&box);
	return rc < 0 ? lm_cmd_fail(&err) : LM_EXIT_OK;
}

static int act(void *options, const char *const *again)
{
	return compare(options, again);
}

int lm_cmd_compare(int argc, char **argv, lm_job_list kinds)
{
	static const struct lm_results_command command = {
		.name = "compare", .argp = &argp, .size = sizeof(struct compare_options), .act = act
	};

	(void)kinds;
	return lm_results_command(&command, argc, argv);
}
