/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which job kinds make a change. Pure. */
#ifndef LM_MODEL_BLAME_H
#define LM_MODEL_BLAME_H

#include "model/compare.h"

/* Over the valid ones of the steps, all of one task count. Rows point to the names in the records.
 * 0, or -1 when memory ran out; lm_blame_free() in either case. */
int lm_blame_of(const struct lm_record *const *base, size_t base_count,
		const struct lm_record *const *now, size_t now_count, struct lm_blame *out);
void lm_blame_free(struct lm_blame *blame);

#endif
