/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading results back, whatever program left them (docs/formats.md). */
#ifndef LM_FORMATS_READERS_H
#define LM_FORMATS_READERS_H

#include <loadmix/error.h>
#include <loadmix/run.h>

#include "formats/input.h"

/*
 * Read all runs of a file, recognised by what stands in it: a file of JSON lines is our journal,
 * everything else is text that is looked through line by line. "-" is standard input. Rows that
 * look like results and cannot be read become notes. 0; -1 with err when the file cannot be read,
 * is empty or holds no run. lm_runs_free() in either case.
 */
int lm_runs_load(const char *path, struct lm_runs *out, struct lm_error *err);

/* The same from any source of bytes; source names it in errors and notes. */
int lm_runs_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		 struct lm_error *err);

/* The two kinds of file, once it is known which; appended to *out. */
int lm_journal_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		    struct lm_error *err);
int lm_posted_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		   struct lm_error *err);

#endif
