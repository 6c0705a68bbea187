/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private scratch directories: everything a run puts on disk is in them, and goes with them. */
#ifndef LM_ENGINE_SCRATCH_H
#define LM_ENGINE_SCRATCH_H

#include <loadmix/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lm_scratch {
	int base_fd;      /* the test directory that the user named */
	char *path;       /* absolute path of the scratch directory in it */
	const char *name; /* its last part */
	dev_t dev;        /* what we made: nothing else is ever removed */
	ino_t ino;
	uint64_t common_kib; /* size of the common file, 0: there is none */
};

/* Make a directory loadmix.XXXXXX, mode 0700, in dir. 0, or -1 with err and nothing made. */
int lm_scratch_make(struct lm_scratch *s, const char *dir, struct lm_error *err);

/* Write the common file of kib blocks, as one write a block; give_up() is asked now and then and
 * ends it early when true. 0, or -1 with err. */
int lm_scratch_common(struct lm_scratch *s, uint64_t kib, bool (*give_up)(void *), void *state,
		      struct lm_error *err);

/* Remove the common file; no error when it is gone. */
void lm_scratch_drop_common(struct lm_scratch *s);

/* Remove files that killed tasks left: what lm_job_path() names. */
void lm_scratch_sweep(struct lm_scratch *s);

/* Remove the directory and all in it; symbolic links are removed, not followed. */
void lm_scratch_remove(struct lm_scratch *s);

#endif
