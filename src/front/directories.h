/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AIM7's file "config": the directories that jobs work in, one a line (docs/formats.md). */
#ifndef LM_FRONT_DIRECTORIES_H
#define LM_FRONT_DIRECTORIES_H

#include <loadmix/error.h>

#include "cmd/plan.h"

struct lm_directories {
	char *paths[LM_MAX_DIRS]; /* without any: the current directory */
	size_t count;
};

/* Read the file; one that is not there names no directory. Every directory is looked at. *out is
 * zero-initialised before. 0, or -1 with err; lm_directories_free() in either case. */
int lm_directories_read(const char *path, struct lm_directories *out, struct lm_error *err);
void lm_directories_free(struct lm_directories *directories);

#endif
