/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether one set is worse than another by more than is accepted: for git bisect run. Pure. */
#ifndef LM_MODEL_JUDGE_H
#define LM_MODEL_JUDGE_H

#include "model/compare.h"

enum lm_judgement {
	LM_JUDGE_GOOD,   /* not significantly worse by more than the limit; and a loss of that size
			  * would show, or the interval excludes it */
	LM_JUDGE_BAD,    /* significantly worse, and by more than the limit */
	LM_JUDGE_UNTOLD, /* it cannot be told */
};

/* What is said of one task count. */
struct lm_ruling {
	enum lm_judgement judgement;
	bool improved;         /* significantly better, and by more than the limit */
	size_t repeats_needed; /* LM_JUDGE_UNTOLD for noise: on either side; SIZE_MAX: over 1000; 0:
				  not that */
	char text[300];        /* why, half a sentence */
};

/* limit: in percent, above 0. INVALID steps on either side, a figure that a side does not tell, a
 * base of 0, and single runs cannot be told. */
void lm_judge(const struct lm_cell *cell, enum lm_figure figure, double limit,
	      struct lm_ruling *ruling);

#endif
