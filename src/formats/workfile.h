/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a workfile (docs/formats.md). */
#ifndef LM_FORMATS_WORKFILE_H
#define LM_FORMATS_WORKFILE_H

#include <loadmix/error.h>
#include <loadmix/plan.h>

#include "formats/input.h"

/* What names in a workfile may mean. */
struct lm_workfile_kinds {
	lm_job_list list;
	/* makes a kind of a COMMAND: line; NULL with the reason in why. The mix frees it */
	struct lm_job *(*command)(const char *name, const char *line, char *why, size_t size);
};

/* Read a whole workfile; source names it in errors, kinds resolves names. out is empty on entry;
 * the caller frees it with lm_mix_free() in either case; name and path are left alone.
 * 0, or -1 with err. */
int lm_workfile_read(lm_getbyte get, void *state, const char *source,
		     const struct lm_workfile_kinds *kinds, struct lm_mix *out,
		     struct lm_error *err);

/* The same from a file; sets path, and name from the file's ("workfile.fserver": fserver). */
int lm_workfile_load(const char *path, const struct lm_workfile_kinds *kinds, struct lm_mix *out,
		     struct lm_error *err);

#endif
