/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/jobs.h"

const struct lm_job *const lm_jobs[] = {
	lm_jobs_integer, lm_jobs_libc, lm_jobs_string, lm_jobs_memory, lm_jobs_process,
	lm_jobs_ipc,     lm_jobs_meta, lm_jobs_disk,   NULL,
};
