/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disk kinds that go past the page cache, with O_DIRECT. Whether a directory takes that, and of
 * what alignment, is found out before the run.
 */
#include <fcntl.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/disk.h"
#include "jobs/jobs.h"

#define OWN    LM_DISK_OWN
#define COMMON LM_DISK_COMMON

/* Where neither the file system nor its device tells: what all take. */
#define SAFEST_ALIGNMENT  4096
#define LARGEST_ALIGNMENT 65536

/* What the most demanding of the run's directories asks for, so that a kind does the same work in
 * all of them; noted by supported(), before the tasks are forked. */
static size_t alignment;

static const struct lm_disk_kind disk_dio_rr = {
	.steps = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 },
		   { lm_disk_open_own, O_RDONLY | O_DIRECT },
		   { lm_disk_read_random, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 } },
};

static const struct lm_disk_kind disk_dio_rw = {
	.steps = { { lm_disk_creat, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 },
		   { lm_disk_open_own, O_WRONLY | O_DIRECT },
		   { lm_disk_write_random, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 } },
};

static const struct lm_disk_kind disk_dio_rd = {
	.steps = { { lm_disk_open_common, O_RDONLY | O_DIRECT },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_read, COMMON },
		   { lm_disk_close, COMMON },
		   { lm_disk_sync, 0 } },
};

/* Re-aim-7 writes nothing here and copies nothing below, by a fault. */
static const struct lm_disk_kind disk_dio_wrt = {
	.steps = { { lm_disk_open_new, O_DIRECT },
		   { lm_disk_sync, 0 },
		   { lm_disk_write, OWN },
		   { lm_disk_close, OWN },
		   { lm_disk_unlink, 0 },
		   { lm_disk_sync, 0 } },
};

static const struct lm_disk_kind disk_dio_cp = {
	.steps = { { lm_disk_open_common, O_RDONLY | O_DIRECT },
		   { lm_disk_open_new, O_DIRECT },
		   { lm_disk_sync, 0 },
		   { lm_disk_rewind, COMMON },
		   { lm_disk_copy, 0 },
		   { lm_disk_unlink, 0 },
		   { lm_disk_close, COMMON },
		   { lm_disk_close, OWN },
		   { lm_disk_sync, 0 } },
};

const struct lm_job_param lm_disk_direct_params[] = {
	{ .name = "block",
	  .help = "size of each transfer; if not given 1K, or what the directory asks for if that "
		  "is more",
	  .is_size = true,
	  .fallback = 0,
	  .min = 512,
	  .max = 64 << 20 },
	{ 0 },
};

/* --- before the run ---------------------------------------------------------------------- */

/* For file systems without O_TMPFILE. */
static int open_named(const char *dir, int flags)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/loadmix.XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -1;
	unlink(path);
	if (fcntl(fd, F_SETFL, flags) < 0) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

int lm_disk_open_trial(const char *dir, int flags)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600);

	/* what old kernels and file systems without it say */
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
		return open_named(dir, flags);
	return fd;
}

/* The sector of the device that holds a file; 0: the system does not tell. */
static size_t sector_size(int fd)
{
	static const char *const where[] = { "", "/.." }; /* a disk, or a part of one */
	struct stat st;
	char path[128];
	size_t size = 0;

	if (fstat(fd, &st) < 0)
		return 0;
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]) && size == 0; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u%s/queue/logical_block_size",
			 major(st.st_dev), minor(st.st_dev), where[i]);
		f = fopen(path, "re");
		if (f && fscanf(f, "%zu", &size) != 1)
			size = 0;
		if (f)
			fclose(f);
	}
	return size;
}

/* The alignment of places and memory that direct transfers need; 0: there can be none. */
static size_t wanted_alignment(int fd)
{
	size_t sector;
#ifdef STATX_DIOALIGN
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &st) == 0 &&
	    st.stx_mask & STATX_DIOALIGN) {
		if (st.stx_dio_offset_align == 0)
			return 0;
		return st.stx_dio_offset_align > st.stx_dio_mem_align ? st.stx_dio_offset_align
								      : st.stx_dio_mem_align;
	}
#endif
	sector = sector_size(fd);
	return sector ? sector : SAFEST_ALIGNMENT;
}

/* Some file systems take the flag and refuse the transfer. Another trouble, such as no room, is for
 * the job to meet. */
static bool transfers(int fd, size_t size)
{
	alignas(4096) static unsigned char buffer[LARGEST_ALIGNMENT];

	if (pwrite(fd, buffer, size, (off_t)size) < 0)
		return errno != EINVAL && errno != EOPNOTSUPP;
	return pread(fd, buffer, size, (off_t)size) >= 0 ||
	       (errno != EINVAL && errno != EOPNOTSUPP);
}

/* What the directory asks for, into *wanted. False with the reason when it takes no O_DIRECT. */
static bool ask_directory(const char *dir, size_t *wanted, char *why, size_t why_size)
{
	int fd = lm_disk_open_trial(dir, O_DIRECT);

	*wanted = 0;
	if (fd < 0 && errno != EINVAL) {
		*wanted = 1; /* not for O_DIRECT's sake: the run will say what is wrong */
		return true;
	}
	if (fd >= 0) {
		*wanted = wanted_alignment(fd);
		if (*wanted > LARGEST_ALIGNMENT || (*wanted && !transfers(fd, *wanted)))
			*wanted = 0;
		close(fd);
	}
	if (*wanted == 0)
		snprintf(why, why_size, "its file system refuses direct transfers (O_DIRECT)");
	return *wanted != 0;
}

size_t lm_disk_direct_size(const struct lm_job_ctx *ctx)
{
	size_t block = (size_t)ctx->params[0];

	if (block)
		return block;
	return alignment > LM_BLOCK ? alignment : LM_BLOCK;
}

uint64_t lm_disk_direct_ops(const struct lm_job_ctx *ctx)
{
	size_t size = lm_disk_direct_size(ctx);

	return lm_disk_blocks(ctx->file_kib, size) * size / LM_BLOCK;
}

enum lm_outcome lm_disk_direct_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	size_t wanted, size;

	if (!ask_directory(ctx->dir, &wanted, why, why_size))
		return LM_JOB_UNSUPPORTED;
	if (wanted > alignment)
		alignment = wanted;
	size = lm_disk_direct_size(ctx);
	if (size % alignment == 0)
		return lm_disk_fits(ctx, size, why, why_size);
	snprintf(why, why_size,
		 "direct transfers are of whole units of %zu bytes here, which block= of %zu is "
		 "not: "
		 "give block= a multiple of %zu, or leave it out",
		 alignment, size, alignment);
	return LM_JOB_UNSUPPORTED;
}

static enum lm_outcome run(struct lm_job_ctx *ctx)
{
	return lm_disk_perform(ctx, lm_disk_direct_size(ctx));
}

/* A row; KIND is the name, too. */
#define ROW(KIND, UNIT, FLAGS)                                                         \
	LM_DISK_ROW(#KIND, UNIT, LM_OPS_PER_BLOCK, FLAGS, KIND, lm_disk_direct_params, \
		    lm_disk_direct_ops, lm_disk_direct_supported, run)

const struct lm_job lm_jobs_disk_direct[] = {
	ROW(disk_dio_rr, "Random O_DIRECT Disk Reads (K)", 0),
	ROW(disk_dio_rw, "Random O_DIRECT Disk Writes (K)", 0),
	ROW(disk_dio_rd, "Sequential O_DIRECT Disk Reads (K)", LM_JOB_COMMON),
	ROW(disk_dio_wrt, "Sequential Disk Writes (K)", 0),
	ROW(disk_dio_cp, "O_DIRECT Disk Copies (K)", LM_JOB_COMMON),
	{ 0 },
};
