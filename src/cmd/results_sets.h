/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs sorted into sets: which belong together, and what each set is called. */
#ifndef LM_CMD_RESULTS_SETS_H
#define LM_CMD_RESULTS_SETS_H

#include "cmd/results.h"

/* An empty set. NULL with err. */
struct lm_set *lm_sets_add(struct lm_results *results, const char *label, struct lm_error *err);
int lm_sets_add_run(struct lm_set *set, const struct lm_run *run, struct lm_error *err);

/* The runs of one file, a set a label. A run is never taken for a repeat of one in another file:
 * that is for LABEL=FILE,FILE to say. 0, or -1 with err. */
int lm_sets_split(struct lm_results *results, const struct lm_runs *file, struct lm_error *err);

/* When all files are read: copies go, names are made different, and --label chooses. 0, or -1 with
 * err. */
int lm_sets_settle(const struct lm_results_options *options, struct lm_results *results,
		   struct lm_error *err);

/* Free the sets from that one on. */
void lm_sets_drop(struct lm_results *results, size_t from);

#endif
