/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sheet that a picture is drawn on. Pure. */
#ifndef LM_FORMATS_GNUPLOT_CANVAS_H
#define LM_FORMATS_GNUPLOT_CANVAS_H

#include "formats/gnuplot.h"

struct lm_canvas {
	unsigned width, height; /* without a legend; of PDF hundredths of an inch */
	unsigned key_line;      /* what a line of the legend adds */
	unsigned characters;    /* that stand beside each other */
	unsigned font;          /* points */
};

struct lm_canvas lm_canvas_of(const struct lm_look *look);
/* The same with a height that fits so many lying bars. */
struct lm_canvas lm_canvas_of_bars(const struct lm_look *look, size_t bars);

/* "set term ...", with room for a legend of so many lines. */
void lm_canvas_print(const struct lm_canvas *canvas, const struct lm_look *look, unsigned key_rows,
		     FILE *out);

/* "set xlabel ..."; the text is ours. */
void lm_canvas_foot(const struct lm_look *look, const char *text, FILE *out);

/* Lines go this colour where a picture has no colour for them. */
const char *lm_canvas_black(const struct lm_look *look);
/* The colour of the i-th thing. */
const char *lm_canvas_colour(const struct lm_look *look, size_t i);

#endif
