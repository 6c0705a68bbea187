/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user wants drawn. */
#ifndef LM_CMD_PLOT_H
#define LM_CMD_PLOT_H

#include "cmd/results.h"
#include "formats/gnuplot.h"
#include "model/figures.h"

struct lm_plot_options {
	struct lm_results_options results;
	enum lm_figure figure;
	bool kinds;     /* the time of a task by job kind instead of the figure */
	unsigned tasks; /* with kinds: at which load; 0: where it changed most */
	struct lm_look look;
	const char *workload; /* NULL: the only one */
	const char *output;   /* NULL: the terminal */
	bool terminal, format_given, look_given;
};

/* Its input is the options, which lm_plot_options_set() has set. */
extern const struct argp lm_plot_argp;
void lm_plot_options_set(void *options);

/* After the parse: whether the options go together; and the form by the name of the file. 0, or -1
 * with err. */
int lm_plot_check(struct lm_plot_options *options, struct lm_error *err);

#endif
