/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/study.h"

#include "model/figures.h"

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

/* --- doubts ------------------------------------------------------------------------------------
 */

static int doubt_loads(const char *what, const struct lm_loads *loads, struct lm_doubts *out,
		       struct lm_error *err)
{
	char *list = NULL;
	size_t size;
	FILE *f;
	int rc;

	if (loads->count == 0)
		return 0;
	f = open_memstream(&list, &size);
	for (size_t i = 0; f && i < loads->count; i++)
		fprintf(f, "%s%u", i ? ", " : "", loads->tasks[i]);
	if (!f || fclose(f) != 0) {
		free(list);
		return lm_error_sys(err, "a comparison");
	}
	rc = lm_doubts_add(out, err, "%s %s tasks.", what, list);
	free(list);
	return rc;
}

static int doubt_cells(const struct lm_comparison *c, struct lm_doubts *out, struct lm_error *err)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct lm_cell *cell = &c->cells[i];

		if ((cell->base_invalid || cell->now_invalid) &&
		    lm_doubts_add(out, err,
				  "At %u %s INVALID steps are left out: %u of the base, %u of "
				  "the new.",
				  cell->tasks, cell->tasks == 1 ? "task" : "tasks",
				  cell->base_invalid, cell->now_invalid) < 0)
			return -1;
	}
	return 0;
}

#define WARNINGS "warnings."

/* What may be hidden in noise before repeats are asked for, and what they are to show: percent. */
#define VISIBLE 5.0

/* The load whose noise hides the largest change of a figure. */
static const struct lm_cell *noisiest(const struct lm_comparison *c, enum lm_figure figure)
{
	const struct lm_cell *most = NULL;

	for (size_t i = 0; i < c->count; i++) {
		const struct lm_cell *cell = &c->cells[i];

		if (lm_cell_knows(cell, figure) && cell->figures[figure].mde > VISIBLE &&
		    (!most || cell->figures[figure].mde > most->figures[figure].mde))
			most = cell;
	}
	return most;
}

static enum lm_figure first_figure(const struct lm_study *study)
{
	return study->figure_count ? study->figures[0] : LM_FIG_JOBS_PER_MIN;
}

static int doubt_noise(const struct lm_study *study, const struct lm_comparison *c,
		       struct lm_doubts *out, struct lm_error *err)
{
	enum lm_figure figure = first_figure(study);
	const char *title = lm_figure_info(figure)->title;
	const struct lm_cell *cell = noisiest(c, figure);
	size_t repeats;

	if (c->count && lm_comparison_single(c))
		return lm_doubts_add(out, err,
				     c->kind ? "Single runs: nothing can be said about noise. "
					       "Several runs in files named together are "
					       "repeats: LABEL=FILE,FILE."
					     : "Single runs: nothing can be said about noise. "
					       "--repeat 5 gives repeats.");
	if (!cell)
		return 0;
	repeats = lm_repeats_needed(&cell->figures[figure], VISIBLE);
	if (repeats == SIZE_MAX)
		return lm_doubts_add(out, err,
				     "At %u %s changes of %s below %.1f %% are hidden: more "
				     "than 1000 repeats would be needed to see %g %%.",
				     cell->tasks, cell->tasks == 1 ? "task" : "tasks", title,
				     cell->figures[figure].mde, VISIBLE);
	return lm_doubts_add(out, err,
			     "At %u %s changes of %s below %.1f %% are hidden: with %zu "
			     "repeats on either side %g %% would be seen.",
			     cell->tasks, cell->tasks == 1 ? "task" : "tasks", title,
			     cell->figures[figure].mde, repeats, VISIBLE);
}

const char *lm_study_work(const struct lm_comparison *c, char *buf, size_t size)
{
	char base[64], now[64];

	buf[0] = '\0';
	if (c->kinds_differ && c->base_jobs.least == c->now_jobs.least &&
	    c->base_jobs.most == c->now_jobs.most)
		snprintf(buf, size,
			 "The work differs: the jobs of a task are of other kinds or commands, not "
			 "as many of each, or their files of another size. Real and cpu times are "
			 "no measure "
			 "of each other.");
	else if (c->jobs_differ)
		snprintf(buf, size,
			 "The work differs: %s jobs per task in the base, %s in the new. Their "
			 "real and cpu times are no measure of each other.",
			 lm_jobs_text(&c->base_jobs, base, sizeof(base)),
			 lm_jobs_text(&c->now_jobs, now, sizeof(now)));
	return buf;
}

/* What was said before the runs of a side began; each once. */
static int doubt_warnings(const char *side, const struct lm_set *set, struct lm_doubts *out,
			  struct lm_error *err)
{
	const char *last = "";

	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < set->runs[i]->environment.count; k++) {
			const struct lm_fact *fact = &set->runs[i]->environment.items[k];

			if (strncmp(fact->key, WARNINGS, strlen(WARNINGS)) != 0 ||
			    fact->type != LM_FACT_TEXT || strcmp(fact->text, last) == 0)
				continue;
			last = fact->text;
			if (lm_doubts_add(out, err, "The run of %s began with a warning: %.300s.",
					  side, last) < 0)
				return -1;
		}
	return 0;
}

bool lm_set_was_busy(const struct lm_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		for (size_t k = 0; k < set->runs[i]->environment.count; k++) {
			const struct lm_fact *fact = &set->runs[i]->environment.items[k];

			if (strncmp(fact->key, WARNINGS, strlen(WARNINGS)) == 0 &&
			    fact->type == LM_FACT_TEXT && strstr(fact->text, "is not idle"))
				return true;
		}
	return false;
}

static int doubt(const struct lm_study *study, const struct lm_comparison *c, struct lm_doubts *out,
		 struct lm_error *err)
{
	char work[256];

	if (doubt_loads("Only the base has a valid step at", &c->base_only, out, err) < 0 ||
	    doubt_loads("Only the new side has a valid step at", &c->now_only, out, err) < 0 ||
	    doubt_loads("Every step of the base is INVALID at", &c->base_invalid, out, err) < 0 ||
	    doubt_loads("Every step of the new side is INVALID at", &c->now_invalid, out, err) <
		    0 ||
	    doubt_cells(c, out, err) < 0)
		return -1;
	if (lm_study_work(c, work, sizeof(work))[0] && lm_doubts_add(out, err, "%s", work) < 0)
		return -1;
	if (doubt_warnings("the base", c->base, out, err) < 0 ||
	    doubt_warnings("the new side", c->now, out, err) < 0)
		return -1;
	return doubt_noise(study, c, out, err);
}

static int doubt_names(const char *side, const struct lm_names *names, struct lm_doubts *out,
		       struct lm_error *err)
{
	for (size_t i = 0; i < names->count; i++)
		if (lm_doubts_add(out, err, "Only %s has %s.", side,
				  names->names[i][0] ? names->names[i]
						     : "results of no named workload") < 0)
			return -1;
	return 0;
}

static int doubt_whole(struct lm_contrast *c, struct lm_error *err)
{
	if (c->missing[0] && lm_doubts_add(&c->left_out, err, "Not compared: %s.", c->missing) < 0)
		return -1;
	if (doubt_names("the base", &c->comparisons.base_only, &c->left_out, err) < 0)
		return -1;
	return doubt_names("the new side", &c->comparisons.now_only, &c->left_out, err);
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
		if (doubt(study, &c->comparisons.items[i], &c->doubts[i], err) < 0)
			return -1;
	return doubt_whole(c, err);
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

void lm_study_verdict(const struct lm_study *study, char *buf, size_t size)
{
	enum lm_figure figure = first_figure(study);
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
