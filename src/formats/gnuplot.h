/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts as scripts for gnuplot. Text of files is data: it stands in single quotes, where nothing
 * means anything to gnuplot, and the terminals' markup is off. */
#ifndef LM_FORMATS_GNUPLOT_H
#define LM_FORMATS_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/chart.h"

enum lm_drawing { LM_DRAW_SVG, LM_DRAW_PNG, LM_DRAW_PDF, LM_DRAW_PS, LM_DRAW_TEXT };

/* AUTO: tasks on a logarithmic axis when they span more than a factor of 16. */
enum lm_log { LM_LOG_AUTO, LM_LOG_NONE, LM_LOG_X, LM_LOG_Y, LM_LOG_XY };

enum lm_line_style { LM_STYLE_LINESPOINTS, LM_STYLE_LINES, LM_STYLE_POINTS, LM_STYLE_BARS };

struct lm_span {
	double from, to; /* NAN: as the data needs */
};

struct lm_look {
	enum lm_drawing drawing;
	bool inlaid;            /* SVG: small, without background and title, for a page */
	unsigned columns, rows; /* TEXT */
	bool colour;            /* TEXT: with escape sequences */
	enum lm_log log;
	struct lm_span x, y;
	enum lm_line_style style;
};

/* Colours that colour-blind people tell apart, "#0072b2"; the first of them again after the last.
 */
const char *lm_gnuplot_colour(size_t i);
#define LM_COLOURS 8

/* Colour of grid lines, and of what stands for all kinds that have no colour of their own. */
#define LM_GRID_COLOUR "#c8c8c9"
#define LM_REST_COLOUR "#9a9a9b"

/* Kinds that have a bar of their own in a chart; the others are one together. */
#define LM_KINDS_SHOWN 7

/* A text in gnuplot's quotes: control characters made harmless, at most max characters, of a longer
 * one the beginning and the end. */
void lm_gnuplot_text(FILE *out, const char *text, size_t max);

/* The script of one picture on gnuplot's standard output. */
void lm_gnuplot_chart(const struct lm_chart *chart, const struct lm_look *look, FILE *out);
void lm_gnuplot_kinds(const struct lm_kind_chart *chart, const struct lm_look *look, FILE *out);

/* Charts on pages of PostScript, six panels a page of which one is the legend. */
struct lm_gnuplot_page {
	const char *title;
	const struct lm_chart *charts;
	size_t count; /* at most 5 */
};
void lm_gnuplot_pages(const struct lm_gnuplot_page *pages, size_t count, FILE *out);

#endif
