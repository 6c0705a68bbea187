/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where tables go: standard output, or a new file. */
#ifndef LM_FORMATS_STREAM_H
#define LM_FORMATS_STREAM_H

#include <loadmix/error.h>

#include <stdio.h>

struct lm_stream {
	FILE *out;
	char *path; /* NULL: standard output */
};

/* path NULL is standard output; a file must not exist. 0, or -1 with err and nothing to close. */
int lm_stream_open(struct lm_stream *stream, const char *path, struct lm_error *err);

/* The state of a format: size bytes, of which the first are its struct lm_stream, opened, and the
 * others zero. what it is, for err. NULL with err. */
void *lm_stream_state(size_t size, const char *path, const char *what, struct lm_error *err);

/* Close and free such a state. */
void lm_stream_drop(void *state);

/* A step that is not with its reader now is an error now, not at the end of a long sweep; what is
 * in a file outlasts a crash of the kernel under test. 0, or -1 with err. */
int lm_stream_flush(struct lm_stream *stream, struct lm_error *err);

/* Standard output stays open; a file that nothing was written to is removed. */
void lm_stream_close(struct lm_stream *stream);

#endif
