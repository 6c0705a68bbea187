/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/likeness.h"

#include "model/figures.h"

#include <math.h>
#include <string.h>

static bool same_figures(const struct lm_record *a, const struct lm_record *b)
{
	bool any = false;

	for (enum lm_figure f = 0; f < LM_FIGURES; f++) {
		double x = lm_figure_value(a, f), y = lm_figure_value(b, f);

		if (!lm_figure_known(a, f) || !lm_figure_known(b, f))
			continue;
		any = true;
		if (fabs(x - y) > (a->grains[f] + b->grains[f]) / 2 + 1e-9 * fabs(x))
			return false;
	}
	return any && a->tasks == b->tasks;
}

static size_t next_valid(const struct lm_run *run, size_t i)
{
	while (i < run->count && !run->records[i].valid)
		i++;
	return i;
}

#define TO_THE_SECOND 19 /* letters of 2026-01-02T03:04:05; a zone may follow or not */

/* 1: the two times are one; -1: they are two; 0: one of them is not told. */
static int same_time(const char *a, const char *b)
{
	if (*a == '\0' || *b == '\0')
		return 0;
	return strncmp(a, b, TO_THE_SECOND) == 0 ? 1 : -1;
}

#define NOISE 0.01 /* of a figure; few machines repeat themselves better */

/* So many values a figure might as well have had, had it been measured another time. */
static double values_within(const struct lm_record *a, const struct lm_record *b, enum lm_figure f)
{
	double value = lm_figure_value(a, f), grain = fmax(a->grains[f], b->grains[f]);

	if (!lm_figure_known(a, f) || !lm_figure_known(b, f))
		return 1;
	return fmax(1, NOISE * value / fmax(grain, 1e-9));
}

/* One in so many would be like the other by chance. Real and CPU time are measured, whatever else
 * there is follows from them or has few digits. */
static double odds_of_chance(const struct lm_record *a, const struct lm_record *b)
{
	bool real = lm_figure_known(a, LM_FIG_REAL) && lm_figure_known(b, LM_FIG_REAL);

	return values_within(a, b, real ? LM_FIG_REAL : LM_FIG_JOBS_PER_MIN) *
	       values_within(a, b, LM_FIG_CPU);
}

/* What is known of two runs after some steps of both. */
struct likeness {
	bool told; /* that they were at the same time */
	double odds;
};

static bool same_step(const struct lm_record *a, const struct lm_record *b, struct likeness *l)
{
	int time = same_time(a->ended, b->ended);

	l->told = l->told || time > 0;
	l->odds *= odds_of_chance(a, b);
	return time >= 0 && same_figures(a, b);
}

#define NO_CHANCE 20

bool lm_run_same(const struct lm_run *a, const struct lm_run *b)
{
	size_t i = next_valid(a, 0), k = next_valid(b, 0);
	int time = same_time(a->started, b->started);
	struct likeness l = { .told = time > 0, .odds = 1 };

	if (time < 0 || i == a->count || k == b->count)
		return false;
	while (i < a->count && k < b->count) {
		if (!same_step(&a->records[i], &b->records[k], &l))
			return false;
		i = next_valid(a, i + 1);
		k = next_valid(b, k + 1);
	}
	return i == a->count && k == b->count && (l.told || l.odds >= NO_CHANCE);
}
