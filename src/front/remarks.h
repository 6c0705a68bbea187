/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the old result formats have no room for, on standard error: why a step is INVALID, how a
 * sweep ended, its summary. */
#ifndef LM_FRONT_REMARKS_H
#define LM_FRONT_REMARKS_H

#include <loadmix/sink.h>

/* The sink; program is who speaks, and stays valid. */
struct lm_sink lm_remarks(const char *program);

/* Tell which signal ended a session; 0: none did. An error that did is the command's to tell. */
void lm_remark_signal(const char *program, int number);

#endif
