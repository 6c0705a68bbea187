/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine and these directories can do, asked of the kinds before anything is created. */
#ifndef LM_ENGINE_SUPPORT_H
#define LM_ENGINE_SUPPORT_H

#include <loadmix/plan.h>

#include <stdbool.h>

/* Whether an entry of the plan's mix can be run in all its directories at a load; if not, why tells
 * the first directory and the reason. */
bool lm_supported(const struct lm_plan *plan, const struct lm_mix_entry *entry, unsigned tasks,
		  char *why, size_t size);

#endif
