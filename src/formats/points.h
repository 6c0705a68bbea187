/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a file of data points: the task counts of a sweep (docs/formats.md). */
#ifndef LM_FORMATS_POINTS_H
#define LM_FORMATS_POINTS_H

#include <loadmix/plan.h>

#include "formats/input.h"

#define LM_MAX_POINTS 10000

/* Read one task count a line; source names the file in errors. The caller frees out with
 * lm_sweep_free() in either case. 0, or -1 with err. */
int lm_points_read(lm_getbyte get, void *state, const char *source, struct lm_sweep *out,
		   struct lm_error *err);

/* The same from a file. */
int lm_points_load(const char *path, struct lm_sweep *out, struct lm_error *err);

#endif
