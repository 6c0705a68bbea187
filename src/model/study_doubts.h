/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a study left out and what it cannot tell, in sentences. Pure. */
#ifndef LM_MODEL_STUDY_DOUBTS_H
#define LM_MODEL_STUDY_DOUBTS_H

#include "model/study.h"

/* Of a comparison of the contrast, whose differences are found already. 0, or -1 with err when
 * memory ran out. */
int lm_study_doubt(const struct lm_study *study, const struct lm_contrast *contrast, size_t index,
		   struct lm_doubts *out, struct lm_error *err);

/* Why the two sets cannot be held against each other, whatever their figures are: a run that stands
 * on both sides, AIM7's 10 idle seconds in some of the times, plans that ask for other things, a
 * run that was resumed under another kernel. They are among the doubts of each comparison. 0, or -1
 * with err when memory ran out. */
int lm_study_unfit(const struct lm_contrast *contrast, const struct lm_set *base,
		   const struct lm_set *now, struct lm_doubts *out, struct lm_error *err);

/* Of the two sets, into left_out. 0, or -1 with err when memory ran out. */
int lm_study_doubt_whole(struct lm_contrast *contrast, struct lm_error *err);

/* Of whether the work is the same: "The work differs: ..."; "" when it is, or is not known. Returns
 * buf. */
const char *lm_study_work(const struct lm_comparison *c, char *buf, size_t size);

/* A run of the set began on a machine that was not idle. */
bool lm_set_was_busy(const struct lm_set *set);

#endif
