/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same run, read twice. Pure. */
#ifndef LM_MODEL_LIKENESS_H
#define LM_MODEL_LIKENESS_H

#include <loadmix/run.h>

#include <stdbool.h>

/* Whether two are the same run, read twice: valid steps and figures are equal, as far as both tell
 * them and to the digits that both have, and so are the times when they began and the steps ended.
 * Where a side tells no time, the figures must have more digits than would agree by chance. */
bool lm_run_same(const struct lm_run *a, const struct lm_run *b);

#endif
