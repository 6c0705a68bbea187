/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures of gnuplot's SVG terminal for a page that holds many of them. Pure. */
#ifndef LM_FORMATS_SVG_H
#define LM_FORMATS_SVG_H

#include <stddef.h>
#include <stdio.h>

struct lm_svg {
	const char *text; /* the inside of the svg element */
	size_t size;
	unsigned width, height;
};

/* Take apart a stream of pictures, one after another. Returns how many there are, at most max; -1
 * when it is no such stream. They point into the text. */
int lm_svg_split(const char *text, size_t size, struct lm_svg *out, size_t max);

/*
 * The inside of a picture: ids and references to them begin with prefix, so that those of several
 * pictures differ; lines and text that were black are in the colour of the text around, and
 * colours of charts are those of the page's variables --c1 to --c8, --grid and --rest, where it
 * has them.
 */
void lm_svg_inside(const struct lm_svg *svg, const char *prefix, FILE *out);

#endif
