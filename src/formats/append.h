/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that results are added to and that hold what is not ours: other runs, other people's notes.
 */
#ifndef LM_FORMATS_APPEND_H
#define LM_FORMATS_APPEND_H

#include <loadmix/error.h>

#include <stdbool.h>
#include <stddef.h>

struct lm_append {
	int fd;
	char *path;
	bool created; /* by us */
	bool written; /* something of ours is in it */
};

/*
 * Open a regular file to append to, or create it. What is something else, or a symbolic link that
 * leads nowhere or was put there by another user, is refused. 0, or -1 with err and nothing to
 * close.
 */
int lm_append_open(struct lm_append *a, const char *path, struct lm_error *err);

/* Put text at the end and on the disk: all of it, or nothing. 0, or -1 with err. */
int lm_append_write(struct lm_append *a, const char *text, size_t size, struct lm_error *err);

/* Put the name of a new file on the disk. */
void lm_append_store_name(const char *path);

/* What has to stand before the first line of ours, so that it begins one: "" or a line end. */
const char *lm_append_line_end(const struct lm_append *a);

bool lm_append_is_empty(const struct lm_append *a);

/* A file that we have created and written nothing to is removed. */
void lm_append_close(struct lm_append *a);

#endif
