/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix plot: one figure over task counts, or the time of a task by job kind, as a picture, in a
 * file or in the terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/gnuplot.h"
#include "cmd/newfile.h"
#include "cmd/plot.h"
#include "formats/formats.h"
#include "model/chart.h"

/* --- the terminal -------------------------------------------------------------------------- */

/* Everywhere but on a terminal that can do more: 80 columns, no escape sequences. */
static void look_at_terminal(struct lm_look *look)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	struct winsize size = { 0 };

	look->columns = 80;
	look->rows = 24;
	if (!isatty(STDOUT_FILENO) || !term || !*term || strcmp(term, "dumb") == 0)
		return;
	look->colour = !no_color || !*no_color;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 20)
		return;
	look->columns = size.ws_col < 1000 ? size.ws_col : 1000;
	if (size.ws_row >= 10) /* the command and the prompt want a row each */
		look->rows = size.ws_row < 60 ? size.ws_row - 2u : 60;
}

/* --- what is drawn --------------------------------------------------------------------------- */

/* One of the two. */
struct drawing {
	struct lm_chart chart;
	struct lm_kind_chart kinds;
};

/* Several workloads are several pictures, of which the user names one. NULL with err. */
static const char *choose(const struct lm_plot_options *o, const char *const *names, size_t n,
			  struct lm_error *err)
{
	char list[600] = "";

	for (size_t i = 0; i < n; i++) {
		size_t used = strlen(list);

		if (o->workload ? strcmp(names[i], o->workload) == 0 : n == 1)
			return names[i];
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
			 names[i][0] ? names[i] : "''");
	}
	if (n == 0)
		lm_error_set(err, LM_ERR_INPUT,
			     "there is nothing to draw: the results are of kinds that ran alone");
	else if (o->workload)
		lm_error_at(err, "--workload", 0, 0,
			    "there is no '%.200s' in the results, which are of: %s", o->workload,
			    list);
	else
		lm_error_set(err, LM_ERR_INPUT,
			     "the results are of several workloads: choose one with --workload: %s",
			     list);
	return NULL;
}

/* A logarithmic axis has no place for 0. */
static void warn_of_zeros(const struct lm_plot_options *o, const struct lm_chart *chart)
{
	size_t zeros = 0;

	if (o->look.log != LM_LOG_Y && o->look.log != LM_LOG_XY)
		return;
	for (size_t i = 0; i < chart->line_count; i++)
		for (size_t k = 0; k < chart->lines[i].count; k++)
			zeros += chart->lines[i].points[k].y.n > 0 &&
				 chart->lines[i].points[k].y.mean <= 0;
	if (zeros)
		lm_cmd_warn("%zu points of 0 have no place on a logarithmic axis", zeros);
}

/* The load of the page's picture. 0, or -1 with err. */
static int usual_load(const struct lm_results *r, const char *workload, unsigned *tasks,
		      struct lm_error *err)
{
	const enum lm_figure figure = LM_FIG_REAL;
	struct lm_study study = { .sets = r->sets,
				  .set_count = r->set_count,
				  .figures = &figure,
				  .figure_count = 1,
				  .gaps = true };
	int rc = lm_study_make(&study, err);

	if (rc == 0)
		*tasks = lm_kind_chart_load(&study, workload);
	lm_study_free(&study);
	return rc;
}

static int make_kinds(const struct lm_plot_options *o, const struct lm_results *r,
		      const char *workload, struct drawing *drawing, struct lm_error *err)
{
	unsigned tasks = o->tasks;

	if (tasks == 0 && usual_load(r, workload, &tasks, err) < 0)
		return -1;
	if (lm_kind_chart_make(r->sets, r->set_count, workload, tasks, &drawing->kinds, err) < 0)
		return -1;
	if (drawing->kinds.bar_count)
		return 0;
	if (o->tasks)
		return lm_error_at(err, "--tasks", 0, 0,
				   "no valid step of %u task%s tells the time of job kinds", tasks,
				   tasks == 1 ? "" : "s");
	return lm_error_set(err, LM_ERR_INPUT, "the results do not tell the time of job kinds");
}

static int make_lines(const struct lm_plot_options *o, const struct lm_results *r,
		      const char *workload, struct drawing *drawing, struct lm_error *err)
{
	if (lm_chart_make(r->sets, r->set_count, workload, o->figure, &drawing->chart, err) < 0)
		return -1;
	if (drawing->chart.line_count == 0)
		return lm_error_set(err, LM_ERR_INPUT, "the results do not tell %s",
				    lm_figure_info(o->figure)->title);
	warn_of_zeros(o, &drawing->chart);
	return 0;
}

static int make_drawing(const struct lm_plot_options *o, const struct lm_results *r,
			struct drawing *drawing, struct lm_error *err)
{
	const char **names, *workload = NULL;
	size_t n;
	int rc = -1;

	*drawing = (struct drawing){ 0 };
	if (lm_chart_workloads(r->sets, r->set_count, &names, &n, err) == 0)
		workload = choose(o, names, n, err);
	if (workload)
		rc = o->kinds ? make_kinds(o, r, workload, drawing, err)
			      : make_lines(o, r, workload, drawing, err);
	free(names);
	return rc;
}

static void free_drawing(struct drawing *drawing)
{
	lm_chart_free(&drawing->chart);
	lm_kind_chart_free(&drawing->kinds);
}

/* --- the picture --------------------------------------------------------------------------- */

/* Lines of text without what a terminal need not have: gnuplot fills all lines with blanks, ends
 * the last without a newline, and 5.4 feeds a form even when it is told not to. */
static void put_text(const char *text, size_t size, FILE *out)
{
	const char *end = text + size;
	bool begun = false;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *next = newline ? newline + 1 : end;
		size_t length;

		text += *text == '\f';
		length = (size_t)((newline ? newline : end) - text);
		while (length && text[length - 1] == ' ')
			length--;
		begun = begun || length;
		if (begun && (newline || length))
			fprintf(out, "%.*s\n", (int)length, text);
		text = next;
	}
}

static int draw(const struct lm_plot_options *o, const struct drawing *drawing, FILE *out,
		int *signal, struct lm_error *err)
{
	struct lm_gnuplot g = { 0 };
	int rc = lm_gnuplot_open(&g, err);

	if (rc == 0) {
		if (o->kinds)
			lm_gnuplot_kinds(&drawing->kinds, &o->look, g.script);
		else
			lm_gnuplot_chart(&drawing->chart, &o->look, g.script);
		rc = lm_gnuplot_run(&g, err);
	}
	if (rc == 0 && o->terminal)
		put_text(g.output, g.size, out);
	else if (rc == 0)
		fwrite(g.output, 1, g.size, out);
	*signal = g.signal;
	lm_gnuplot_close(&g);
	return rc;
}

static int write_plot(const struct lm_plot_options *o, const struct drawing *drawing,
		      const char *const *again, struct lm_error *err)
{
	struct lm_newfile file = LM_NEWFILE_NONE;
	bool to_stdout = o->terminal || strcmp(o->output, "-") == 0;
	int signal = 0, rc = 0;

	if (!to_stdout)
		rc = lm_newfile_open(&file, o->output, err);
	if (rc == 0)
		rc = draw(o, drawing, to_stdout ? stdout : file.stream, &signal, err);
	if (rc == 0 && o->terminal)
		lm_print_again(again, stdout);
	if (lm_newfile_close(&file, rc == 0, err) < 0)
		rc = -1;
	if (signal)
		return 128 + signal;
	return rc < 0 ? lm_cmd_fail(err) : LM_EXIT_OK;
}

static int plot(void *options, const char *const *again)
{
	struct lm_plot_options *o = options;
	struct lm_results results = { 0 };
	struct drawing drawing = { 0 };
	struct lm_error err = { 0 };
	int status;

	if (lm_plot_check(o, &err) < 0 || lm_results_open(&o->results, &results, &err) < 0 ||
	    make_drawing(o, &results, &drawing, &err) < 0) {
		status = lm_cmd_fail(&err);
	} else {
		look_at_terminal(&o->look);
		status = write_plot(o, &drawing, again, &err);
	}
	free_drawing(&drawing);
	lm_results_close(&results);
	return status;
}

int lm_cmd_plot(int argc, char **argv, lm_job_list kinds)
{
	static const struct lm_results_command command = { .name = "plot",
							   .argp = &lm_plot_argp,
							   .size = sizeof(struct lm_plot_options),
							   .set = lm_plot_options_set,
							   .act = plot };

	(void)kinds;
	return lm_results_command(&command, argc, argv);
}
