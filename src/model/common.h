/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether two sets have anything in common that can be compared. Pure. */
#ifndef LM_MODEL_COMMON_H
#define LM_MODEL_COMMON_H

#include "model/compare.h"

/* 0; -1 with err, which tells what each side has, when there is no workload and task count of which
 * both have a valid step. */
int lm_common_check(const struct lm_set *base, const struct lm_set *now,
		    const struct lm_comparisons *comparisons, struct lm_error *err);

#endif
