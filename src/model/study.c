/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/study.h"

#include "model/figures.h"
#include "model/study_doubts.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- the study ---------------------------------------------------------------------------------
 */

static int make_contrast(const struct lm_study *study, const struct lm_set *now,
			 struct lm_contrast *c, struct lm_error *err)
{
	if (compare(study, now, c, err) < 0 ||
	    lm_differ(&study->sets[0], now, &c->differences, err) < 0)
		return -1;
	c->doubts = calloc(c->comparisons.count + 1, sizeof(*c->doubts));
	if (!c->doubts)
		return lm_error_sys(err, "a comparison");
	for (size_t i = 0; i < c->comparisons.count; i++)
		if (lm_study_doubt(study, c, i, &c->doubts[i], err) < 0)
			return -1;
	return lm_study_doubt_whole(c, err);
}

int lm_study_make(struct lm_study *study, struct lm_error *err)
{
	size_t count = study->set_count - 1;

	study->contrasts = calloc(count ? count : 1, sizeof(*study->contrasts));
	if (!study->contrasts)
		return lm_error_sys(err, "a comparison");
	for (size_t i = 0; i < count; i++)
		if (make_contrast(study, &study->sets[i + 1], &study->contrasts[i], err) < 0)
			return -1;
	return 0;
}

static void free_contrast(struct lm_contrast *c)
{
	for (size_t i = 0; c->doubts && i < c->comparisons.count; i++)
		lm_doubts_free(&c->doubts[i]);
	free(c->doubts);
	lm_doubts_free(&c->left_out);
	lm_comparisons_free(&c->comparisons);
	lm_differences_free(&c->differences);
}

void lm_study_free(struct lm_study *study)
{
	for (size_t i = 0; study->contrasts && i + 1 < study->set_count; i++)
		free_contrast(&study->contrasts[i]);
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
	size_t from_zero;                    /* of which a base of 0 leaves no change in percent */
};

/* What is certain counts more than what is large: a change in single runs may be noise alone. */
static int certainty(const struct lm_change *change)
{
	return change->significant ? 2 : isnan(change->p) ? 0 : 1;
}

static bool says_more(const struct lm_change *change, const struct lm_change *best)
{
	if (certainty(change) != certainty(best))
		return certainty(change) > certainty(best);
	return fabs(change->percent) > fabs(best->percent);
}

static void look_at(struct finding *f, const struct lm_comparison *c, const struct lm_cell *cell,
		    enum lm_figure figure)
{
	const struct lm_change *change = &cell->figures[figure];

	if (!lm_cell_knows(cell, figure))
		return;
	if (isnan(change->percent)) {
		f->from_zero++;
		return;
	}
	f->cells++;
	f->repeated += isnan(change->p) ? 0 : 1;
	f->significant += change->significant;
	if (f->cell && !says_more(change, &f->cell->figures[figure]))
		return;
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

/* The first comparison of unlike work. */
static const struct lm_comparison *unlike(const struct lm_study *study)
{
	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_comparisons *all = &study->contrasts[i].comparisons;

		for (size_t k = 0; k < all->count; k++)
			if (all->items[k].jobs_differ)
				return &all->items[k];
	}
	return NULL;
}

/* "fserver, 2.5.70 at 4 tasks: jobs/min -34.7 %" */
static void tell_where(const struct finding *f, enum lm_figure figure, char *buf, size_t size)
{
	char name[512];

	lm_comparison_name(f->comparison, name, sizeof(name));
	snprintf(buf, size, "%s%s%.200s at %u %s: %s %+.1f %%", name, name[0] ? ", " : "",
		 f->comparison->now->label, f->cell->tasks, f->cell->tasks == 1 ? "task" : "tasks",
		 lm_figure_info(figure)->title, f->cell->figures[figure].percent);
}

static void tell_finding(const struct finding *f, enum lm_figure figure, char *buf, size_t size)
{
	const char *title = lm_figure_info(figure)->title;
	const struct lm_change *change = &f->cell->figures[figure];
	char where[768], single[128] = "";

	tell_where(f, figure, where, sizeof(where));
	if (f->cells > f->repeated)
		snprintf(single, sizeof(single),
			 " %zu more %s single runs: whether they differ cannot be told.",
			 f->cells - f->repeated, f->cells - f->repeated == 1 ? "is of" : "are of");
	if (f->significant)
		snprintf(buf, size,
			 "%s: %s. %zu of %zu comparisons of %s show a significant change.%s",
			 change->worse ? "Worse" : "Better", where, f->significant, f->repeated,
			 title, single);
	else if (f->repeated)
		snprintf(buf, size,
			 "No significant change of %s in %zu %s. The largest is %s; there, changes "
			 "below %.1f %% are hidden by noise.%s",
			 title, f->repeated, f->repeated == 1 ? "comparison" : "comparisons", where,
			 change->mde, single);
	else
		snprintf(buf, size,
			 "Single runs: whether a change is more than noise cannot be told. The "
			 "largest is %s.",
			 where);
}

static void tell_nothing(const struct finding *f, enum lm_figure figure, char *buf, size_t size)
{
	const char *title = lm_figure_info(figure)->title;

	if (f->from_zero)
		snprintf(buf, size, "The base's %s is 0: there is no change in percent.", title);
	else
		snprintf(buf, size, "There is no %s on both sides.", title);
}

enum lm_figure lm_study_first_figure(const struct lm_study *study)
{
	return study->figure_count ? study->figures[0] : LM_FIG_JOBS_PER_MIN;
}

void lm_study_verdict(const struct lm_study *study, char *buf, size_t size)
{
	enum lm_figure figure = lm_study_first_figure(study);
	struct finding f = find(study, figure);
	const struct lm_comparison *other = unlike(study);
	size_t used;

	if (f.cell)
		tell_finding(&f, figure, buf, size);
	else
		tell_nothing(&f, figure, buf, size);
	used = strlen(buf);
	if (other && used + 2 < size) {
		buf[used] = ' ';
		lm_study_work(other, buf + used + 1, size - used - 1);
	}
}
