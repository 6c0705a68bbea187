/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a study left out and what it cannot tell, in sentences. Pure. */
#ifndef LM_MODEL_STUDY_DOUBTS_H
#define LM_MODEL_STUDY_DOUBTS_H

#include "model/study.h"

/* Of a comparison of the contrast, whose differences are found already. 0, or -1 with err when
 * memory ran out. */
int lm_study_doubt(const struct lm_study *study, const struct lm_contrast *contrast, size_t index,
		   struct lm_doubts *out, struct lm_error *err);

/* Of the two sets, into left_out. 0, or -1 with err when memory ran out. */
int lm_study_doubt_whole(struct lm_contrast *contrast, struct lm_error *err);

/* Of whether the work is the same: "The work differs: ..."; "" when it is, or is not known. Returns
 * buf. */
const char *lm_study_work(const struct lm_comparison *c, char *buf, size_t size);

/* A run of the second that the first has, too: a file was named twice, perhaps. NULL: there is
 * none.
 */
const struct lm_run *lm_sets_share(const struct lm_set *base, const struct lm_set *now);

/* Some times of the two hold AIM7's 10 idle seconds, and some do not. A table that was posted is
 * taken to hold them, unless it says otherwise. */
bool lm_sets_mix_delays(const struct lm_set *base, const struct lm_set *now);

/* A run of the set began on a machine that was not idle. */
bool lm_set_was_busy(const struct lm_set *set);

#endif
