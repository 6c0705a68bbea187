/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a task by job kind: a bar a set, lying, its kinds one after another. */
#include <string.h>

#include "formats/gnuplot.h"
#include "formats/gnuplot_axis.h"
#include "formats/gnuplot_key.h"

#define NAME_MOST 20

static size_t shown_of(const struct lm_kind_chart *chart)
{
	/* one kind more takes no more room than "1 other kind" */
	return chart->kind_count <= LM_KINDS_SHOWN + 1 ? chart->kind_count : LM_KINDS_SHOWN;
}

static const char *colour_of(size_t shown, size_t i)
{
	return i < shown ? lm_gnuplot_colour(i) : LM_REST_COLOUR;
}

/* Where a piece of a bar ends. */
static double end_of(const struct lm_kind_bar *bar, size_t count)
{
	double s = 0;

	for (size_t i = 0; i < count; i++)
		s += bar->seconds[i];
	return s;
}

static void piece_data(const struct lm_kind_chart *chart, size_t first, size_t last, FILE *out)
{
	fprintf(out, "$k%zu << EOD\n", first);
	for (size_t i = 0; i < chart->bar_count; i++) {
		double from = end_of(&chart->bars[i], first), to = end_of(&chart->bars[i], last);

		fprintf(out, "%.9g %zu %.9g %.9g %.1f %.1f\n", from, i, from, to, (double)i - 0.34,
			(double)i + 0.34);
	}
	fputs("EOD\n", out);
}

static void set_bars(const struct lm_kind_chart *chart, FILE *out)
{
	char name[4 * NAME_MOST + 8];

	fprintf(out, "set yrange [%.1f:-0.5] noextend\nset ytics nomirror scale 0 (",
		(double)chart->bar_count - 0.5);
	for (size_t i = 0; i < chart->bar_count; i++) {
		fputs(i ? ", " : "", out);
		lm_key_shorten(chart->bars[i].label, NAME_MOST, name, sizeof(name));
		lm_key_quote(out, name, true); /* names of ticks are formats */
		fprintf(out, " %zu", i);
	}
	fputs(")\n", out);
}

static double longest(const struct lm_kind_chart *chart)
{
	double most = 0;

	for (size_t i = 0; i < chart->bar_count; i++)
		most = chart->bars[i].total > most ? chart->bars[i].total : most;
	return most;
}

static void set_terminal(const struct lm_kind_chart *chart, const struct lm_key *key, FILE *out)
{
	fprintf(out,
		"reset\nset encoding utf8\n"
		"set term svg size 480,%zu font 'sans-serif,13' noenhanced\n",
		88 + 34 * chart->bar_count + 19 * key->rows);
	fputs("set border 3 lw 1\nset grid xtics lt 1 lw 0.7 lc rgb '" LM_GRID_COLOUR "'\n"
	      "set xlabel 'time of a task (s)' offset 0,0.5\n",
	      out);
}

static void plot_pieces(const struct lm_kind_chart *chart, size_t shown, const struct lm_key *key,
			FILE *out)
{
	char rest[64];

	snprintf(rest, sizeof(rest), "%zu other kinds", chart->kind_count - shown);
	fputs("plot NaN notitle", out);
	for (size_t i = 0; i < shown + (shown < chart->kind_count); i++) {
		fprintf(out,
			", \\\n $k%zu using 1:2:3:4:5:6 with boxxyerror fs solid 0.85 noborder lc "
			"rgb '%s'",
			i, colour_of(shown, i));
		lm_key_title(key, i, i < shown ? chart->kinds[i] : rest, out);
	}
	fputs("\nunset output\n", out);
}

void lm_gnuplot_kinds(const struct lm_kind_chart *chart, FILE *out)
{
	size_t shown = shown_of(chart);
	struct lm_axis x = lm_axis_to(longest(chart));
	struct lm_key key = { 0 };

	lm_key_of_texts(chart->kinds, shown, 56, &key);
	key.rows += shown < chart->kind_count; /* at most one more */
	set_terminal(chart, &key, out);
	lm_key_place(&key, out);
	lm_axis_print(&x, 'x', out);
	set_bars(chart, out);
	for (size_t i = 0; i < shown; i++)
		piece_data(chart, i, i + 1, out);
	if (shown < chart->kind_count)
		piece_data(chart, shown, chart->kind_count, out);
	plot_pieces(chart, shown, &key, out);
}
