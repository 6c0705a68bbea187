/* SPDX-License-Identifier: GPL-2.0-or-later */
/* re-aim-7's command over our session: options and a configuration file in, a plan and sinks out.
 */
#ifndef LM_FRONT_REAIM_H
#define LM_FRONT_REAIM_H

#include <loadmix/job.h>

/* reaim, for lm_program(); returns its exit status. */
int lm_reaim(int argc, char **argv, lm_job_list kinds);

#endif
