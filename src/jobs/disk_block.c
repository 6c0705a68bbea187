/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks that disk kinds transfer: their size, their memory, and their stamp, which is written
 * with every block and checked whenever it is read.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/disk.h"

const struct lm_job_param lm_disk_params[] = {
	{ .name = "block",
	  .help = "size of each transfer",
	  .is_size = true,
	  .fallback = LM_BLOCK,
	  .min = 512,
	  .max = 64 << 20 },
	{ 0 },
};

uint64_t lm_disk_ops(const struct lm_job_ctx *ctx)
{
	uint64_t kib =
		ctx->job->ops_per == LM_OPS_PER_HALF_BLOCK ? ctx->file_kib / 2 : ctx->file_kib;
	uint64_t size = ctx->params[0];

	return lm_disk_blocks(kib, size) * size / LM_BLOCK;
}

enum lm_outcome lm_disk_fits(const struct lm_job_ctx *ctx, size_t size, char *why, size_t why_size)
{
	bool half = ctx->job->ops_per == LM_OPS_PER_HALF_BLOCK;
	uint64_t kib = half ? ctx->file_kib / 2 : ctx->file_kib;

	/* AIM7's blocks may find no room, too: then there is no transfer, as in AIM7. */
	if (size <= LM_BLOCK || lm_disk_blocks(kib, size) > 0)
		return LM_JOB_OK;
	snprintf(why, why_size,
		 "a block of %zu bytes is larger than %sthe file of %" PRIu64
		 " KiB: raise FILESIZE or lower block=",
		 size, half ? "half " : "", ctx->file_kib);
	return LM_JOB_UNSUPPORTED;
}

/* Not from the heap, whose layout is the work of other kinds. What is there is given back first: a
 * task that meets several sizes asks once for each that is larger than those before. */
unsigned char *lm_disk_reserve(struct lm_disk_memory *memory, size_t size)
{
	if (size <= memory->size)
		return memory->at;
	if (memory->size > 0)
		munmap(memory->at, memory->size);
	memory->size = 0;
	memory->at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory->at == MAP_FAILED)
		return NULL;
	memory->size = size;
	return memory->at;
}

/* The stamp of a block is that of the first KiB that begins in it. Where in the block that is; not
 * below its size when it has no room for a stamp. */
static size_t stamp_place(const struct lm_disk_run *run, uint64_t block, uint64_t *kib)
{
	uint64_t offset = block * run->size;
	size_t place = (size_t)(-offset % LM_BLOCK);

	*kib = (offset + place) / LM_BLOCK;
	return place + sizeof(*kib) <= run->size ? place : run->size;
}

void lm_disk_stamp(const struct lm_disk_run *run, unsigned char *buffer, uint64_t block)
{
	uint64_t kib;
	size_t place = stamp_place(run, block, &kib);

	if (place < run->size)
		memcpy(buffer + place, &kib, sizeof(kib));
}

enum lm_outcome lm_disk_wrong_length(const struct lm_disk_run *run, const char *call, int file,
				     uint64_t block, ssize_t length)
{
	const char *path = run->files[file].path;

	if (length < 0)
		return lm_job_fail(run->ctx, "%s %s, block %" PRIu64, call, path, block);
	return lm_job_wrong(run->ctx, "%s %s, block %" PRIu64 ": %zd bytes, want %zu", call, path,
			    block, length, run->size);
}

/* Apart from the check, which has less to do without it. */
static __attribute__((noinline)) enum lm_outcome wrong_stamp(const struct lm_disk_run *run,
							     int file, uint64_t block,
							     uint64_t found, uint64_t wanted)
{
	return lm_job_wrong(run->ctx,
			    "read %s, block %" PRIu64 ": it is stamped %" PRIu64 ", want %" PRIu64,
			    run->files[file].path, block, found, wanted);
}

enum lm_outcome lm_disk_check_stamp(const struct lm_disk_run *run, int file, uint64_t block,
				    const unsigned char *buffer)
{
	uint64_t kib, found;
	size_t place = stamp_place(run, block, &kib);

	if (place == run->size)
		return LM_JOB_OK;
	memcpy(&found, buffer + place, sizeof(found));
	if (found == kib)
		return LM_JOB_OK;
	return wrong_stamp(run, file, block, found, kib);
}

/* A piece of the common file from the beginning of a KiB on: its pattern, and the stamps of where
 * it was last written. */
static struct lm_disk_memory replica;

int lm_disk_replicate(const struct lm_disk_run *run)
{
	size_t size = run->size + 2 * LM_BLOCK; /* a block may begin and end inside a KiB */
	unsigned char pattern[LM_BLOCK];

	if (size <= replica.size)
		return 0;
	if (!lm_disk_reserve(&replica, size))
		return -1;
	for (unsigned i = 0; i < LM_BLOCK; i++)
		pattern[i] = (unsigned char)(i % LM_FILL_MODULUS);
	for (size_t at = 0; at + LM_BLOCK <= size; at += LM_BLOCK)
		memcpy(replica.at + at, pattern, LM_BLOCK);
	return 0;
}

/* What the common file holds there: every KiB is stamped, not only the first one. */
static const unsigned char *common_block(const struct lm_disk_run *run, uint64_t block)
{
	uint64_t offset = block * run->size;
	uint64_t kib = offset / LM_BLOCK, end = (offset + run->size - 1) / LM_BLOCK;

	for (unsigned char *at = replica.at; kib <= end; kib++, at += LM_BLOCK)
		memcpy(at, &kib, sizeof(kib));
	return replica.at + offset % LM_BLOCK;
}

static const unsigned char *own_block(const struct lm_disk_run *run, uint64_t block)
{
	lm_disk_stamp(run, run->buffer, block);
	return run->buffer;
}

enum lm_outcome lm_disk_write_block(struct lm_disk_run *run, int file, uint64_t block)
{
	const unsigned char *data =
		file == LM_DISK_COMMON ? common_block(run, block) : own_block(run, block);
	ssize_t length = write(run->files[file].fd, data, run->size);

	return length == (ssize_t)run->size
		       ? LM_JOB_OK
		       : lm_disk_wrong_length(run, "write", file, block, length);
}

enum lm_outcome lm_disk_read_block(struct lm_disk_run *run, int file, uint64_t block)
{
	ssize_t length = read(run->files[file].fd, run->buffer, run->size);

	if (length != (ssize_t)run->size)
		return lm_disk_wrong_length(run, "read", file, block, length);
	return lm_disk_check_stamp(run, file, block, run->buffer);
}
