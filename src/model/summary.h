/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a whole sweep, as AIM7's report has them. Pure. */
#ifndef LM_MODEL_SUMMARY_H
#define LM_MODEL_SUMMARY_H

#include <loadmix/result.h>

/* Make the figures of a sweep's records; iteration and ended are left alone.
 * 0, or -1 when memory ran out. */
int lm_figures(const struct lm_record *records, size_t count, struct lm_figures *out);

/* Count a record into the summary of a run. */
void lm_summary_add(struct lm_summary *summary, const struct lm_record *record);

#endif
