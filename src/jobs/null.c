/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The least a kind can be: a template, and the weight to measure the harness with. */
#include <loadmix/job.h>

#include "jobs/jobs.h"

static enum lm_outcome null_run(struct lm_job_ctx *ctx)
{
	(void)ctx;
	return LM_JOB_OK;
}

const struct lm_job lm_jobs_null[] = {
	{
		.name = "null",
		.unit = "Empty Jobs",
		.class = LM_CLASS_CPU_INT,
		.factor = 1,
		.run = null_run,
	},
	{ 0 },
};
