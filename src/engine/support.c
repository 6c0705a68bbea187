/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/support.h"

#include "model/mix.h"

/* A hook tells its reason in why; a mistaken report must do no harm. */
static void no_report(struct lm_job_ctx *ctx, int error, const char *fmt, va_list ap)
{
	(void)ctx;
	(void)error;
	(void)fmt;
	(void)ap;
}

static bool ask(const struct lm_job_ctx *ctx, char *why, size_t size)
{
	char reason[256] = "it does not say why";

	if (ctx->job->supported(ctx, reason, sizeof(reason)) == LM_JOB_OK)
		return true;
	snprintf(why, size, "%s%s%s", ctx->dir ? ctx->dir : "", ctx->dir ? ": " : "", reason);
	return false;
}

bool lm_supported(const struct lm_plan *plan, const struct lm_mix_entry *entry, unsigned tasks,
		  char *why, size_t size)
{
	bool in_dir = entry->job->flags & LM_JOB_DIR;
	struct lm_job_ctx ctx = { .job = entry->job,
				  .home = plan->dirs[0],
				  .params = entry->params,
				  .file_kib = lm_mix_file_kib(plan->mix, tasks),
				  .tasks = tasks,
				  .semantics = plan->semantics,
				  .system_sync = plan->sync,
				  .data_dir = plan->data_dir,
				  .report = no_report };

	for (size_t i = 0; entry->job->supported && i < (in_dir ? plan->dir_count : 1); i++) {
		ctx.dir = in_dir ? plan->dirs[i] : NULL;
		if (!ask(&ctx, why, size))
			return false;
	}
	return true;
}
