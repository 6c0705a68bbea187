/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disk kinds that go through the page cache: AIM7's nine and re-aim-7's plain forms of five. */
#include <fcntl.h>

#include <loadmix/job.h>

#include "jobs/disk.h"
#include "jobs/jobs.h"

#define OWN    LM_DISK_OWN
#define COMMON LM_DISK_COMMON

static const struct lm_disk_kind disk_rr = {
	.steps = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_open_own, O_RDONLY },
		   { lm_disk_unlink, 0 },
		   { lm_disk_read_random, OWN },
		   { lm_disk_close, OWN } },
	.reaim = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 },
		   { lm_disk_open_own, O_RDONLY },
		   { lm_disk_read_random, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 } },
};

static const struct lm_disk_kind disk_rw = {
	.steps = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_open_own, O_WRONLY },
		   { lm_disk_unlink, 0 },
		   { lm_disk_write_random, OWN },
		   { lm_disk_close, OWN } },
	.reaim = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 },
		   { lm_disk_open_own, O_WRONLY },
		   { lm_disk_write_random, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 } },
};

static const struct lm_disk_kind disk_rd = {
	.steps = { { lm_disk_open_common, O_RDONLY },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_read, COMMON },
		   { lm_disk_close, COMMON } },
	.reaim = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 },
		   { lm_disk_open_own, O_RDONLY },
		   { lm_disk_rewind, OWN },
		   { lm_disk_read, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_sync, 0 } },
};

static const struct lm_disk_kind disk_wrt = {
	.steps = { { lm_disk_creat, 0 },
		   { lm_disk_unlink, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN } },
	.reaim = { { lm_disk_creat, 0 },
		   { lm_disk_sync, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 } },
};

static const struct lm_disk_kind disk_cp = {
	.steps = { { lm_disk_open_common, O_RDONLY },
		   { lm_disk_creat, 0 },
		   { lm_disk_unlink, 0 },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_copy, 0 },
		   { lm_disk_close, COMMON },
		   { lm_disk_close, OWN } },
	.reaim = { { lm_disk_sync, 0 },
		   { lm_disk_open_common, O_RDONLY },
		   { lm_disk_creat, 0 },
		   { lm_disk_sync, 0 },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_copy, 0 },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, COMMON },
		   { lm_disk_close, OWN },
		   { lm_disk_unlink_again, 0 },
		   { lm_disk_sync, 0 } },
};

static const struct lm_disk_kind sync_disk_rw = {
	.steps = { { lm_disk_open_new, O_TRUNC },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_open_own, O_WRONLY | O_SYNC },
		   { lm_disk_write_random, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN } },
	.reaim = { { lm_disk_open_new, O_TRUNC },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_open_own, O_WRONLY | O_SYNC },
		   { lm_disk_write_random, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_unlink, 0 } },
};

static const struct lm_disk_kind sync_disk_wrt = {
	.steps = { { lm_disk_open_new, O_TRUNC | O_SYNC },
		   { lm_disk_write, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN } },
	.reaim = { { lm_disk_open_new, O_TRUNC | O_SYNC },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_unlink, 0 } },
};

static const struct lm_disk_kind sync_disk_cp = {
	.steps = { { lm_disk_open_common, O_RDONLY },
		   { lm_disk_open_new, O_TRUNC | O_SYNC },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_copy, 0 },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, COMMON },
		   { lm_disk_close, OWN } },
	.reaim = { { lm_disk_open_common, O_RDONLY },
		   { lm_disk_open_new, O_TRUNC | O_SYNC },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_copy, 0 },
		   { lm_disk_close, COMMON },
		   { lm_disk_close, OWN },
		   { lm_disk_unlink, 0 } },
};

static const struct lm_disk_kind sync_disk_update = {
	.steps = { { lm_disk_open_new, O_TRUNC },
		   { lm_disk_write_whole, 0 },
		   { lm_disk_close, OWN },
		   { lm_disk_open_own, O_RDWR | O_SYNC },
		   { lm_disk_update, 0 },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN } },
	.reaim = { { lm_disk_open_new, O_TRUNC },
		   { lm_disk_write_whole, 0 },
		   { lm_disk_close, OWN },
		   { lm_disk_open_own, O_RDWR | O_SYNC },
		   { lm_disk_update, 0 },
		   { lm_disk_close, OWN },
		   { lm_disk_unlink, 0 } },
};

static const struct lm_disk_kind disk_brr = {
	.steps = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_open_own, O_RDONLY },
		   { lm_disk_read_random, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN } },
};

static const struct lm_disk_kind disk_brw = {
	.steps = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_open_own, O_WRONLY },
		   { lm_disk_write_random, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN } },
};

static const struct lm_disk_kind disk_brd = {
	.steps = { { lm_disk_open_common, O_RDONLY },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_read, COMMON },
		   { lm_disk_close, COMMON } },
};

static const struct lm_disk_kind disk_bwrt = {
	.steps = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN } },
};

static const struct lm_disk_kind disk_bcp = {
	.steps = { { lm_disk_open_common, O_RDONLY },
		   { lm_disk_creat, 0 },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_copy, 0 },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, COMMON },
		   { lm_disk_close, OWN },
		   { lm_disk_unlink_again, 0 } },
};

static enum lm_outcome supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	return lm_disk_fits(ctx, (size_t)ctx->params[0], why, why_size);
}

static enum lm_outcome run(struct lm_job_ctx *ctx)
{
	return lm_disk_perform(ctx, (size_t)ctx->params[0]);
}

/* A row; KIND is the name, too. */
#define ALL(KIND, UNIT, FLAGS)                                                               \
	LM_DISK_ROW(#KIND, UNIT, LM_OPS_PER_BLOCK, FLAGS, KIND, lm_disk_params, lm_disk_ops, \
		    supported, run)
#define HALF(KIND, UNIT, FLAGS)                                                                   \
	LM_DISK_ROW(#KIND, UNIT, LM_OPS_PER_HALF_BLOCK, FLAGS, KIND, lm_disk_params, lm_disk_ops, \
		    supported, run)

const struct lm_job lm_jobs_disk[] = {
	ALL(disk_rr, "Random Disk Reads (K)", 0),
	ALL(disk_rw, "Random Disk Writes (K)", 0),
	ALL(disk_rd, "Sequential Disk Reads (K)", LM_JOB_COMMON),
	ALL(disk_wrt, "Sequential Disk Writes (K)", 0),
	ALL(disk_cp, "Disk Copies (K)", LM_JOB_COMMON),
	HALF(sync_disk_rw, "Sync Random Disk Writes (K)", 0),
	HALF(sync_disk_wrt, "Sync Sequential Disk Writes (K)", 0),
	HALF(sync_disk_cp, "Sync Disk Copies (K)", LM_JOB_COMMON),
	HALF(sync_disk_update, "Sync Disk Updates (K)", 0),
	ALL(disk_brr, "Random Bufcache Disk Reads (K)", 0),
	ALL(disk_brw, "Random Bufcache Disk Writes (K)", 0),
	ALL(disk_brd, "Sequential Bufcache Disk Reads (K)", LM_JOB_COMMON),
	ALL(disk_bwrt, "Sequential Bufcache Disk Writes (K)", 0),
	ALL(disk_bcp, "Bufcache Disk Copies (K)", LM_JOB_COMMON),
	{ 0 },
};
