/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix plot: one figure over task counts as a picture, in a file or in the terminal. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/gnuplot.h"
#include "cmd/newfile.h"
#include "cmd/results.h"
#include "formats/gnuplot.h"
#include "model/figures.h"

struct plot_options {
	struct lm_results_options results;
	enum lm_figure figure;
	struct lm_look look;
	const char *workload; /* NULL: the only one */
	const char *output;   /* NULL: the terminal */
	bool terminal, format_given;
};

/* --- options ------------------------------------------------------------------------------- */

enum {
	KEY_FIGURE = 0x800,
	KEY_WORKLOAD,
	KEY_LOG,
	KEY_XRANGE,
	KEY_YRANGE,
	KEY_STYLE,
	KEY_TERM,
	KEY_FORMAT
};

static const struct argp_option options_table[] = {
	{ "output", 'o', "FILE", 0,
	  "Where to, a new file: NAME.svg, .png, .pdf or .ps; - is standard output", 0 },
	{ "format", KEY_FORMAT, "FORM", 0,
	  "svg, png, pdf or ps (default: by the name; svg on standard output)", 0 },
	{ "term", KEY_TERM, NULL, 0, "Draw with characters on standard output", 0 },
	{ "figure", KEY_FIGURE, "FIGURE", 0,
	  "jobs_per_min (default), real_s, cpu_s, jti, user_s, system_s, jobs_per_min_task, "
	  "jobs_per_s_task or stddev_s",
	  0 },
	{ "workload", KEY_WORKLOAD, "NAME", 0, "Which workload, if the results are of several", 0 },
	{ "style", KEY_STYLE, "STYLE", 0, "linespoints (default), lines, points or bars", 0 },
	{ "log", KEY_LOG, "AXES", 0,
	  "Logarithmic axes: x, y, xy or none (default: x when tasks span more than a factor of "
	  "16)",
	  0 },
	{ "xrange", KEY_XRANGE, "FROM:TO", 0, "Task counts to show; one of the two may be left out",
	  0 },
	{ "yrange", KEY_YRANGE, "FROM:TO", 0,
	  "Figures to show (default: from 0 to the largest); one of the two may be left out", 0 },
	{ 0 },
};

/* A word and what it stands for; the list is ended by NULL. */
struct word {
	const char *name;
	int value;
};

static const struct word forms[] = { { "svg", LM_DRAW_SVG },
				     { "png", LM_DRAW_PNG },
				     { "pdf", LM_DRAW_PDF },
				     { "ps", LM_DRAW_PS },
				     { NULL, 0 } };

static const struct word styles[] = { { "linespoints", LM_STYLE_LINESPOINTS },
				      { "lines", LM_STYLE_LINES },
				      { "points", LM_STYLE_POINTS },
				      { "bars", LM_STYLE_BARS },
				      { NULL, 0 } };

static const struct word axes[] = { { "none", LM_LOG_NONE }, { "x", LM_LOG_X },   { "y", LM_LOG_Y },
				    { "xy", LM_LOG_XY },     { "yx", LM_LOG_XY }, { NULL, 0 } };

/* -1 when it is none of them. */
static int find_word(const struct word *words, const char *name)
{
	for (; words->name; words++)
		if (strcmp(words->name, name) == 0)
			return words->value;
	return -1;
}

/* The whole of text is a number from 0 on; an empty one leaves *out alone. */
static bool take_number(const char *text, double *out)
{
	char *end;

	if (*text == '\0')
		return true;
	if (!strchr("0123456789.", *text))
		return false;
	*out = strtod(text, &end);
	return *end == '\0' && isfinite(*out);
}

static error_t take_span(struct plot_options *o, const char *option, const char *arg,
			 struct lm_span *span)
{
	char copy[64];
	char *colon;

	*span = (struct lm_span){ NAN, NAN };
	snprintf(copy, sizeof(copy), "%s", arg);
	colon = strchr(copy, ':');
	if (colon && strlen(arg) < sizeof(copy)) {
		*colon = '\0';
		if (take_number(copy, &span->from) && take_number(colon + 1, &span->to) &&
		    !(span->from >= span->to))
			return 0;
	}
	return lm_bad_value(&o->results.err, option, arg,
			    "range: give FROM:TO, FROM: or :TO, numbers from 0 on, FROM below TO");
}

/* NULL err text: the word was found and is in *value. */
static error_t take_word(struct plot_options *o, const struct word *words, const char *option,
			 const char *arg, const char *expected, int *value)
{
	*value = find_word(words, arg);
	return *value < 0 ? lm_bad_value(&o->results.err, option, arg, expected) : 0;
}

static error_t take_look(struct plot_options *o, int key, const char *arg)
{
	int value = 0;
	error_t rc;

	if (key == KEY_FORMAT) {
		rc = take_word(o, forms, "--format", arg, "form: give svg, png, pdf or ps", &value);
		o->look.drawing = rc ? LM_DRAW_SVG : (enum lm_drawing)value;
		o->format_given = true;
	} else if (key == KEY_STYLE) {
		rc = take_word(o, styles, "--style", arg,
			       "style: give linespoints, lines, points or bars", &value);
		o->look.style = rc ? LM_STYLE_LINES : (enum lm_line_style)value;
	} else {
		rc = take_word(o, axes, "--log", arg, "choice of axes: give x, y, xy or none",
			       &value);
		o->look.log = rc ? LM_LOG_AUTO : (enum lm_log)value;
	}
	return rc;
}

static error_t take_figure(struct plot_options *o, const char *arg)
{
	o->figure = lm_figure_find(arg);
	if (o->figure < LM_FIGURES)
		return 0;
	return lm_bad_value(&o->results.err, "--figure", arg,
			    "figure: give jobs_per_min, real_s, cpu_s, jti, user_s, system_s, "
			    "jobs_per_min_task, jobs_per_s_task or stddev_s");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct plot_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->results;
		return 0;
	case 'o':
		o->output = arg;
		return 0;
	case KEY_TERM:
		o->terminal = true;
		return 0;
	case KEY_FIGURE:
		return take_figure(o, arg);
	case KEY_WORKLOAD:
		o->workload = arg;
		return 0;
	case KEY_XRANGE:
		return take_span(o, "--xrange", arg, &o->look.x);
	case KEY_YRANGE:
		return take_span(o, "--yrange", arg, &o->look.y);
	case KEY_FORMAT:
	case KEY_STYLE:
	case KEY_LOG:
		return take_look(o, key, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &lm_results_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "FILE...",
	.doc = "Draw one figure of results over task counts, a line for each set.\vFILE is a file "
	       "with results, or a set of files: LABEL=FILE,FILE. Pictures are drawn by gnuplot.\n",
	.children = children,
};

/* --- what goes together ---------------------------------------------------------------------- */

/* The form by the name of the file. */
static int take_form(struct plot_options *o, struct lm_error *err)
{
	const char *dot = o->output ? strrchr(o->output, '.') : NULL;
	int form = dot ? find_word(forms, dot + 1) : -1;

	if (o->terminal)
		o->look.drawing = LM_DRAW_TEXT;
	if (o->terminal || o->format_given || strcmp(o->output, "-") == 0)
		return 0;
	if (form < 0)
		return lm_error_at(err, "--output", 0, 0,
				   "'%.200s' ends in no known form: give NAME.svg, .png, .pdf or "
				   ".ps, or --format",
				   o->output);
	o->look.drawing = (enum lm_drawing)form;
	return 0;
}

static int check(struct plot_options *o, struct lm_error *err)
{
	bool log_x = o->look.log == LM_LOG_X || o->look.log == LM_LOG_XY;
	bool log_y = o->look.log == LM_LOG_Y || o->look.log == LM_LOG_XY;

	if (o->terminal == (o->output != NULL))
		return lm_error_set(err, LM_ERR_INPUT,
				    "say where to: either -o FILE, such as x.svg, or --term");
	if (o->look.style == LM_STYLE_BARS &&
	    (log_x || !isnan(o->look.x.from) || !isnan(o->look.x.to)))
		return lm_error_set(err, LM_ERR_INPUT,
				    "--style bars has a place for each load: --xrange and --log x "
				    "do not go with it");
	if ((log_x && o->look.x.from <= 0) || (log_y && o->look.y.from <= 0))
		return lm_error_set(err, LM_ERR_INPUT,
				    "a logarithmic axis begins above 0: give another range");
	return take_form(o, err);
}

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
	if (size.ws_row >= 10) /* the prompt wants a row, too */
		look->rows = size.ws_row < 60 ? size.ws_row - 1u : 60;
}

/* --- the picture --------------------------------------------------------------------------- */

/* Several workloads are several pictures, of which the user names one. NULL with err. */
static const char *choose(const struct plot_options *o, const char *const *names, size_t n,
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

static int make_chart(const struct plot_options *o, const struct lm_results *r,
		      struct lm_chart *chart, struct lm_error *err)
{
	const char **names, *workload;
	size_t n;
	int rc = -1;

	*chart = (struct lm_chart){ 0 };
	if (lm_chart_workloads(r->sets, r->set_count, &names, &n, err) == 0) {
		workload = choose(o, names, n, err);
		if (workload)
			rc = lm_chart_make(r->sets, r->set_count, workload, o->figure, chart, err);
	}
	free(names);
	if (rc == 0 && chart->line_count == 0)
		return lm_error_set(err, LM_ERR_INPUT, "the results do not tell %s",
				    lm_figure_info(o->figure)->title);
	return rc;
}

/* A logarithmic axis has no place for 0. */
static void warn_of_zeros(const struct plot_options *o, const struct lm_chart *chart)
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

/* gnuplot 5.4 feeds a form to a terminal even when it is told not to. */
static void put_picture(const struct lm_gnuplot *g, bool terminal, FILE *out)
{
	size_t skip = terminal && g->output[0] == '\f';

	fwrite(g->output + skip, 1, g->size - skip, out);
}

static int draw(const struct plot_options *o, const struct lm_chart *chart, FILE *out, int *signal,
		struct lm_error *err)
{
	struct lm_gnuplot g = { 0 };
	int rc = lm_gnuplot_open(&g, err);

	if (rc == 0) {
		lm_gnuplot_chart(chart, &o->look, g.script);
		rc = lm_gnuplot_run(&g, err);
	}
	if (rc == 0)
		put_picture(&g, o->terminal, out);
	*signal = g.signal;
	lm_gnuplot_close(&g);
	return rc;
}

static int write_plot(const struct plot_options *o, const struct lm_chart *chart,
		      struct lm_error *err)
{
	struct lm_newfile file = LM_NEWFILE_NONE;
	bool to_stdout = o->terminal || strcmp(o->output, "-") == 0;
	int signal = 0, rc = 0;

	if (!to_stdout)
		rc = lm_newfile_open(&file, o->output, err);
	if (rc == 0)
		rc = draw(o, chart, to_stdout ? stdout : file.stream, &signal, err);
	if (lm_newfile_close(&file, rc == 0, err) < 0)
		rc = -1;
	if (signal)
		return 128 + signal;
	return rc < 0 ? lm_cmd_fail(err) : LM_EXIT_OK;
}

static int plot(struct plot_options *o)
{
	struct lm_results results = { 0 };
	struct lm_chart chart = { 0 };
	struct lm_error err = { 0 };
	int status;

	if (check(o, &err) < 0 || lm_results_open(&o->results, &results, &err) < 0 ||
	    make_chart(o, &results, &chart, &err) < 0) {
		status = lm_cmd_fail(&err);
	} else {
		warn_of_zeros(o, &chart);
		look_at_terminal(&o->look);
		status = write_plot(o, &chart, &err);
	}
	lm_chart_free(&chart);
	lm_results_close(&results);
	return status;
}

int lm_cmd_plot(int argc, char **argv, lm_job_list kinds)
{
	struct plot_options *o = calloc(1, sizeof(*o));
	struct lm_error err = { 0 };
	int status;

	(void)kinds;
	if (!o) {
		lm_error_sys(&err, "options");
		return lm_cmd_fail(&err);
	}
	o->look.x = o->look.y = (struct lm_span){ NAN, NAN };
	status = lm_results_parse(&argp, argc, argv, o, &o->results);
	if (status < 0)
		status = plot(o);
	free(o);
	return status;
}
