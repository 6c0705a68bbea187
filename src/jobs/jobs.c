/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/jobs.h"

const struct lm_job *const lm_jobs[] = {
	lm_jobs_integer,
	lm_jobs_float,
	lm_jobs_sieve,
	lm_jobs_calls,
	lm_jobs_numeric,
	lm_jobs_math,
	lm_jobs_libc,
	lm_jobs_string,
	lm_jobs_memory,
	lm_jobs_brk,
	lm_jobs_process,
	lm_jobs_children,
	lm_jobs_shell,
	lm_jobs_ipc,
	lm_jobs_ipc_local,
	lm_jobs_shared_memory,
	lm_jobs_meta,
	lm_jobs_disk_src,
	lm_jobs_disk,
	lm_jobs_disk_direct,
	lm_jobs_disk_async,
	lm_jobs_disk_common,
	NULL,
};
