/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A base and what is compared with it: everything that a comparison's printed forms draw on. Pure.
 */
#ifndef LM_MODEL_STUDY_H
#define LM_MODEL_STUDY_H

#include "model/compare.h"
#include "model/differ.h"
#include "model/doubts.h"

#include <stdbool.h>

/* One set against the base. Doubts are sentences, with text of files in them. */
struct lm_contrast {
	struct lm_comparisons comparisons; /* none when missing tells why */
	struct lm_doubts *doubts;  /* of each comparison, in their order: what it left out, and
				    * what it cannot tell */
	struct lm_doubts left_out; /* workloads and kinds that one side alone has, and missing */
	struct lm_differences differences;
	char missing[1024]; /* of a study with gaps: why there is nothing to compare; else "" */
};

enum lm_blame_when { LM_BLAME_SIGNIFICANT, LM_BLAME_ALWAYS, LM_BLAME_NEVER };

struct lm_study {
	const struct lm_set *sets; /* the first is the base */
	size_t set_count;
	struct lm_contrast *contrasts; /* set_count - 1, in the order of the sets */
	/* how it is to be shown */
	const enum lm_figure *figures;
	size_t figure_count;
	bool spread; /* minimum, average, maximum and standard deviation, not the mean alone */
	enum lm_blame_when blame;
	const char *command; /* what repeats it, quoted for a shell */
	bool gaps;           /* a set that has nothing in common with the base is no error */
};

/* Compare each set with the first. 0, or -1 with err; lm_study_free() in either case. */
int lm_study_make(struct lm_study *study, struct lm_error *err);
void lm_study_free(struct lm_study *study);

/* Whether the blame table of a cell is to be shown. */
bool lm_study_blames(const struct lm_study *study, const struct lm_cell *cell);

/* Of the cells whose blame is to be shown, the one where the time of a task has changed most, as a
 * share; NULL: there is none. */
const struct lm_cell *lm_study_blamed_most(const struct lm_study *study,
					   const struct lm_comparison *c);

/* What the verdict is about. */
enum lm_figure lm_study_first_figure(const struct lm_study *study);

/* Both sides tell that figure. */
bool lm_cell_knows(const struct lm_cell *cell, enum lm_figure figure);

/* True when neither side of any cell has two repeats: nothing can be said about noise. */
bool lm_comparison_single(const struct lm_comparison *c);

/* What came of it in a few sentences: the largest significant change of the first figure, or that
 * there is none, or that single runs cannot tell; and whether work differs. */
void lm_study_verdict(const struct lm_study *study, char *buf, size_t size);

#endif
