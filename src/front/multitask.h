/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AIM7's command over our session: options and answers in, plans and sinks out. */
#ifndef LM_FRONT_MULTITASK_H
#define LM_FRONT_MULTITASK_H

#include <loadmix/job.h>

/* multitask, for lm_program(); returns its exit status. */
int lm_multitask(int argc, char **argv, lm_job_list kinds);

#endif
