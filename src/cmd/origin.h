/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where kinds come from that are not of this program. */
#ifndef LM_CMD_ORIGIN_H
#define LM_CMD_ORIGIN_H

#include <loadmix/error.h>
#include <loadmix/plan.h>

/* Note in each entry of the mix the file that does its work, if that is a plug-in or a script, and
 * a digest of what is in it. What is supported must be known already: that finds the scripts. 0, or
 * -1 with err when memory ran out. */
int lm_origins_note(struct lm_mix *mix, struct lm_error *err);

#endif
