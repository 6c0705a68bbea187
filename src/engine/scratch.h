/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private scratch directories: everything a run puts on disk is in them, and goes with them. */
#ifndef LM_ENGINE_SCRATCH_H
#define LM_ENGINE_SCRATCH_H

#include <loadmix/error.h>

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lm_scratch {
	char real[PATH_MAX]; /* absolute path of the scratch directory in it; "" = there is none */
	char path[PATH_MAX]; /* how tasks reach it: real, or through /proc when somebody else could
				put another directory in its place */
	int fd;              /* the directory itself, which keeps its inode from being forgotten */
	dev_t dev;           /* what we made: nothing else is ever removed */
	ino_t ino;
	uint64_t common_kib; /* size of the common file, 0: there is none */
};

/* Room for count of them in memory that is shared with processes forked later; NULL with errno. */
struct lm_scratch *lm_scratch_map(size_t count);
void lm_scratch_unmap(struct lm_scratch *all, size_t count);

/* Make a directory loadmix.XXXXXX, mode 0700, in dir. 0, or -1 with err and nothing made. */
int lm_scratch_make(struct lm_scratch *s, const char *dir, struct lm_error *err);

/* Write the common file of kib blocks, as one write a block; give_up() is asked now and then and
 * ends it early when true. 0, or -1 with err; nothing is written that does not fit. */
int lm_scratch_common(struct lm_scratch *s, uint64_t kib, bool (*give_up)(void *), void *state,
		      struct lm_error *err);

/* Remove the common file; no error when it is gone. */
void lm_scratch_drop_common(struct lm_scratch *s);

/* Remove files that killed tasks left: what lm_job_path() names. */
void lm_scratch_sweep(struct lm_scratch *s);

/* False when the directory is no longer where it was made: moved away, or another in its place. */
bool lm_scratch_in_place(const struct lm_scratch *s);

/* Remove the directory and all in it, and forget it. Symbolic links are removed, not followed; what
 * is mounted below is left alone. 0, or -1 with err when something is left. */
int lm_scratch_remove(struct lm_scratch *s, struct lm_error *err);

#endif
