/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disk kinds: reading and writing in blocks of LM_BLOCK bytes. A kind is a list of steps over two
 * files, the job's own and the common one; the steps are shared, their order is AIM7's.
 *
 * Every block begins with its number, which is written with it and checked whenever it is read.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/jobs.h"

#define FILE_MODE 0777 /* before umask, as AIM7 */

/* The block in hand. Starts as zeros and keeps what was read last, as in AIM7. */
static unsigned char buffer[LM_BLOCK];

struct file {
	int fd;     /* -1 = not open */
	bool named; /* a name that this job has to remove */
	char path[PATH_MAX];
};

struct disk_run {
	struct lm_job_ctx *ctx;
	uint64_t blocks; /* what the steps transfer, and the size of the job's own file */
	struct file own, common;
};

/* One step of a kind; flags are those of open(), for the steps that open. */
struct step {
	enum lm_outcome (*take)(struct disk_run *run, int flags);
	int flags;
};

static enum lm_outcome file_fail(struct disk_run *run, const char *call, const struct file *file)
{
	return lm_job_fail(run->ctx, "%s %s", call, file->path);
}

static enum lm_outcome seek_block(struct disk_run *run, struct file *file, uint64_t block)
{
	if (lseek(file->fd, (off_t)(block * LM_BLOCK), SEEK_SET) < 0)
		return file_fail(run, "lseek", file);
	return LM_JOB_OK;
}

static enum lm_outcome check_length(struct disk_run *run, const char *call, const struct file *file,
				    uint64_t block, ssize_t length)
{
	if (length == LM_BLOCK)
		return LM_JOB_OK;
	if (length < 0)
		return lm_job_fail(run->ctx, "%s %s, block %" PRIu64, call, file->path, block);
	return lm_job_wrong(run->ctx, "%s %s, block %" PRIu64 ": %zd bytes, want %u", call,
			    file->path, block, length, LM_BLOCK);
}

static enum lm_outcome write_block(struct disk_run *run, struct file *file, uint64_t block)
{
	memcpy(buffer, &block, sizeof block);
	return check_length(run, "write", file, block, write(file->fd, buffer, sizeof buffer));
}

static enum lm_outcome read_block(struct disk_run *run, struct file *file, uint64_t block)
{
	ssize_t length = read(file->fd, buffer, sizeof buffer);
	enum lm_outcome outcome = check_length(run, "read", file, block, length);
	uint64_t stamp;

	memcpy(&stamp, buffer, sizeof stamp);
	if (outcome == LM_JOB_OK && stamp != block)
		return lm_job_wrong(run->ctx,
				    "read %s, block %" PRIu64 ": it is stamped %" PRIu64
				    ", want its number",
				    file->path, block, stamp);
	return outcome;
}

static enum lm_outcome opened(struct disk_run *run, const char *call, struct file *file, int fd)
{
	file->fd = fd;
	return fd < 0 ? file_fail(run, call, file) : LM_JOB_OK;
}

static enum lm_outcome creat_own(struct disk_run *run, int flags)
{
	int fd = creat(lm_job_path(run->ctx, run->own.path), FILE_MODE);

	(void)flags;
	run->own.named = fd >= 0;
	return opened(run, "creat", &run->own, fd);
}

/* Create by open(), as the synchronous kinds do. */
static enum lm_outcome open_new(struct disk_run *run, int flags)
{
	int fd = open(lm_job_path(run->ctx, run->own.path), O_WRONLY | O_CREAT | O_TRUNC | flags,
		      FILE_MODE);

	run->own.named = fd >= 0;
	return opened(run, "open", &run->own, fd);
}

static enum lm_outcome open_own(struct disk_run *run, int flags)
{
	return opened(run, "open", &run->own, open(run->own.path, flags));
}

static enum lm_outcome open_common(struct disk_run *run, int flags)
{
	snprintf(run->common.path, sizeof run->common.path, "%s/%s", run->ctx->dir, LM_COMMON_NAME);
	return opened(run, "open", &run->common, open(run->common.path, flags));
}

static enum lm_outcome unlink_own(struct disk_run *run, int flags)
{
	(void)flags;
	run->own.named = false;
	return unlink(run->own.path) < 0 ? file_fail(run, "unlink", &run->own) : LM_JOB_OK;
}

static enum lm_outcome close_file(struct disk_run *run, struct file *file)
{
	int fd = file->fd;

	file->fd = -1;
	return close(fd) < 0 ? file_fail(run, "close", file) : LM_JOB_OK;
}

static enum lm_outcome close_own(struct disk_run *run, int flags)
{
	(void)flags;
	return close_file(run, &run->own);
}

static enum lm_outcome close_common(struct disk_run *run, int flags)
{
	(void)flags;
	return close_file(run, &run->common);
}

static enum lm_outcome rewind_common(struct disk_run *run, int flags)
{
	(void)flags;
	return seek_block(run, &run->common, 0);
}

static enum lm_outcome write_sequential(struct disk_run *run, int flags)
{
	enum lm_outcome outcome = LM_JOB_OK;

	(void)flags;
	for (uint64_t block = 0; block < run->blocks && outcome == LM_JOB_OK; block++)
		outcome = write_block(run, &run->own, block);
	return outcome;
}

static enum lm_outcome read_common(struct disk_run *run, int flags)
{
	enum lm_outcome outcome = LM_JOB_OK;

	(void)flags;
	for (uint64_t block = 0; block < run->blocks && outcome == LM_JOB_OK; block++)
		outcome = read_block(run, &run->common, block);
	return outcome;
}

static enum lm_outcome copy_common(struct disk_run *run, int flags)
{
	enum lm_outcome outcome = LM_JOB_OK;

	(void)flags;
	for (uint64_t block = 0; block < run->blocks && outcome == LM_JOB_OK; block++) {
		outcome = read_block(run, &run->common, block);
		if (outcome == LM_JOB_OK)
			outcome = write_block(run, &run->own, block);
	}
	return outcome;
}

static enum lm_outcome at_random(struct disk_run *run,
				 enum lm_outcome (*transfer)(struct disk_run *, struct file *,
							     uint64_t))
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (uint64_t done = 0; done < run->blocks && outcome == LM_JOB_OK; done++) {
		uint64_t block = lm_job_block(run->ctx, run->blocks);

		outcome = seek_block(run, &run->own, block);
		if (outcome == LM_JOB_OK)
			outcome = transfer(run, &run->own, block);
	}
	return outcome;
}

static enum lm_outcome read_random(struct disk_run *run, int flags)
{
	(void)flags;
	return at_random(run, read_block);
}

static enum lm_outcome write_random(struct disk_run *run, int flags)
{
	(void)flags;
	return at_random(run, write_block);
}

/* Leave nothing behind after a failure. */
static void abandon(struct disk_run *run)
{
	if (run->own.fd >= 0)
		close(run->own.fd);
	if (run->common.fd >= 0)
		close(run->common.fd);
	if (run->own.named)
		unlink(run->own.path);
}

/* Take the steps, which end with an empty one. */
static enum lm_outcome perform(struct lm_job_ctx *ctx, uint64_t blocks, const struct step *steps)
{
	struct disk_run run;
	enum lm_outcome outcome = LM_JOB_OK;

	run.ctx = ctx;
	run.blocks = blocks;
	run.own.fd = run.common.fd = -1;
	run.own.named = run.common.named = false;
	for (; steps->take && outcome == LM_JOB_OK; steps++)
		outcome = steps->take(&run, steps->flags);
	if (outcome != LM_JOB_OK)
		abandon(&run);
	return outcome;
}

static enum lm_outcome disk_rr(struct lm_job_ctx *ctx)
{
	static const struct step steps[] = {
		{ creat_own, 0 },  { write_sequential, 0 },
		{ close_own, 0 },  { open_own, O_RDONLY },
		{ unlink_own, 0 }, { read_random, 0 },
		{ close_own, 0 },  { NULL, 0 },
	};

	return perform(ctx, ctx->file_kib, steps);
}

static enum lm_outcome disk_rw(struct lm_job_ctx *ctx)
{
	static const struct step steps[] = {
		{ creat_own, 0 },  { write_sequential, 0 },
		{ close_own, 0 },  { open_own, O_WRONLY },
		{ unlink_own, 0 }, { write_random, 0 },
		{ close_own, 0 },  { NULL, 0 },
	};

	return perform(ctx, ctx->file_kib, steps);
}

static enum lm_outcome disk_rd(struct lm_job_ctx *ctx)
{
	static const struct step steps[] = {
		{ open_common, O_RDONLY }, { rewind_common, 0 }, { read_common, 0 },
		{ close_common, 0 },       { NULL, 0 },
	};

	return perform(ctx, ctx->file_kib, steps);
}

static enum lm_outcome disk_wrt(struct lm_job_ctx *ctx)
{
	static const struct step steps[] = {
		{ creat_own, 0 }, { unlink_own, 0 }, { write_sequential, 0 },
		{ close_own, 0 }, { NULL, 0 },
	};

	return perform(ctx, ctx->file_kib, steps);
}

static enum lm_outcome disk_cp(struct lm_job_ctx *ctx)
{
	static const struct step steps[] = {
		{ open_common, O_RDONLY }, { creat_own, 0 },   { unlink_own, 0 },
		{ rewind_common, 0 },      { copy_common, 0 }, { close_common, 0 },
		{ close_own, 0 },          { NULL, 0 },
	};

	return perform(ctx, ctx->file_kib, steps);
}

static enum lm_outcome sync_disk_rw(struct lm_job_ctx *ctx)
{
	static const struct step steps[] = {
		{ open_new, 0 },     { write_sequential, 0 },
		{ close_own, 0 },    { open_own, O_WRONLY | O_SYNC },
		{ write_random, 0 }, { unlink_own, 0 },
		{ close_own, 0 },    { NULL, 0 },
	};

	return perform(ctx, ctx->file_kib / 2, steps);
}

static enum lm_outcome sync_disk_wrt(struct lm_job_ctx *ctx)
{
	static const struct step steps[] = {
		{ open_new, O_SYNC }, { write_sequential, 0 }, { unlink_own, 0 }, { close_own, 0 },
		{ NULL, 0 },
	};

	return perform(ctx, ctx->file_kib / 2, steps);
}

static enum lm_outcome sync_disk_cp(struct lm_job_ctx *ctx)
{
	static const struct step steps[] = {
		{ open_common, O_RDONLY }, { open_new, O_SYNC }, { rewind_common, 0 },
		{ copy_common, 0 },        { unlink_own, 0 },    { close_common, 0 },
		{ close_own, 0 },          { NULL, 0 },
	};

	return perform(ctx, ctx->file_kib / 2, steps);
}

const struct lm_job lm_jobs_disk[] = {
	{
		.name = "disk_rr",
		.unit = "Random Disk Reads (K)",
		.class = LM_CLASS_DISK,
		.ops_per = LM_OPS_PER_BLOCK,
		.factor = 1,
		.flags = LM_JOB_DIR,
		.run = disk_rr,
	},
	{
		.name = "disk_rw",
		.unit = "Random Disk Writes (K)",
		.class = LM_CLASS_DISK,
		.ops_per = LM_OPS_PER_BLOCK,
		.factor = 1,
		.flags = LM_JOB_DIR,
		.run = disk_rw,
	},
	{
		.name = "disk_rd",
		.unit = "Sequential Disk Reads (K)",
		.class = LM_CLASS_DISK,
		.ops_per = LM_OPS_PER_BLOCK,
		.factor = 1,
		.flags = LM_JOB_DIR | LM_JOB_COMMON,
		.run = disk_rd,
	},
	{
		.name = "disk_wrt",
		.unit = "Sequential Disk Writes (K)",
		.class = LM_CLASS_DISK,
		.ops_per = LM_OPS_PER_BLOCK,
		.factor = 1,
		.flags = LM_JOB_DIR,
		.run = disk_wrt,
	},
	{
		.name = "disk_cp",
		.unit = "Disk Copies (K)",
		.class = LM_CLASS_DISK,
		.ops_per = LM_OPS_PER_BLOCK,
		.factor = 1,
		.flags = LM_JOB_DIR | LM_JOB_COMMON,
		.run = disk_cp,
	},
	{
		.name = "sync_disk_rw",
		.unit = "Sync Random Disk Writes (K)",
		.class = LM_CLASS_DISK,
		.ops_per = LM_OPS_PER_HALF_BLOCK,
		.factor = 1,
		.flags = LM_JOB_DIR,
		.run = sync_disk_rw,
	},
	{
		.name = "sync_disk_wrt",
		.unit = "Sync Sequential Disk Writes (K)",
		.class = LM_CLASS_DISK,
		.ops_per = LM_OPS_PER_HALF_BLOCK,
		.factor = 1,
		.flags = LM_JOB_DIR,
		.run = sync_disk_wrt,
	},
	{
		.name = "sync_disk_cp",
		.unit = "Sync Disk Copies (K)",
		.class = LM_CLASS_DISK,
		.ops_per = LM_OPS_PER_HALF_BLOCK,
		.factor = 1,
		.flags = LM_JOB_DIR | LM_JOB_COMMON,
		.run = sync_disk_cp,
	},
	{ 0 },
};
