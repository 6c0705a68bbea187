/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result files of earlier runs: they stay, under another name. */
#ifndef LM_FRONT_EARLIER_H
#define LM_FRONT_EARLIER_H

#include <loadmix/error.h>

/* If there is a file of that name, rename it to PATH.1, or the first number that is free. Nothing
 * is ever overwritten. 0, or -1 with err, also for what is no plain file. */
int lm_earlier_keep(const char *path, struct lm_error *err);

#endif
