/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing runs that were read back in the form of another program. */
#ifndef LM_FORMATS_WRITERS_H
#define LM_FORMATS_WRITERS_H

#include <loadmix/error.h>
#include <loadmix/run.h>

#include <stdio.h>

/* write prints all runs; what the form has no place for is left out, what a run does not tell is
 * empty, null or "-". Errors of the stream are for the caller to see. 0, or -1 with err. */
struct lm_writer {
	const char *name, *summary;
	int (*write)(const struct lm_runs *runs, FILE *out, struct lm_error *err);
};

extern const struct lm_writer lm_writer_journal, lm_writer_csv, lm_writer_suite7, lm_writer_json,
	lm_writer_posted;
extern const struct lm_writer *const lm_writers[]; /* ended by NULL */

/* NULL when there is none of that name. */
const struct lm_writer *lm_writer_find(const char *name);

#endif
