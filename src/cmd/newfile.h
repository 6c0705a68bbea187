/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is there when it is whole, and not at all before. */
#ifndef LM_CMD_NEWFILE_H
#define LM_CMD_NEWFILE_H

#include <loadmix/error.h>

#include <stdbool.h>
#include <stdio.h>

struct lm_newfile {
	FILE *stream;
	const char *path;
	bool nameless; /* it has no name until it is whole */
	char *part;    /* its name until then, on file systems where it needs one */
};

#define LM_NEWFILE_NONE \
	{               \
		0       \
	}

/*
 * Begin a file. One that exists is left alone: -1 with err; so is one whose directory cannot be
 * written to. A device or a pipe is written to as it is.
 */
int lm_newfile_open(struct lm_newfile *file, const char *path, struct lm_error *err);

/* End it: give it its name when it is good and all of it could be written, else remove what there
 * is of it. 0, or -1 with err. */
int lm_newfile_close(struct lm_newfile *file, bool good, struct lm_error *err);

#endif
