/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an axis begins and ends, and its ticks: few enough that they never touch. Pure. */
#ifndef LM_FORMATS_GNUPLOT_AXIS_H
#define LM_FORMATS_GNUPLOT_AXIS_H

#include "formats/gnuplot.h"

struct lm_axis {
	double from, to;
	bool log;
	double step;   /* between ticks; a factor on a logarithmic axis that is no short one */
	bool is_short; /* logarithmic, and so short that it would have but a power or two */
	int decimals;
};

/* Of task counts, whole numbers; log is the user's wish. The picture is so many characters wide. */
struct lm_axis lm_axis_of_tasks(const struct lm_chart *chart, const struct lm_look *look,
				size_t characters);
/* Of a figure; from 0 on when it is linear, that no difference looks larger than it is. */
struct lm_axis lm_axis_of_figure(const struct lm_chart *chart, const struct lm_look *look);
/* From 0 to something that has room for most, lying in a picture so many characters wide. */
struct lm_axis lm_axis_to(double most, size_t characters);

/* "set xrange ...", logscale and ticks; name is 'x' or 'y'. */
void lm_axis_print(const struct lm_axis *axis, char name, FILE *out);

#endif
