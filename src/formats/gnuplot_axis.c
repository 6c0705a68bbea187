/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/gnuplot_axis.h"

#include <math.h>

#define MOST_TICKS 8
#define TICK_GAP   1   /* characters between the texts of two ticks */
#define TERSE_FROM 1e7 /* larger numbers are written with an exponent */

/* The smallest of 1, 2, 5, 10, 20, ... (times a power of ten) that is not below x. */
static double nice(double x)
{
	double ten = pow(10, floor(log10(x)));
	static const double steps[] = { 1, 2, 5, 10 };

	for (int i = 0; i < 4; i++)
		if (steps[i] * ten >= x * (1 - 1e-9))
			return steps[i] * ten;
	return 10 * ten;
}

static void tick_linear(struct lm_axis *a, int most)
{
	a->step = nice((a->to - a->from) / most);
	a->decimals = a->step < 1 ? (int)ceil(-log10(a->step) - 1e-9) : 0;
	if (a->log && a->from < 1)
		a->decimals = (int)fmin(6, ceil(-log10(a->from)));
}

/* Powers of a power of the base. */
static void tick_log(struct lm_axis *a, double base, int most)
{
	double decades = log(a->to / a->from) / log(base);

	a->step = pow(base, fmax(1, ceil(decades / most)));
	a->decimals = a->from < 1 ? (int)fmin(6, ceil(-log10(a->from))) : 0;
}

static double intervals(const struct lm_axis *a)
{
	return a->log ? log(a->to / a->from) / log(a->step) : (a->to - a->from) / a->step;
}

/* What a tick and its gap take of a lying axis, in characters. */
static double tick_width(const struct lm_axis *a)
{
	double digits = a->to >= 10 ? floor(log10(a->to)) + 1 : 1;

	if (a->to >= TERSE_FROM)
		return 8 + TICK_GAP;
	return digits + (a->decimals ? a->decimals + 1 : 0) + TICK_GAP;
}

/* Ticks of a lying axis: their texts stand beside each other. Names on the left and the edges take
 * a quarter of the picture. */
static void tick_lying(struct lm_axis *a, size_t characters)
{
	int most = MOST_TICKS;

	do {
		if (a->log)
			tick_log(a, 2, most);
		else
			tick_linear(a, most);
	} while (most-- > 2 && intervals(a) * tick_width(a) > 0.75 * (double)characters);
}

/* What the user asked for; the axis always has a length. */
static void take_span(struct lm_axis *a, const struct lm_span *span)
{
	if (!isnan(span->from))
		a->from = span->from;
	if (!isnan(span->to))
		a->to = span->to;
	if (a->from < a->to)
		return;
	if (isnan(span->to))
		a->to = a->log ? a->from * 2 : a->from + 1;
	else
		a->from = a->log ? a->to / 2 : a->to - 1;
}

/* --- tasks ------------------------------------------------------------------------------------ */

static void bounds_of_tasks(const struct lm_chart *chart, double *low, double *high)
{
	*low = INFINITY;
	*high = 0;
	for (size_t i = 0; i < chart->line_count; i++)
		for (size_t k = 0; k < chart->lines[i].count; k++) {
			*low = fmin(*low, chart->lines[i].points[k].tasks);
			*high = fmax(*high, chart->lines[i].points[k].tasks);
		}
	if (*low > *high)
		*low = *high = 1;
}

struct lm_axis lm_axis_of_tasks(const struct lm_chart *chart, const struct lm_look *look,
				size_t characters)
{
	struct lm_axis a = { 0 };
	double low, high;

	bounds_of_tasks(chart, &low, &high);
	a.log = look->log == LM_LOG_X || look->log == LM_LOG_XY ||
		(look->log == LM_LOG_AUTO && high > 16 * low && low > 0 && !(look->x.from <= 0));
	if (a.log) {
		double edge = low == high ? 2 : pow(high / low, 0.04);

		a.from = low / edge;
		a.to = high * edge;
	} else {
		double edge = low == high ? 1 : (high - low) * 0.04;

		a.from = fmax(0, low - edge);
		a.to = high + edge;
	}
	take_span(&a, &look->x);
	tick_lying(&a, characters);
	a.step = fmax(1, a.step);
	a.decimals = 0;
	return a;
}

/* --- figures ---------------------------------------------------------------------------------- */

static void bounds_of_figure(const struct lm_chart *chart, double *low, double *high)
{
	*low = INFINITY; /* of what is above 0 */
	*high = 0;
	for (size_t i = 0; i < chart->line_count; i++)
		for (size_t k = 0; k < chart->lines[i].count; k++) {
			const struct lm_stat *y = &chart->lines[i].points[k].y;

			if (y->n == 0)
				continue;
			*high = fmax(*high, y->max);
			if (y->min > 0)
				*low = fmin(*low, y->min);
		}
	if (*low > *high)
		*low = *high = 1;
}

static struct lm_axis axis_to(double most)
{
	return (struct lm_axis){ .to = most > 0 ? most * 1.05 : 1 };
}

struct lm_axis lm_axis_to(double most, size_t characters)
{
	struct lm_axis a = axis_to(most);

	tick_lying(&a, characters);
	return a;
}

struct lm_axis lm_axis_of_figure(const struct lm_chart *chart, const struct lm_look *look)
{
	struct lm_axis a = { 0 };
	double low, high;

	bounds_of_figure(chart, &low, &high);
	if (look->log == LM_LOG_Y || look->log == LM_LOG_XY)
		a = (struct lm_axis){ .from = low / 1.25, .to = high * 1.25, .log = true };
	else
		a = axis_to(chart->figure == LM_FIG_JTI ? 100 : high);
	take_span(&a, &look->y);
	a.is_short = a.log && a.to / a.from < 100;
	if (a.log && !a.is_short)
		tick_log(&a, 10, MOST_TICKS);
	else
		tick_linear(&a, MOST_TICKS);
	return a;
}

/* --- printing --------------------------------------------------------------------------------- */

/* The next tick of a logarithmic axis; ticks of a short one come closer below its first step. */
static double next_tick(const struct lm_axis *a, double tick)
{
	if (!a->is_short)
		return tick * a->step;
	return tick < a->step * (1 - 1e-9) ? fmin(a->step, tick * 2) : tick + a->step;
}

static double first_tick(const struct lm_axis *a)
{
	if (!a->is_short)
		return pow(a->step, ceil(log(a->from) / log(a->step) - 1e-9));
	return a->from < a->step ? nice(a->from) : ceil(a->from / a->step - 1e-9) * a->step;
}

/* gnuplot's own steps are multiples on a logarithmic axis, too. */
static void print_ticks(const struct lm_axis *a, char name, FILE *out)
{
	double tick = first_tick(a);

	fprintf(out, "set %ctics nomirror scale 0.5 (%.12g", name, tick);
	while ((tick = next_tick(a, tick)) <= a->to * (1 + 1e-9))
		fprintf(out, ", %.12g", tick);
	fputs(")\n", out);
}

void lm_axis_print(const struct lm_axis *a, char name, FILE *out)
{
	fprintf(out, "set %crange [%.12g:%.12g] noextend\n", name, a->from, a->to);
	fprintf(out, "%s logscale %c\n", a->log ? "set" : "unset", name);
	if (a->log)
		print_ticks(a, name, out);
	else
		fprintf(out, "set %ctics nomirror scale 0.5 %.12g\n", name, a->step);
	if (a->to >= TERSE_FROM)
		fprintf(out, "set format %c '%%.3g'\n", name);
	else
		fprintf(out, "set format %c '%%.%df'\n", name, a->decimals);
}
