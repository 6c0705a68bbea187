/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kinds that start processes share: waiting for the very one that they started. */
#ifndef LM_JOBS_CHILDREN_H
#define LM_JOBS_CHILDREN_H

#include <loadmix/job.h>

#include <sys/types.h>

/* Wait until the child pid has ended; it is named so in messages. Any end but an exit with 0 fails
 * the job. */
enum lm_outcome lm_child_wait(struct lm_job_ctx *ctx, pid_t pid, const char *name);

#endif
