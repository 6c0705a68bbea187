/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The least a format can be: a template, and a sink that costs nothing. */
#include "formats/formats.h"

static void null_close(void *state)
{
	(void)state;
}

static int null_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	(void)path;
	(void)err;
	*out = (struct lm_sink){ .close = null_close };
	return 0;
}

const struct lm_format lm_format_null = {
	.name = "null",
	.summary = "nothing is written",
	.open = null_open,
};
