/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gnuplot_axis.h"
#include "formats/gnuplot_canvas.h"
#include "formats/gnuplot_key.h"
#include "model/figures.h"

/* What tells lines apart without colour: filled shapes, then open ones; whole lines, then dashes.
 */
static const int shapes[LM_COLOURS] = { 7, 5, 9, 11, 13, 6, 4, 8 };

#define DASHES 5

/* --- what all pictures share ------------------------------------------------------------------ */

static void set_frame(const struct lm_look *look, FILE *out)
{
	if (look->drawing == LM_DRAW_TEXT) {
		fputs("set border 3\n", out);
		return;
	}
	fputs("set border 3 lw 1\nset grid xtics ytics lt 1 lw 0.7 lc rgb '" LM_GRID_COLOUR "'\n",
	      out);
}

static void set_names(const struct lm_look *look, const struct lm_figure_info *info, FILE *out)
{
	lm_canvas_foot(look, "tasks", out);
	fprintf(out, strcmp(info->unit, "s") == 0 ? "set ylabel '%s (s)'\n" : "set ylabel '%s'\n",
		info->title);
}

static bool line_has_repeats(const struct lm_chart_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->points[i].y.n > 1)
			return true;
	return false;
}

static bool has_repeats(const struct lm_chart *chart)
{
	for (size_t i = 0; i < chart->line_count; i++)
		if (line_has_repeats(&chart->lines[i]))
			return true;
	return false;
}

static void set_title(const struct lm_chart *chart, const struct lm_look *look, FILE *out)
{
	fputs("set title ", out);
	lm_gnuplot_text(out, chart->workload[0] ? chart->workload : "results", 30);
	fprintf(out, ".': %s%s'\n", lm_figure_info(chart->figure)->title,
		has_repeats(chart) && look->drawing != LM_DRAW_TEXT
			? " (bars: least and most of the repeats)"
			: "");
}

/* --- lines over tasks ------------------------------------------------------------------------- */

/* A load without a figure parts the line. */
static void point_data(FILE *out, double x, const struct lm_stat *y)
{
	if (y->n == 0)
		fprintf(out, "%.12g NaN\n", x);
	else
		fprintf(out, "%.12g %.12g\n", x, y->mean);
}

/* From the least to the most of repeats: pieces of line, which take less room than error bars. */
static void bar_piece(FILE *out, double x, const struct lm_stat *y)
{
	if (y->n > 1)
		fprintf(out, "%.12g %.12g\n%.12g %.12g\n\n", x, y->min, x, y->max);
}

static void line_data(const struct lm_chart *chart, FILE *out)
{
	for (size_t i = 0; i < chart->line_count; i++) {
		fprintf(out, "$d%zu << EOD\n", i);
		for (size_t k = 0; k < chart->lines[i].count; k++)
			point_data(out, chart->lines[i].points[k].tasks,
				   &chart->lines[i].points[k].y);
		fprintf(out, "EOD\n$e%zu << EOD\n", i);
		for (size_t k = 0; k < chart->lines[i].count; k++)
			bar_piece(out, chart->lines[i].points[k].tasks,
				  &chart->lines[i].points[k].y);
		fputs("EOD\n", out);
	}
}

/* INVALID steps stand at the foot of the picture, a row a line: they have no height. */
static void invalid_mark(FILE *out, double x, const struct lm_chart_line *line,
			 const struct lm_look *look)
{
	fprintf(out, "set label '' at first %.12g, graph %.3f point pt 2 ps 1.1 lw 2 lc rgb '%s'\n",
		x, 0.03 + 0.04 * (double)(line->set % LM_COLOURS),
		lm_canvas_colour(look, line->set));
}

static void line_marks(const struct lm_chart *chart, const struct lm_look *look, FILE *out)
{
	for (size_t i = 0; i < chart->line_count; i++)
		for (size_t k = 0; k < chart->lines[i].count; k++)
			if (chart->lines[i].points[k].invalid)
				invalid_mark(out, chart->lines[i].points[k].tasks, &chart->lines[i],
					     look);
}

static void line_style(const struct lm_look *look, const struct lm_chart_line *line, FILE *out)
{
	static const char *const names[] = { [LM_STYLE_LINESPOINTS] = "linespoints",
					     [LM_STYLE_LINES] = "lines",
					     [LM_STYLE_POINTS] = "points" };
	/* so many symbols that they would hide the line are thinned out */
	size_t every = line->count > 24 ? line->count / 12 : 1;

	fprintf(out, "with %s lc rgb '%s'", names[look->style], lm_canvas_colour(look, line->set));
	if (look->style != LM_STYLE_POINTS)
		fprintf(out, " lw 1.6 dt %zu", line->set % DASHES + 1);
	if (look->style != LM_STYLE_LINES)
		fprintf(out, " pt %d ps 0.9", shapes[line->set % LM_COLOURS]);
	if (look->style == LM_STYLE_LINESPOINTS)
		fprintf(out, " pointinterval %zu", every);
}

static void plot_lines(const struct lm_chart *chart, const struct lm_look *look,
		       const struct lm_key *key, FILE *out)
{
	for (size_t i = 0; i < chart->line_count; i++) {
		const struct lm_chart_line *line = &chart->lines[i];

		fprintf(out, ", \\\n $d%zu using 1:2 ", i);
		line_style(look, line, out);
		lm_key_title(key, i, line->label, out);
		if (line_has_repeats(line) && look->drawing != LM_DRAW_TEXT)
			fprintf(out,
				", \\\n $e%zu using 1:2 with lines lw 1.2 dt 1 lc rgb '%s' notitle",
				i, lm_gnuplot_colour(line->set));
	}
}

/* --- bars side by side ------------------------------------------------------------------------ */

/* Every how many loads a name fits under the axis. */
static size_t name_every(size_t loads)
{
	return loads / 16 + 1;
}

static void bar_names(const unsigned *loads, size_t n, FILE *out)
{
	fprintf(out,
		"unset logscale x\nset xrange [-0.6:%.1f] noextend\nset xtics nomirror scale 0 (",
		(double)n - 0.4);
	for (size_t i = 0; i < n; i += name_every(n))
		fprintf(out, "%s'%u' %zu", i ? ", " : "", loads[i], i);
	fputs(")\n", out);
}

static double bar_place(const struct lm_chart *chart, size_t line, size_t load)
{
	return (double)load + 0.8 * (((double)line + 0.5) / (double)chart->line_count - 0.5);
}

static void bar_data(const struct lm_chart *chart, const unsigned *loads, size_t n, FILE *out)
{
	for (size_t i = 0; i < chart->line_count; i++) {
		fprintf(out, "$d%zu << EOD\n", i);
		for (size_t k = 0; k < n; k++) {
			const struct lm_chart_point *p = lm_chart_find(&chart->lines[i], loads[k]);

			if (p)
				point_data(out, bar_place(chart, i, k), &p->y);
		}
		fprintf(out, "EOD\n$e%zu << EOD\n", i);
		for (size_t k = 0; k < n; k++) {
			const struct lm_chart_point *p = lm_chart_find(&chart->lines[i], loads[k]);

			if (p)
				bar_piece(out, bar_place(chart, i, k), &p->y);
		}
		fputs("EOD\n", out);
	}
}

static void bar_marks(const struct lm_chart *chart, const struct lm_look *look,
		      const unsigned *loads, size_t n, FILE *out)
{
	for (size_t i = 0; i < chart->line_count; i++)
		for (size_t k = 0; k < n; k++) {
			const struct lm_chart_point *p = lm_chart_find(&chart->lines[i], loads[k]);

			if (p && p->invalid)
				invalid_mark(out, bar_place(chart, i, k), &chart->lines[i], look);
		}
}

static void plot_bars(const struct lm_chart *chart, const struct lm_look *look,
		      const struct lm_key *key, FILE *out)
{
	for (size_t i = 0; i < chart->line_count; i++) {
		const struct lm_chart_line *line = &chart->lines[i];

		fprintf(out, ", \\\n $d%zu using 1:2 with boxes lc rgb '%s' fs solid 0.85 noborder",
			i, lm_canvas_colour(look, line->set));
		lm_key_title(key, i, line->label, out);
		if (line_has_repeats(line) && look->drawing != LM_DRAW_TEXT)
			fprintf(out,
				", \\\n $e%zu using 1:2 with lines lw 1.2 dt 1 lc rgb 'black' "
				"notitle",
				i);
	}
}

/* --- one picture ------------------------------------------------------------------------------ */

static void plot_extras(const struct lm_chart *chart, const struct lm_look *look,
			const struct lm_key *key, FILE *out)
{
	if (key->crossover)
		fprintf(out, ", \\\n %s with lines lw 1.4 dt 4 lc rgb '%s' title '%s'",
			chart->figure == LM_FIG_JOBS_PER_MIN ? "x" : "1", lm_canvas_black(look),
			LM_KEY_CROSSOVER);
	if (key->invalid)
		fprintf(out, ", \\\n NaN with points pt 2 ps 1.1 lw 2 lc rgb '%s' title '%s'",
			lm_canvas_black(look), LM_KEY_INVALID);
}

static int set_bars(const struct lm_chart *chart, const struct lm_look *look, FILE *out)
{
	size_t n;
	unsigned *loads = lm_chart_loads(chart, &n);

	if (!loads)
		return -1;
	bar_names(loads, n, out);
	bar_data(chart, loads, n, out);
	bar_marks(chart, look, loads, n, out);
	fprintf(out, "set boxwidth %.6g\n",
		0.8 / (double)(chart->line_count ? chart->line_count : 1));
	free(loads);
	return 0;
}

/* Everything of a panel but the terminal. */
static void panel(const struct lm_chart *chart, const struct lm_look *look,
		  const struct lm_key *key, FILE *out)
{
	struct lm_axis y = lm_axis_of_figure(chart, look);
	bool bars = look->style == LM_STYLE_BARS;

	set_frame(look, out);
	set_names(look, lm_figure_info(chart->figure), out);
	lm_axis_print(&y, 'y', out);
	if (bars && set_bars(chart, look, out) < 0)
		return;
	if (!bars) {
		struct lm_axis x = lm_axis_of_tasks(chart, look, key->characters);

		lm_axis_print(&x, 'x', out);
		line_data(chart, out);
		line_marks(chart, look, out);
	}
	fputs("plot NaN notitle", out);
	if (bars)
		plot_bars(chart, look, key, out);
	else
		plot_lines(chart, look, key, out);
	plot_extras(chart, look, key, out);
	fputc('\n', out);
}

void lm_gnuplot_chart(const struct lm_chart *chart, const struct lm_look *look, FILE *out)
{
	struct lm_canvas canvas = lm_canvas_of(look);
	struct lm_key key;

	lm_key_of_chart(chart, look->style == LM_STYLE_BARS, canvas.characters, &key);
	lm_canvas_print(&canvas, look, key.rows, out);
	if (!look->inlaid)
		set_title(chart, look, out);
	lm_key_place(&key, look, out);
	panel(chart, look, &key, out);
	fputs("unset output\n", out);
}

/* --- pages of PostScript ---------------------------------------------------------------------- */

/* The chart whose lines are all there are. */
static const struct lm_chart *fullest(const struct lm_gnuplot_page *page)
{
	size_t best = 0;

	for (size_t i = 1; i < page->count; i++)
		if (page->charts[i].line_count > page->charts[best].line_count)
			best = i;
	return &page->charts[best];
}

/* The sixth panel holds nothing but the legend. */
static void legend_panel(const struct lm_gnuplot_page *page, const struct lm_look *look,
			 const struct lm_key *key, FILE *out)
{
	struct lm_chart empty = *fullest(page);

	fputs("unset title\nunset border\nunset grid\nunset tics\nunset xlabel\nunset ylabel\n"
	      "unset label\nset key center center vertical maxcols 1 Left reverse\n"
	      "plot NaN notitle",
	      out);
	for (size_t i = 0; i < empty.line_count; i++) {
		fputs(", \\\n NaN ", out);
		line_style(look, &empty.lines[i], out);
		lm_key_title(key, i, empty.lines[i].label, out);
	}
	plot_extras(&empty, look, key, out);
	fputc('\n', out);
}

static void page_of(const struct lm_gnuplot_page *page, FILE *out)
{
	struct lm_look look = { .drawing = LM_DRAW_PS,
				.x = { NAN, NAN },
				.y = { NAN, NAN },
				.style = LM_STYLE_LINESPOINTS };
	struct lm_key key;

	lm_key_of_chart(fullest(page), false, 44, &key);
	fputs("set multiplot layout 3,2 title ", out);
	lm_gnuplot_text(out, page->title, 90);
	fputc('\n', out);
	for (size_t i = 0; i < page->count; i++) {
		struct lm_key own;

		lm_key_of_chart(&page->charts[i], false, 44, &own);
		key.crossover |= own.crossover;
		key.invalid |= own.invalid;
		fputs("unset key\nunset label\n", out);
		set_title(&page->charts[i], &look, out);
		panel(&page->charts[i], &look, &own, out);
	}
	legend_panel(page, &look, &key, out);
	fputs("unset multiplot\n", out);
}

void lm_gnuplot_pages(const struct lm_gnuplot_page *pages, size_t count, FILE *out)
{
	fputs("set encoding utf8\nset term postscript portrait color noenhanced 'Helvetica' 8\n",
	      out);
	for (size_t i = 0; i < count; i++) {
		fputs("reset\n", out);
		page_of(&pages[i], out);
	}
	fputs("unset output\n", out);
}
