/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of a mix make ready before there are tasks: tables in memory, files on disk. */
#ifndef LM_ENGINE_FURNISH_H
#define LM_ENGINE_FURNISH_H

#include <loadmix/error.h>
#include <loadmix/plan.h>

#include <stddef.h>

#include "engine/guard.h"
#include "engine/signals.h"

/* Call prepare() of each kind. 0, or -1 with err. */
int lm_prepare_kinds(const struct lm_mix *mix, struct lm_error *err);

/* Call furnish() of each kind for each directory, in a process of its own: a file system that hangs
 * does not keep us from hearing a signal. 0; -1 with err, or without when a signal came first. */
int lm_furnish(const struct lm_mix *mix, const char *const *dirs, size_t count,
	       const struct lm_guard *guard, struct lm_signals *signals, struct lm_error *err);

#endif
