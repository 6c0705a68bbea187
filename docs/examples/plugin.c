/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job kind of your own. Build it and name it in a workfile:
 *
 *   cc -O2 -fPIC -shared $(pkg-config --cflags loadmix) -o mine.so plugin.c
 *   echo '10 rename_test' >workfile.mine
 *   loadmix run ./workfile.mine --plugin ./mine.so
 */
#include <loadmix/job.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const struct lm_job_param params[] = {
	{ .name = "pairs",
	  .help = "renames there and back",
	  .fallback = 100,
	  .min = 1,
	  .max = 100000 },
	{ 0 },
};

/* What one run is credited with, for Operations/s. */
static uint64_t rename_ops(const struct lm_job_ctx *ctx)
{
	return ctx->params[0];
}

static enum lm_outcome rename_run(struct lm_job_ctx *ctx)
{
	char here[PATH_MAX], there[PATH_MAX];
	int fd = creat(lm_job_path(ctx, here), 0600);

	lm_job_path(ctx, there);
	if (fd < 0)
		return lm_job_fail(ctx, "creat %s", here);
	close(fd);
	for (uint64_t i = 0; i < ctx->params[0]; i++) {
		if (rename(here, there) < 0)
			return lm_job_fail(ctx, "rename %s", here);
		if (rename(there, here) < 0)
			return lm_job_fail(ctx, "rename %s", there);
	}
	if (access(there, F_OK) == 0) /* every kind checks its own result */
		return lm_job_wrong(ctx, "%s is there, although it was renamed", there);
	return unlink(here) < 0 ? lm_job_fail(ctx, "unlink %s", here) : LM_JOB_OK;
}

static const struct lm_job jobs[] = {
	{
		.name = "rename_test",
		.unit = "Rename Pairs",
		.class = LM_CLASS_FS_META,
		.factor = 100,
		.flags = LM_JOB_DIR,
		.params = params,
		.ops = rename_ops,
		.run = rename_run,
	},
	{ 0 },
};

extern const struct lm_plugin loadmix_plugin;
const struct lm_plugin loadmix_plugin = { LM_JOB_ABI, jobs };
