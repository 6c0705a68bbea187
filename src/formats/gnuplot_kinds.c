/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a task by job kind: a bar a set, lying, its kinds one after another. */
#include <stdlib.h>

#include "formats/gnuplot_axis.h"
#include "formats/gnuplot_canvas.h"
#include "formats/gnuplot_key.h"

/* Characters that gnuplot draws rows of, but for the one that stands for all other kinds. */
#define ROWS_TOLD_APART 5

static size_t shown_of(const struct lm_kind_chart *chart, const struct lm_look *look)
{
	size_t most = look->drawing == LM_DRAW_TEXT ? ROWS_TOLD_APART : LM_KINDS_SHOWN;

	/* one kind more takes no more room than "1 other kind" */
	return chart->kind_count <= most + 1 ? chart->kind_count : most;
}

static const char *colour_of(const struct lm_look *look, size_t shown, size_t i)
{
	return i < shown ? lm_canvas_colour(look, i) : LM_REST_COLOUR;
}

/* Where a piece of a bar ends. */
static double end_of(const struct lm_kind_bar *bar, size_t count)
{
	double s = 0;

	for (size_t i = 0; i < count; i++)
		s += bar->seconds[i];
	return s;
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* A box; in the terminal, which cannot fill one, a row of characters, of nothing no row. */
static void piece(double from, double to, size_t bar, bool text, FILE *out)
{
	if (!text)
		fprintf(out, "%.9g %zu %.9g %.9g %.1f %.1f\n", from, bar, from, to,
			(double)bar - 0.34, (double)bar + 0.34);
	else if (to > from)
		fprintf(out, "%.9g %zu\n%.9g %zu\n\n", from, bar, to, bar);
}

/* Of the kinds from first up to, but not including, last in all bars. */
static void piece_data(const struct lm_kind_chart *chart, const struct lm_look *look, size_t first,
		       size_t last, FILE *out)
{
	fprintf(out, "$k%zu << EOD\n", first);
	for (size_t i = 0; i < chart->bar_count; i++)
		piece(end_of(&chart->bars[i], first), end_of(&chart->bars[i], last), i,
		      look->drawing == LM_DRAW_TEXT, out);
	fputs("EOD\n", out);
}

static void all_data(const struct lm_kind_chart *chart, const struct lm_look *look, size_t shown,
		     FILE *out)
{
	for (size_t i = 0; i < shown; i++)
		piece_data(chart, look, i, i + 1, out);
	if (shown < chart->kind_count)
		piece_data(chart, look, shown, chart->kind_count, out);
}

static void plot_pieces(const struct lm_kind_chart *chart, const struct lm_look *look, size_t shown,
			const struct lm_key *key, const char *rest, FILE *out)
{
	const char *how = look->drawing == LM_DRAW_TEXT
				  ? "using 1:2 with lines"
				  : "using 1:2:3:4:5:6 with boxxyerror fs solid 0.85 noborder";

	fputs("plot NaN notitle", out);
	for (size_t i = 0; i < shown + (shown < chart->kind_count); i++) {
		fprintf(out, ", \\\n $k%zu %s lc rgb '%s'", i, how, colour_of(look, shown, i));
		lm_key_title(key, i, i < shown ? chart->kinds[i] : rest, out);
	}
	fputs("\nunset output\n", out);
}

/* --- around them ------------------------------------------------------------------------------ */

static void key_of_kinds(const struct lm_kind_chart *chart, size_t shown, const char *rest,
			 size_t characters, struct lm_key *key)
{
	const char *texts[LM_KINDS_SHOWN + 2];
	size_t n = 0;

	for (; n < shown; n++)
		texts[n] = chart->kinds[n];
	if (shown < chart->kind_count)
		texts[n++] = rest;
	lm_key_of_texts(texts, n, characters, key);
}

/* Names of the sets take a third of the picture at most. */
static void set_names(const struct lm_kind_chart *chart, size_t characters, FILE *out)
{
	const char **labels = calloc(chart->bar_count + 1, sizeof(*labels));
	struct lm_key names = { 0 };
	char name[LM_KEY_SPACE];

	for (size_t i = 0; labels && i < chart->bar_count; i++)
		labels[i] = chart->bars[i].label;
	lm_key_of_texts(labels, labels ? chart->bar_count : 0, characters / 3, &names);
	fprintf(out, "set yrange [%.1f:-0.5] noextend\nset ytics nomirror scale 0 (",
		(double)chart->bar_count - 0.5);
	for (size_t i = 0; i < chart->bar_count; i++) {
		fputs(i ? ", " : "", out);
		lm_key_name(&names, i, chart->bars[i].label, name, sizeof(name));
		lm_key_quote(out, name, true); /* names of ticks are formats */
		fprintf(out, " %zu", i);
	}
	fputs(")\n", out);
	free(labels);
}

static double longest(const struct lm_kind_chart *chart)
{
	double most = 0;

	for (size_t i = 0; i < chart->bar_count; i++)
		most = chart->bars[i].total > most ? chart->bars[i].total : most;
	return most;
}

static void set_frame(const struct lm_kind_chart *chart, const struct lm_look *look, FILE *out)
{
	if (look->drawing == LM_DRAW_TEXT)
		fputs("set border 3\n", out);
	else
		fputs("set border 3 lw 1\nset grid xtics lt 1 lw 0.7 lc rgb '" LM_GRID_COLOUR "'\n",
		      out);
	lm_canvas_foot(look, "time of a task (s)", out);
	if (look->inlaid)
		return;
	fputs("set title ", out);
	lm_gnuplot_text(out, chart->workload[0] ? chart->workload : "results", 30);
	fprintf(out, ".': time of a task by job kind at %u %s'\n", chart->tasks,
		chart->tasks == 1 ? "task" : "tasks");
}

void lm_gnuplot_kinds(const struct lm_kind_chart *chart, const struct lm_look *look, FILE *out)
{
	struct lm_canvas canvas = lm_canvas_of_bars(look, chart->bar_count);
	struct lm_axis x = lm_axis_to(longest(chart), canvas.characters);
	struct lm_key key = { .boxes = true };
	size_t shown = shown_of(chart, look);
	char rest[64];

	snprintf(rest, sizeof(rest), "%zu other kinds", chart->kind_count - shown);
	key_of_kinds(chart, shown, rest, canvas.characters, &key);
	lm_canvas_print(&canvas, look, key.rows, out);
	set_frame(chart, look, out);
	lm_key_place(&key, look, out);
	lm_axis_print(&x, 'x', out);
	set_names(chart, canvas.characters, out);
	all_data(chart, look, shown, out);
	plot_pieces(chart, look, shown, &key, rest, out);
}
