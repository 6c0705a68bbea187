/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/judge.h"

#include "model/figures.h"
#include "model/study.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* The end of the interval on the bad side, as a loss in percent: positive is worse. */
static double worst_loss(const struct lm_change *c, bool more_is_better)
{
	return more_is_better ? -c->low : c->high;
}

static double loss_of(const struct lm_change *c, bool more_is_better)
{
	return more_is_better ? -c->percent : c->percent;
}

static void untold(struct lm_ruling *r, const char *why)
{
	r->judgement = LM_JUDGE_UNTOLD;
	snprintf(r->text, sizeof(r->text), "%s", why);
}

#define MANY 50 /* repeats: more than anybody would run */

/* Too noisy: say how many repeats would do. */
static void ask_for_repeats(struct lm_ruling *r, const struct lm_change *c, double limit)
{
	r->judgement = LM_JUDGE_UNTOLD;
	r->repeats_needed = lm_repeats_needed(c, limit);
	if (r->repeats_needed == SIZE_MAX)
		snprintf(r->text, sizeof(r->text),
			 "the noise hides changes below %.1f %%; more than 1000 repeats would be "
			 "needed to see %g %%",
			 c->mde, limit);
	else
		snprintf(r->text, sizeof(r->text),
			 "the noise hides changes below %.1f %%; %zu repeats on either side are "
			 "needed to see %g %%%s",
			 c->mde, r->repeats_needed, limit,
			 r->repeats_needed > MANY
				 ? ", or a quieter machine, longer steps (--jobs), "
				   "or cpu_s as the figure"
				 : "");
}

static void rule(const struct lm_change *c, bool more_is_better, double limit, struct lm_ruling *r)
{
	double loss = loss_of(c, more_is_better);

	r->improved = c->significant && -loss > limit;
	if (c->significant && loss > limit) {
		r->judgement = LM_JUDGE_BAD;
		snprintf(r->text, sizeof(r->text), "%+.1f %%, significant and beyond %g %%",
			 c->percent, limit);
	} else if (c->mde <= limit || worst_loss(c, more_is_better) <= limit) {
		r->judgement = LM_JUDGE_GOOD;
		snprintf(r->text, sizeof(r->text), "%+.1f %%, not worse by more than %g %%",
			 c->percent, limit);
	} else {
		ask_for_repeats(r, c, limit);
	}
}

void lm_judge(const struct lm_cell *cell, enum lm_figure figure, double limit, struct lm_ruling *r)
{
	const struct lm_figure_info *info = lm_figure_info(figure);
	const struct lm_change *c = &cell->figures[figure];

	*r = (struct lm_ruling){ 0 };
	if (cell->base_invalid || cell->now_invalid)
		untold(r, "a step is INVALID");
	else if (!lm_cell_knows(cell, figure))
		untold(r, "a side does not tell that figure");
	else if (isnan(c->percent))
		untold(r, "the base's figure is 0");
	else if (isnan(c->p))
		untold(r, "single runs tell nothing about noise; run each side five times or more: "
			  "run --repeat 5, or LABEL=FILE,FILE...");
	else
		rule(c, info->more_is_better, limit, r);
}
