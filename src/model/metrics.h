/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From raw samples to the figures of a step. Pure. */
#ifndef LM_MODEL_METRICS_H
#define LM_MODEL_METRICS_H

#include <loadmix/plan.h>
#include <loadmix/result.h>

/* Make the record of a step. Leaves step number, files_s, outside_s and system to the caller.
 * 0, or -1 when memory ran out; lm_record_free() in either case. */
int lm_metrics(const struct lm_mix *mix, const struct lm_step_result *result,
	       struct lm_record *record);

void lm_record_free(struct lm_record *record);

#endif
