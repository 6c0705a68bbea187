/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a task by job kind. */
#include "model/chart.h"
#include "model/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool tells(const struct lm_record *r)
{
	return r->valid && r->kind_count > 0 && r->tasks > 0;
}

/* --- which load --------------------------------------------------------------------------------
 */

/* That of the first set that has a table of blame. */
static unsigned most_changed(const struct lm_study *study, const char *workload)
{
	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_comparisons *all = &study->contrasts[i].comparisons;

		for (size_t k = 0; k < all->count; k++) {
			const struct lm_comparison *c = &all->items[k];
			const struct lm_cell *most;

			if (c->kind || strcmp(c->workload, workload) != 0)
				continue;
			most = lm_study_blamed_most(study, c);
			if (most)
				return most->tasks;
		}
	}
	return 0;
}

unsigned lm_kind_chart_load(const struct lm_study *study, const char *workload)
{
	struct lm_walk walk = { .workload = workload,
				.unnamed = lm_walk_unnamed(study->sets, study->set_count) };
	unsigned tasks = most_changed(study, workload);
	const struct lm_record *r;

	if (tasks)
		return tasks;
	for (size_t i = 0; i < study->set_count; i++) {
		walk.set = &study->sets[i];
		walk.run = walk.step = 0;
		while ((r = lm_walk_next(&walk)) != NULL)
			if (tells(r) && r->tasks > tasks)
				tasks = r->tasks;
	}
	return tasks;
}

/* --- bars --------------------------------------------------------------------------------------
 */

static size_t find_kind(const struct lm_kind_chart *chart, const char *name)
{
	size_t i = 0;

	while (i < chart->kind_count && strcmp(chart->kinds[i], name) != 0)
		i++;
	return i;
}

/* Add to the list those kinds of a set that are not in it. -1 when memory ran out. */
static int collect(struct lm_walk walk, struct lm_kind_chart *chart)
{
	const struct lm_record *r;

	while ((r = lm_walk_next(&walk)) != NULL) {
		const char **more;

		if (!tells(r) || r->tasks != chart->tasks)
			continue;
		more = reallocarray(chart->kinds, chart->kind_count + r->kind_count, sizeof(*more));
		if (!more)
			return -1;
		chart->kinds = more;
		for (size_t i = 0; i < r->kind_count; i++)
			if (find_kind(chart, r->kinds[i].name) == chart->kind_count)
				more[chart->kind_count++] = r->kinds[i].name;
	}
	return 0;
}

/* 0, or -1 when memory ran out. */
static int make_bar(struct lm_walk walk, struct lm_kind_chart *chart)
{
	struct lm_kind_bar *bar = &chart->bars[chart->bar_count];
	const struct lm_record *r;

	bar->label = walk.set->label;
	bar->seconds = calloc(chart->kind_count + 1, sizeof(*bar->seconds));
	if (!bar->seconds)
		return -1;
	while ((r = lm_walk_next(&walk)) != NULL) {
		if (!tells(r) || r->tasks != chart->tasks)
			continue;
		bar->n++;
		for (size_t i = 0; i < r->kind_count; i++)
			bar->seconds[find_kind(chart, r->kinds[i].name)] +=
				r->kinds[i].elapsed_s / r->tasks;
	}
	for (size_t i = 0; bar->n && i < chart->kind_count; i++) {
		bar->seconds[i] /= (double)bar->n;
		bar->total += bar->seconds[i];
	}
	if (bar->n)
		chart->bar_count++;
	else
		free(bar->seconds);
	return 0;
}

/* --- order -------------------------------------------------------------------------------------
 */

static double longest(const struct lm_kind_chart *chart, size_t kind)
{
	double most = 0;

	for (size_t i = 0; i < chart->bar_count; i++)
		most = fmax(most, chart->bars[i].seconds[kind]);
	return most;
}

static void swap(struct lm_kind_chart *chart, size_t a, size_t b)
{
	const char *name = chart->kinds[a];

	chart->kinds[a] = chart->kinds[b];
	chart->kinds[b] = name;
	for (size_t i = 0; i < chart->bar_count; i++) {
		double s = chart->bars[i].seconds[a];

		chart->bars[i].seconds[a] = chart->bars[i].seconds[b];
		chart->bars[i].seconds[b] = s;
	}
}

static void sort_kinds(struct lm_kind_chart *chart)
{
	for (size_t i = 0; i < chart->kind_count; i++)
		for (size_t k = i; k > 0 && longest(chart, k) > longest(chart, k - 1); k--)
			swap(chart, k, k - 1);
}

int lm_kind_chart_make(const struct lm_set *sets, size_t count, const char *workload,
		       unsigned tasks, struct lm_kind_chart *out, struct lm_error *err)
{
	struct lm_walk walk = { .workload = workload, .unnamed = lm_walk_unnamed(sets, count) };
	int rc = 0;

	*out = (struct lm_kind_chart){ .workload = workload,
				       .tasks = tasks,
				       .bars = calloc(count + 1, sizeof(*out->bars)) };
	for (size_t i = 0; out->bars && rc == 0 && i < count; i++) {
		walk.set = &sets[i];
		rc = collect(walk, out);
	}
	for (size_t i = 0; out->bars && rc == 0 && i < count; i++) {
		walk.set = &sets[i];
		rc = make_bar(walk, out);
	}
	if (!out->bars || rc < 0)
		return lm_error_sys(err, "a chart");
	sort_kinds(out);
	return 0;
}

void lm_kind_chart_free(struct lm_kind_chart *chart)
{
	for (size_t i = 0; i < chart->bar_count; i++)
		free(chart->bars[i].seconds);
	free(chart->bars);
	free(chart->kinds);
	*chart = (struct lm_kind_chart){ 0 };
}
