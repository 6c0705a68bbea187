/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing runs that were read back in the form of another program. */
#ifndef LM_FORMATS_WRITERS_H
#define LM_FORMATS_WRITERS_H

#include <loadmix/error.h>
#include <loadmix/run.h>

#include <stdbool.h>
#include <stdio.h>

/* What a form had no place for. Writers add to it; it is for the caller to tell. */
struct lm_losses {
	size_t invalid;   /* steps left out: the form cannot mark them */
	size_t unfit;     /* steps left out: none of their figures has a column */
	bool mixed_delay; /* times with AIM7's delay and without it stand side by side */
};

/* write prints all runs; what the form has no place for is left out, what a run does not tell is
 * empty, null or "-". Errors of the stream are for the caller to see. 0, or -1 with err. */
struct lm_writer {
	const char *name, *summary;
	int (*write)(const struct lm_runs *runs, FILE *out, struct lm_losses *losses,
		     struct lm_error *err);
};

/* Can a form without marks, and with columns for these figures (bits 1 << enum lm_figure), hold the
 * step? If not it is counted. */
bool lm_writer_keeps(const struct lm_record *record, unsigned columns, struct lm_losses *losses);

/* -1 with err when there is such a run: only a form that names kinds can hold it. */
int lm_writer_needs_loads(const struct lm_runs *runs, const char *form, struct lm_error *err);

extern const struct lm_writer lm_writer_journal, lm_writer_csv, lm_writer_suite7, lm_writer_json,
	lm_writer_posted;
extern const struct lm_writer *const lm_writers[]; /* ended by NULL */

/* NULL when there is none of that name. */
const struct lm_writer *lm_writer_find(const char *name);

#endif
