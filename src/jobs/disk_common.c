/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds of our own, which no mix of AIM7 or re-aim-7 has: one sort of transfer each, of the common
 * file, so that a table of record sizes needs no differences between kinds.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/disk.h"
#include "jobs/jobs.h"

#define COMMON      LM_DISK_COMMON

#define RUN_TRIES   1000 /* about as many ms: for pages that are still on their way */
#define TRIAL_TRIES 20

/* --- the page cache ---------------------------------------------------------------------- */

#define SPAN       (256u << 20) /* bytes of a file that are looked at together */
#define LEAST_PAGE 4096

/* How many pages of a span are in memory; -1 with errno. */
static int64_t resident_in(int fd, uint64_t at, size_t length)
{
	static unsigned char pages_of_span[SPAN / LEAST_PAGE];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)at);
	int64_t pages = 0;
	int rc;

	if (map == MAP_FAILED)
		return -1;
	rc = mincore(map, length, pages_of_span);
	munmap(map, length);
	for (size_t i = 0; rc == 0 && i < (length + page - 1) / page; i++)
		pages += pages_of_span[i] & 1;
	return rc < 0 ? -1 : pages;
}

static int64_t resident(int fd, uint64_t bytes)
{
	int64_t pages = 0;

	for (uint64_t at = 0; at < bytes && pages >= 0; at += SPAN) {
		int64_t more = resident_in(fd, at, bytes - at < SPAN ? bytes - at : SPAN);

		pages = more < 0 ? -1 : pages + more;
	}
	return pages;
}

/* Drop a file's pages: how many are left, -1 with errno. A dirty page stays, so they are written
 * first; one that is being read ahead, or moved by the kernel, stays as long as that takes. */
static int64_t drop(int fd, uint64_t bytes, int tries)
{
	const struct timespec moment = { 0, 1000000 };
	int64_t left = -1;

	if (fdatasync(fd) < 0)
		return -1;
	while (tries-- > 0) {
		errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		left = errno ? -1 : resident(fd, bytes);
		if (left <= 0)
			break;
		nanosleep(&moment, NULL);
	}
	return left;
}

static enum lm_outcome drop_common(struct lm_disk_run *run, int arg)
{
	const struct lm_disk_file *common = &run->files[COMMON];
	int64_t left = drop(common->fd, run->ctx->file_kib * LM_BLOCK, RUN_TRIES);

	(void)arg;
	if (left < 0)
		return lm_job_fail(run->ctx, "drop the pages of %s", common->path);
	if (left > 0)
		return lm_job_wrong(run->ctx,
				    "drop the pages of %s: %" PRId64 " are still in memory",
				    common->path, left);
	return LM_JOB_OK;
}

/* --- the kinds --------------------------------------------------------------------------- */

static const struct lm_disk_kind disk_rewrt = {
	.steps = { { lm_disk_open_common, O_WRONLY },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_write, COMMON },
		   { lm_disk_close, COMMON } },
};

static const struct lm_disk_kind disk_coldrd = {
	.steps = { { lm_disk_open_common, O_RDONLY },
		   { drop_common, 0 },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_read, COMMON },
		   { lm_disk_close, COMMON } },
};

static const struct lm_disk_kind disk_rndrd = {
	.steps = { { lm_disk_open_common, O_RDONLY },
		   { lm_disk_read_random, COMMON },
		   { lm_disk_close, COMMON } },
};

static const struct lm_disk_kind disk_rndwrt = {
	.steps = { { lm_disk_open_common, O_WRONLY },
		   { lm_disk_write_random, COMMON },
		   { lm_disk_close, COMMON } },
};

/* --- before the run ---------------------------------------------------------------------- */

static enum lm_outcome supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	return lm_disk_fits(ctx, (size_t)ctx->params[0], why, why_size);
}

/* Whether the directory's file system lets go of pages. Another trouble is for the job to meet. */
static bool drops_pages(const char *dir)
{
	static const unsigned char page[LEAST_PAGE];
	int fd = lm_disk_open_trial(dir, 0);
	bool stay;

	if (fd < 0)
		return true;
	stay = write(fd, page, sizeof(page)) == (ssize_t)sizeof(page) &&
	       drop(fd, sizeof(page), TRIAL_TRIES) > 0;
	close(fd);
	return !stay;
}

static enum lm_outcome cold_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	/* another task's reads would bring the pages back, and the figure would be the cache's */
	if (ctx->tasks > 1) {
		snprintf(why, why_size,
			 "the common file's pages can be dropped for one task only, not for %u: "
			 "take disk_dio_rd",
			 ctx->tasks);
		return LM_JOB_UNSUPPORTED;
	}
	if (drops_pages(ctx->dir))
		return supported(ctx, why, why_size);
	snprintf(why, why_size,
		 "its file system keeps the pages of files in memory, as tmpfs does");
	return LM_JOB_UNSUPPORTED;
}

static enum lm_outcome run(struct lm_job_ctx *ctx)
{
	return lm_disk_perform(ctx, (size_t)ctx->params[0]);
}

/* A row; KIND is the name, too. */
#define ROW(KIND, UNIT, SUPPORTED)                                                      \
	LM_DISK_ROW(#KIND, UNIT, LM_OPS_PER_BLOCK, LM_JOB_COMMON, KIND, lm_disk_params, \
		    lm_disk_ops, SUPPORTED, run)

const struct lm_job lm_jobs_disk_common[] = {
	ROW(disk_rewrt, "Sequential Disk Rewrites (K)", supported),
	ROW(disk_coldrd, "Sequential Uncached Disk Reads (K)", cold_supported),
	ROW(disk_rndrd, "Random Common File Reads (K)", supported),
	ROW(disk_rndwrt, "Random Common File Writes (K)", supported),
	{ 0 },
};
