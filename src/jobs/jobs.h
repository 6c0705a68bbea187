/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of job kinds, one table a family file. */
#ifndef LM_JOBS_H
#define LM_JOBS_H

#include <loadmix/job.h>

extern const struct lm_job lm_jobs_integer[];
extern const struct lm_job lm_jobs_libc[];
extern const struct lm_job lm_jobs_string[];
extern const struct lm_job lm_jobs_memory[];
extern const struct lm_job lm_jobs_process[];
extern const struct lm_job lm_jobs_ipc[];
extern const struct lm_job lm_jobs_meta[];
extern const struct lm_job lm_jobs_disk[];

extern const struct lm_job *const lm_jobs[]; /* the list that users can name; ended by NULL */

/* Kinds that do nothing, for measuring the harness; only the bench and the tests list them. */
extern const struct lm_job lm_jobs_null[];

#endif
