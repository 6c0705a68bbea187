/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands above tables tells those apart that are of the same kernel and load. */
#ifndef LM_FORMATS_HEADINGS_H
#define LM_FORMATS_HEADINGS_H

#include <stddef.h>

#include "model/runs.h"

/*
 * Runs from the first on, of one file: where two of the same label and workload have a load in
 * common and stand below different captions, they are no repeats. The captions become the
 * workloads of all that have the workload, or are added to it. 0, or -1 with err.
 */
int lm_headings_tell_apart(struct lm_runs *runs, size_t first, struct lm_error *err);

#endif
