/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/append.h"

int lm_stream_open(struct lm_stream *s, const char *path, struct lm_error *err)
{
	*s = (struct lm_stream){ .out = stdout };
	if (!path)
		return 0;
	s->path = strdup(path);
	s->out = s->path ? fopen(path, "wxe") : NULL;
	if (s->out) {
		lm_store_name(path); /* a help, and no more */
		return 0;
	}
	lm_error_sys(err, "cannot create '%s'", path);
	free(s->path);
	return -1;
}

int lm_stream_flush(struct lm_stream *s, struct lm_error *err)
{
	errno = EIO;
	if (fflush(s->out) == 0 && !ferror(s->out) &&
	    (!s->path || fsync(fileno(s->out)) == 0 || errno == EINVAL))
		return 0;
	return s->path ? lm_error_sys(err, "cannot write '%s'", s->path)
		       : lm_error_sys(err, "cannot write the table");
}

void lm_stream_close(struct lm_stream *s)
{
	/* what could not begin leaves nothing */
	if (s->path && ftello(s->out) == 0)
		unlink(s->path);
	if (s->path)
		fclose(s->out);
	free(s->path);
}

void *lm_stream_state(size_t size, const char *path, const char *what, struct lm_error *err)
{
	struct lm_stream *s = calloc(1, size);

	if (!s)
		lm_error_sys(err, "%s", what);
	else if (lm_stream_open(s, path, err) == 0)
		return s;
	free(s);
	return NULL;
}

void lm_stream_drop(void *state)
{
	lm_stream_close(state);
	free(state);
}
