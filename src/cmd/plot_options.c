/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of loadmix plot. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/plot.h"

/* --- options ------------------------------------------------------------------------------- */

#define MOST_TASKS 1e9

enum {
	KEY_FIGURE = 0x800,
	KEY_TASKS,
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
	  "jobs_per_s_task or stddev_s; or kinds: the time of a task by job kind, a bar a set",
	  0 },
	{ "tasks", KEY_TASKS, "N", 0,
	  "With --figure kinds: at how many tasks (default: where it changed most, else the "
	  "largest load)",
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

static error_t take_span(struct lm_plot_options *o, const char *option, const char *arg,
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
static error_t take_word(struct lm_plot_options *o, const struct word *words, const char *option,
			 const char *arg, const char *expected, int *value)
{
	*value = find_word(words, arg);
	return *value < 0 ? lm_bad_value(&o->results.err, option, arg, expected) : 0;
}

static error_t take_look(struct lm_plot_options *o, int key, const char *arg)
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

static error_t take_figure(struct lm_plot_options *o, const char *arg)
{
	o->kinds = strcmp(arg, "kinds") == 0;
	o->figure = o->kinds ? LM_FIG_REAL : lm_figure_find(arg);
	if (o->figure < LM_FIGURES)
		return 0;
	return lm_bad_value(&o->results.err, "--figure", arg,
			    "figure: give jobs_per_min, real_s, cpu_s, jti, user_s, system_s, "
			    "jobs_per_min_task, jobs_per_s_task, stddev_s or kinds");
}

static error_t take_tasks(struct lm_plot_options *o, const char *arg)
{
	double n = 0;

	if (*arg && take_number(arg, &n) && n >= 1 && n <= MOST_TASKS && n == floor(n)) {
		o->tasks = (unsigned)n;
		return 0;
	}
	return lm_bad_value(&o->results.err, "--tasks", arg, "number of tasks: give 1 or more");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_plot_options *o = state->input;

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
	case KEY_TASKS:
		return take_tasks(o, arg);
	case KEY_WORKLOAD:
		o->workload = arg;
		return 0;
	case KEY_XRANGE:
		o->look_given = true;
		return take_span(o, "--xrange", arg, &o->look.x);
	case KEY_YRANGE:
		o->look_given = true;
		return take_span(o, "--yrange", arg, &o->look.y);
	case KEY_STYLE:
	case KEY_LOG:
		o->look_given = true;
		return take_look(o, key, arg);
	case KEY_FORMAT:
		return take_look(o, key, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp lm_plot_argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "FILE...",
	.doc = "Draw one figure of results over task counts, a line for each set; or the time of a "
	       "task by job kind, a bar for each set.\vFILE is a file "
	       "with results, or a set of files: LABEL=FILE,FILE. Pictures are drawn by gnuplot.\n",
	.children = lm_results_children,
};

/* --- what goes together ---------------------------------------------------------------------- */

/* The form by the name of the file. */
static int take_form(struct lm_plot_options *o, struct lm_error *err)
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

int lm_plot_check(struct lm_plot_options *o, struct lm_error *err)
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
	if (o->kinds && o->look_given)
		return lm_error_set(err, LM_ERR_INPUT,
				    "--figure kinds is drawn as bars of one load: --style, --log, "
				    "--xrange and --yrange do not go with it");
	if (o->tasks && !o->kinds)
		return lm_error_set(err, LM_ERR_INPUT,
				    "--tasks goes with --figure kinds; for figures over tasks give "
				    "--xrange FROM:TO");
	return take_form(o, err);
}

void lm_plot_options_set(void *options)
{
	struct lm_plot_options *o = options;

	o->look.x = o->look.y = (struct lm_span){ NAN, NAN };
}
