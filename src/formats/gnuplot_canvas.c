/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/gnuplot_canvas.h"

/* After Okabe and Ito; their yellow is too light for white paper, so the last is darker. */
static const char *const colours[LM_COLOURS] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
						 "#56b4e9", "#e69f00", "#303030", "#807000" };

/* Of the few colours of terminals those that show on black and on white. */
static const char *const inks[] = {
	"#00ffff", "#ff0000", "#00ff00", "#ff00ff", "#5555ff", "#808080"
};

#define INKS (sizeof(inks) / sizeof(*inks))

const char *lm_gnuplot_colour(size_t i)
{
	return colours[i % LM_COLOURS];
}

const char *lm_canvas_colour(const struct lm_look *look, size_t i)
{
	return look->drawing == LM_DRAW_TEXT ? inks[i % INKS] : lm_gnuplot_colour(i);
}

const char *lm_canvas_black(const struct lm_look *look)
{
	return look->drawing == LM_DRAW_TEXT ? "#808080" : "black";
}

/* --- sizes ------------------------------------------------------------------------------------ */

static const struct lm_canvas canvases[] = {
	[LM_DRAW_SVG] = { 800, 500, 20, 96, 13 },
	[LM_DRAW_PNG] = { 960, 600, 20, 96, 11 },
	[LM_DRAW_PDF] = { 800, 500, 18, 104, 11 },
	[LM_DRAW_PS] = { 0, 0, 0, 100, 14 },
};

/* So narrow that a phone need not shrink its text much. */
static const struct lm_canvas inlaid = { 400, 270, 20, 45, 14 };

struct lm_canvas lm_canvas_of(const struct lm_look *look)
{
	if (look->drawing == LM_DRAW_TEXT)
		return (struct lm_canvas){ look->columns, look->rows, 0, look->columns, 0 };
	return look->inlaid ? inlaid : canvases[look->drawing];
}

/* What is above and below bars: title, ticks, name of the axis. */
static unsigned height_of_bars(const struct lm_look *look, size_t bars)
{
	unsigned n = bars < 1000 ? (unsigned)bars : 1000;

	if (look->drawing == LM_DRAW_TEXT)
		return 9 + 2 * n;
	if (look->inlaid)
		return 94 + 34 * n;
	return look->drawing == LM_DRAW_PNG ? 140 + 48 * n : 120 + 40 * n;
}

struct lm_canvas lm_canvas_of_bars(const struct lm_look *look, size_t bars)
{
	struct lm_canvas c = lm_canvas_of(look);

	if (c.height)
		c.height = height_of_bars(look, bars);
	if (look->drawing == LM_DRAW_TEXT)
		c.key_line = 1; /* bars need their rows; lines can do with fewer */
	return c;
}

/* --- printing --------------------------------------------------------------------------------- */

void lm_canvas_print(const struct lm_canvas *c, const struct lm_look *look, unsigned key_rows,
		     FILE *out)
{
	unsigned height = c->height + key_rows * c->key_line;

	fputs("reset\nset encoding utf8\n", out);
	switch (look->drawing) {
	case LM_DRAW_SVG:
		fprintf(out, "set term svg size %u,%u font 'sans-serif,%u' noenhanced%s\n",
			c->width, height, c->font, look->inlaid ? "" : " background '#ffffff'");
		break;
	case LM_DRAW_PNG:
		fprintf(out, "set term pngcairo size %u,%u font 'sans,%u' noenhanced\n", c->width,
			height, c->font);
		break;
	case LM_DRAW_PDF:
		fprintf(out, "set term pdfcairo size %.2fin,%.2fin font 'sans,%u' noenhanced\n",
			c->width / 100.0, height / 100.0, c->font);
		break;
	case LM_DRAW_PS:
		fprintf(out, "set term postscript landscape color noenhanced 'Helvetica' %u\n",
			c->font);
		break;
	case LM_DRAW_TEXT:
		fprintf(out, "set term dumb nofeed size %u,%u noenhanced %s\n", c->width, height,
			look->colour ? "ansi" : "mono");
		break;
	}
}

/* Near the ticks: what is below belongs to the legend. SVG leaves more between them. */
void lm_canvas_foot(const struct lm_look *look, const char *text, FILE *out)
{
	const char *offset = " offset 0,0.2";

	if (look->drawing == LM_DRAW_TEXT)
		offset = "";
	else if (look->drawing == LM_DRAW_SVG)
		offset = " offset 0,0.6";
	fprintf(out, "set xlabel '%s'%s\n", text, offset);
}
