/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps that disk kinds share, and taking them. */
#include <fcntl.h>
#include <stdalign.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/disk.h"

#define FILE_MODE  0777 /* before umask, as AIM7 */
#define SMALL_SIZE 4096

/* The block in hand, for usual sizes and for others. Starts as zeros and keeps what was read last,
 * as in AIM7. */
static alignas(SMALL_SIZE) unsigned char small_buffer[SMALL_SIZE];
static struct lm_disk_memory large_buffer;

static enum lm_outcome file_fail(struct lm_disk_run *run, const char *call, int file)
{
	return lm_job_fail(run->ctx, "%s %s", call, run->files[file].path);
}

/* --- one call ---------------------------------------------------------------------------- */

static enum lm_outcome opened(struct lm_disk_run *run, const char *call, int file, int fd)
{
	run->files[file].fd = fd;
	return fd < 0 ? file_fail(run, call, file) : LM_JOB_OK;
}

enum lm_outcome lm_disk_creat(struct lm_disk_run *run, int arg)
{
	struct lm_disk_file *own = &run->files[LM_DISK_OWN];
	int fd = creat(lm_job_path(run->ctx, own->path), FILE_MODE);

	(void)arg;
	own->named = fd >= 0;
	return opened(run, "creat", LM_DISK_OWN, fd);
}

enum lm_outcome lm_disk_open_new(struct lm_disk_run *run, int arg)
{
	struct lm_disk_file *own = &run->files[LM_DISK_OWN];
	int fd = open(lm_job_path(run->ctx, own->path), O_WRONLY | O_CREAT | arg, FILE_MODE);

	/* An open refused for O_DIRECT may have made the file. */
	own->named = fd >= 0 || arg & O_DIRECT;
	return opened(run, "open", LM_DISK_OWN, fd);
}

enum lm_outcome lm_disk_open_own(struct lm_disk_run *run, int arg)
{
	return opened(run, "open", LM_DISK_OWN, open(run->files[LM_DISK_OWN].path, arg));
}

enum lm_outcome lm_disk_open_common(struct lm_disk_run *run, int arg)
{
	struct lm_disk_file *common = &run->files[LM_DISK_COMMON];

	snprintf(run->common, sizeof(run->common), "%s/%s", run->ctx->dir, LM_COMMON_NAME);
	if ((arg & O_ACCMODE) != O_RDONLY && lm_disk_replicate(run) < 0)
		return lm_job_fail(run->ctx, "mmap for a block of %zu bytes", run->size);
	return opened(run, "open", LM_DISK_COMMON, open(common->path, arg));
}

enum lm_outcome lm_disk_unlink(struct lm_disk_run *run, int arg)
{
	struct lm_disk_file *own = &run->files[LM_DISK_OWN];

	(void)arg;
	own->named = false;
	return unlink(own->path) < 0 ? file_fail(run, "unlink", LM_DISK_OWN) : LM_JOB_OK;
}

enum lm_outcome lm_disk_unlink_again(struct lm_disk_run *run, int arg)
{
	(void)arg;
	if (unlink(run->files[LM_DISK_OWN].path) == 0)
		return lm_job_wrong(run->ctx, "unlink %s: it was still there after its removal",
				    run->files[LM_DISK_OWN].path);
	return errno == ENOENT ? LM_JOB_OK : file_fail(run, "unlink", LM_DISK_OWN);
}

enum lm_outcome lm_disk_close(struct lm_disk_run *run, int arg)
{
	int fd = run->files[arg].fd;

	run->files[arg].fd = -1;
	return close(fd) < 0 ? file_fail(run, "close", arg) : LM_JOB_OK;
}

static enum lm_outcome seek_block(struct lm_disk_run *run, int file, uint64_t block)
{
	if (lseek(run->files[file].fd, (off_t)(block * run->size), SEEK_SET) < 0)
		return file_fail(run, "lseek", file);
	return LM_JOB_OK;
}

enum lm_outcome lm_disk_rewind(struct lm_disk_run *run, int arg)
{
	return seek_block(run, arg, 0);
}

enum lm_outcome lm_disk_sync(struct lm_disk_run *run, int arg)
{
	(void)arg;
	if (run->ctx->semantics == LM_SEMANTICS_REAIM && run->ctx->system_sync)
		sync();
	return LM_JOB_OK;
}

/* --- many -------------------------------------------------------------------------------- */

static enum lm_outcome write_blocks(struct lm_disk_run *run, int file, uint64_t count)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (uint64_t block = 0; block < count && outcome == LM_JOB_OK; block++)
		outcome = lm_disk_write_block(run, file, block);
	return outcome;
}

enum lm_outcome lm_disk_write(struct lm_disk_run *run, int arg)
{
	return write_blocks(run, arg, run->count);
}

enum lm_outcome lm_disk_write_whole(struct lm_disk_run *run, int arg)
{
	(void)arg;
	return write_blocks(run, LM_DISK_OWN, run->whole);
}

enum lm_outcome lm_disk_read(struct lm_disk_run *run, int arg)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (uint64_t block = 0; block < run->count && outcome == LM_JOB_OK; block++)
		outcome = lm_disk_read_block(run, arg, block);
	return outcome;
}

enum lm_outcome lm_disk_copy(struct lm_disk_run *run, int arg)
{
	enum lm_outcome outcome = LM_JOB_OK;

	(void)arg;
	for (uint64_t block = 0; block < run->count && outcome == LM_JOB_OK; block++) {
		outcome = lm_disk_read_block(run, LM_DISK_COMMON, block);
		if (outcome == LM_JOB_OK)
			outcome = lm_disk_write_block(run, LM_DISK_OWN, block);
	}
	return outcome;
}

static enum lm_outcome at_random(struct lm_disk_run *run, int file,
				 enum lm_outcome (*transfer)(struct lm_disk_run *, int, uint64_t))
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (uint64_t done = 0; done < run->count && outcome == LM_JOB_OK; done++) {
		uint64_t block = lm_job_block(run->ctx, run->count);

		outcome = seek_block(run, file, block);
		if (outcome == LM_JOB_OK)
			outcome = transfer(run, file, block);
	}
	return outcome;
}

enum lm_outcome lm_disk_read_random(struct lm_disk_run *run, int arg)
{
	return at_random(run, arg, lm_disk_read_block);
}

enum lm_outcome lm_disk_write_random(struct lm_disk_run *run, int arg)
{
	return at_random(run, arg, lm_disk_write_block);
}

/* Read a block and write the one after it, as AIM7, which does not move back. It draws from all
 * blocks and lets the file grow; here the last one gives way to the one before it. Half the file
 * holds a block, so the whole holds two. */
enum lm_outcome lm_disk_update(struct lm_disk_run *run, int arg)
{
	enum lm_outcome outcome = LM_JOB_OK;

	(void)arg;
	for (uint64_t done = 0; done < run->count && outcome == LM_JOB_OK; done++) {
		uint64_t block = lm_job_block(run->ctx, run->whole);

		if (block == run->whole - 1)
			block--;
		outcome = seek_block(run, LM_DISK_OWN, block);
		if (outcome == LM_JOB_OK)
			outcome = lm_disk_read_block(run, LM_DISK_OWN, block);
		if (outcome == LM_JOB_OK)
			outcome = lm_disk_write_block(run, LM_DISK_OWN, block + 1);
	}
	return outcome;
}

/* --- a job ------------------------------------------------------------------------------- */

/* Leave nothing behind after a failure. */
static void abandon(struct lm_disk_run *run)
{
	for (int file = 0; file < LM_DISK_FILES; file++) {
		if (run->files[file].fd >= 0)
			close(run->files[file].fd);
		if (run->files[file].named)
			unlink(run->files[file].path);
	}
}

/* What is read of a run is set one by one: zeros for the paths would cost more. */
static enum lm_outcome begin(struct lm_disk_run *run, struct lm_job_ctx *ctx, size_t size)
{
	bool half = ctx->job->ops_per == LM_OPS_PER_HALF_BLOCK;

	run->ctx = ctx;
	run->size = size;
	run->whole = lm_disk_blocks(ctx->file_kib, size);
	run->count = half ? lm_disk_blocks(ctx->file_kib / 2, size) : run->whole;
	run->files[LM_DISK_OWN] = (struct lm_disk_file){ -1, false, run->own };
	run->files[LM_DISK_COMMON] = (struct lm_disk_file){ -1, false, run->common };
	run->buffer = size <= SMALL_SIZE ? small_buffer : lm_disk_reserve(&large_buffer, size);
	if (!run->buffer)
		return lm_job_fail(ctx, "mmap for a block of %zu bytes", size);
	return LM_JOB_OK;
}

enum lm_outcome lm_disk_perform(struct lm_job_ctx *ctx, size_t size)
{
	const struct lm_disk_kind *kind = ctx->job->data;
	const struct lm_disk_step *step = kind->steps;
	struct lm_disk_run run;
	enum lm_outcome outcome = begin(&run, ctx, size);

	if (ctx->semantics == LM_SEMANTICS_REAIM && kind->reaim[0].take)
		step = kind->reaim;
	for (; outcome == LM_JOB_OK && step->take; step++)
		outcome = step->take(&run, step->arg);
	if (outcome != LM_JOB_OK)
		abandon(&run);
	return outcome;
}
