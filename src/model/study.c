/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/study.h"

#include "model/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What the two have not in common is kept, if the study may have gaps. */
static int compare(const struct lm_study *study, const struct lm_set *now, struct lm_contrast *out,
		   struct lm_error *err)
{
	struct lm_error why = { 0 };

	if (lm_compare(&study->sets[0], now, &out->comparisons, &why) == 0)
		return 0;
	if (!study->gaps || why.code != LM_ERR_INPUT) {
		if (err && !err->code)
			*err = why;
		return -1;
	}
	lm_comparisons_free(&out->comparisons);
	snprintf(out->missing, sizeof(out->missing), "%s", why.text);
	return 0;
}

int lm_study_make(struct lm_study *study, struct lm_error *err)
{
	size_t count = study->set_count - 1;

	study->contrasts = calloc(count ? count : 1, sizeof(*study->contrasts));
	if (!study->contrasts)
		return lm_error_sys(err, "a comparison");
	for (size_t i = 0; i < count; i++) {
		struct lm_contrast *c = &study->contrasts[i];

		if (compare(study, &study->sets[i + 1], c, err) < 0 ||
		    lm_differ(&study->sets[0], &study->sets[i + 1], &c->differences, err) < 0)
			return -1;
	}
	return 0;
}

void lm_study_free(struct lm_study *study)
{
	for (size_t i = 0; study->contrasts && i + 1 < study->set_count; i++) {
		lm_comparisons_free(&study->contrasts[i].comparisons);
		lm_differences_free(&study->contrasts[i].differences);
	}
	free(study->contrasts);
	study->contrasts = NULL;
}

bool lm_cell_knows(const struct lm_cell *cell, enum lm_figure figure)
{
	return cell->known & 1u << figure;
}

static bool is_significant(const struct lm_cell *cell, enum lm_figure figure)
{
	return lm_cell_knows(cell, figure) && cell->figures[figure].significant;
}

bool lm_study_blames(const struct lm_study *study, const struct lm_cell *cell)
{
	if (cell->blame.count == 0 || study->blame == LM_BLAME_NEVER)
		return false;
	return study->blame == LM_BLAME_ALWAYS || is_significant(cell, LM_FIG_REAL) ||
	       is_significant(cell, LM_FIG_JOBS_PER_MIN);
}

static double moved(const struct lm_cell *cell)
{
	const struct lm_blame *b = &cell->blame;

	return b->base_s > 0 ? fabs(b->change_s) / b->base_s : fabs(b->change_s);
}

const struct lm_cell *lm_study_blamed_most(const struct lm_study *study,
					   const struct lm_comparison *c)
{
	const struct lm_cell *most = NULL;

	for (size_t i = 0; i < c->count; i++)
		if (lm_study_blames(study, &c->cells[i]) &&
		    (!most || moved(&c->cells[i]) > moved(most)))
			most = &c->cells[i];
	return most;
}

bool lm_comparison_single(const struct lm_comparison *c)
{
	for (size_t i = 0; i < c->count; i++)
		for (enum lm_figure f = 0; f < LM_FIGURES; f++)
			if (lm_cell_knows(&c->cells[i], f) && !isnan(c->cells[i].figures[f].p))
				return false;
	return true;
}

/* --- the verdict ----------------------------------------------------------------------------- */

/* The cell that a sentence is made of. */
struct finding {
	const struct lm_comparison *comparison;
	const struct lm_cell *cell;
	size_t cells, repeated, significant; /* seen, with an idea of the noise, with a change */
};

static void look_at(struct finding *f, const struct lm_comparison *c, const struct lm_cell *cell,
		    enum lm_figure figure)
{
	const struct lm_change *change = &cell->figures[figure];
	bool significant = is_significant(cell, figure);

	if (!lm_cell_knows(cell, figure) || isnan(change->percent))
		return;
	f->cells++;
	f->repeated += isnan(change->p) ? 0 : 1;
	f->significant += significant;
	if (f->cell) {
		const struct lm_change *best = &f->cell->figures[figure];

		if (best->significant > significant)
			return;
		if (best->significant == significant &&
		    fabs(best->percent) >= fabs(change->percent))
			return;
	}
	f->comparison = c;
	f->cell = cell;
}

static struct finding find(const struct lm_study *study, enum lm_figure figure)
{
	struct finding f = { 0 };

	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_comparisons *all = &study->contrasts[i].comparisons;

		for (size_t k = 0; k < all->count; k++)
			for (size_t n = 0; n < all->items[k].count; n++)
				look_at(&f, &all->items[k], &all->items[k].cells[n], figure);
	}
	return f;
}

void lm_study_verdict(const struct lm_study *study, char *buf, size_t size)
{
	enum lm_figure figure = study->figure_count ? study->figures[0] : LM_FIG_JOBS_PER_MIN;
	const struct lm_figure_info *info = lm_figure_info(figure);
	struct finding f = find(study, figure);
	const struct lm_change *change = f.cell ? &f.cell->figures[figure] : NULL;
	char where[512];

	if (!change) {
		snprintf(buf, size, "There is no %s on both sides.", info->title);
		return;
	}
	snprintf(where, sizeof(where), "%s%s%.200s at %u %s: %s %+.1f %%", f.comparison->workload,
		 f.comparison->workload[0] ? ", " : "", f.comparison->now->label, f.cell->tasks,
		 f.cell->tasks == 1 ? "task" : "tasks", info->title, change->percent);
	if (f.significant)
		snprintf(buf, size,
			 "%s: %s. %zu of %zu comparisons of %s show a significant change.",
			 change->worse ? "Worse" : "Better", where, f.significant, f.cells,
			 info->title);
	else if (f.repeated)
		snprintf(buf, size,
			 "No significant change of %s in %zu comparisons. The largest is %s.",
			 info->title, f.cells, where);
	else
		snprintf(buf, size,
			 "Single runs: whether a change is more than noise cannot be told. The "
			 "largest is %s.",
			 where);
}
