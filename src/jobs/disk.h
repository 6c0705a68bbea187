/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What disk kinds are made of. A kind is a list of steps over two files, the job's own and the
 * common one: disk_steps.c has the steps that kinds share, a family file adds those of its own.
 *
 * All transfers of a kind are of one size, its parameter "block"; a file has as many blocks as fit
 * into the step's size.
 */
#ifndef LM_JOBS_DISK_H
#define LM_JOBS_DISK_H

#include <loadmix/job.h>

enum { LM_DISK_OWN, LM_DISK_COMMON, LM_DISK_FILES };

struct lm_disk_file {
	int fd;     /* -1 = not open */
	bool named; /* a name that this job has to remove */
	char *path;
};

/* A job while it runs. */
struct lm_disk_run {
	struct lm_job_ctx *ctx;
	size_t size;           /* bytes of a block */
	uint64_t whole;        /* blocks in a file of the step's size */
	uint64_t count;        /* blocks credited: all, or those of half the size */
	unsigned char *buffer; /* of one block, of any content, aligned to a page */
	struct lm_disk_file files[LM_DISK_FILES];
	char own[PATH_MAX];
	char common[PATH_MAX - 256]; /* names of jobs are longer, and there is room for them */
};

/* One step; arg says which file, or is flags of open(), as the step wants it. */
struct lm_disk_step {
	enum lm_outcome (*take)(struct lm_disk_run *run, int arg);
	int arg;
};

#define LM_DISK_STEPS 12

/* A kind, the data of its struct lm_job. Lists end with an empty step. */
struct lm_disk_kind {
	struct lm_disk_step steps[LM_DISK_STEPS];
	struct lm_disk_step reaim[LM_DISK_STEPS]; /* where re-aim-7's differ; else empty */
};

/* A row of a table of disk kinds. */
#define LM_DISK_ROW(NAME, UNIT, PER, FLAGS, KIND, PARAMS, OPS, SUPPORTED, RUN)                   \
	{                                                                                        \
		.name = NAME, .unit = UNIT, .class = LM_CLASS_DISK, .ops_per = PER, .factor = 1, \
		.flags = LM_JOB_DIR | (FLAGS), .params = PARAMS, .data = &(KIND), .ops = OPS,    \
		.supported = SUPPORTED, .run = RUN,                                              \
	}

/* --- disk_steps.c ------------------------------------------------------------------------ */

/* Take the steps of ctx->job with blocks of that size; nothing is left behind. */
enum lm_outcome lm_disk_perform(struct lm_job_ctx *ctx, size_t size);

/* creat(), or open() with O_WRONLY | O_CREAT | arg, of a new name for the own file. */
enum lm_outcome lm_disk_creat(struct lm_disk_run *run, int arg);
enum lm_outcome lm_disk_open_new(struct lm_disk_run *run, int arg);
/* open() with flags arg. The common file may be opened for writing; see lm_disk_replicate(). */
enum lm_outcome lm_disk_open_own(struct lm_disk_run *run, int arg);
enum lm_outcome lm_disk_open_common(struct lm_disk_run *run, int arg);
/* Remove the own file's name; the second time it must be gone. */
enum lm_outcome lm_disk_unlink(struct lm_disk_run *run, int arg);
enum lm_outcome lm_disk_unlink_again(struct lm_disk_run *run, int arg);
/* Of file arg: close, lseek to 0, read or write the credited blocks in sequence. */
enum lm_outcome lm_disk_close(struct lm_disk_run *run, int arg);
enum lm_outcome lm_disk_rewind(struct lm_disk_run *run, int arg);
enum lm_outcome lm_disk_read(struct lm_disk_run *run, int arg);
enum lm_outcome lm_disk_write(struct lm_disk_run *run, int arg);
/* Write all blocks of the own file in sequence. */
enum lm_outcome lm_disk_write_whole(struct lm_disk_run *run, int arg);
/* Copy the credited blocks of the common file to the own one. */
enum lm_outcome lm_disk_copy(struct lm_disk_run *run, int arg);
/* As many random transfers as blocks are credited: in file arg, or updates of the own one. */
enum lm_outcome lm_disk_read_random(struct lm_disk_run *run, int arg);
enum lm_outcome lm_disk_write_random(struct lm_disk_run *run, int arg);
enum lm_outcome lm_disk_update(struct lm_disk_run *run, int arg);
/* What re-aim-7 does between its steps: sync() the whole system, unless that is switched off. */
enum lm_outcome lm_disk_sync(struct lm_disk_run *run, int arg);

/* --- disk_block.c ------------------------------------------------------------------------ */

extern const struct lm_job_param lm_disk_params[]; /* the first is the size of a block */

/* Blocks of that size in so many KiB. */
static inline uint64_t lm_disk_blocks(uint64_t kib, size_t size)
{
	return kib * LM_BLOCK / size;
}

/* KiB that one run transfers in whole blocks of its parameter's size: what it is credited with. */
uint64_t lm_disk_ops(const struct lm_job_ctx *ctx);

/* Whether blocks of that size fit into what ctx->job transfers: an answer for supported(). */
enum lm_outcome lm_disk_fits(const struct lm_job_ctx *ctx, size_t size, char *why, size_t why_size);

/* Memory that is asked of the system but for the first page, and then kept by the task. */
struct lm_disk_memory {
	unsigned char *at;
	size_t size;
};

/* At least size bytes, aligned to a page. NULL with errno. */
unsigned char *lm_disk_reserve(struct lm_disk_memory *memory, size_t size);

/* Put the stamp of a block into a buffer before it is written. */
void lm_disk_stamp(const struct lm_disk_run *run, unsigned char *buffer, uint64_t block);

/* The call that transfers a block returned something else than its size. */
enum lm_outcome lm_disk_wrong_length(const struct lm_disk_run *run, const char *call, int file,
				     uint64_t block, ssize_t length);

/* Judge a block read by its stamp. */
enum lm_outcome lm_disk_check_stamp(const struct lm_disk_run *run, int file, uint64_t block,
				    const unsigned char *buffer);

/* Have at hand what the common file holds, in blocks of run->size: whoever writes to it writes
 * that, so that it stays what the others expect. -1 with errno. */
int lm_disk_replicate(const struct lm_disk_run *run);

/* Transfer the next block of a file, which has this number. */
enum lm_outcome lm_disk_write_block(struct lm_disk_run *run, int file, uint64_t block);
enum lm_outcome lm_disk_read_block(struct lm_disk_run *run, int file, uint64_t block);

/* --- disk_direct.c ----------------------------------------------------------------------- */

/* A file of the directory, without a name, open for both ways with more flags. -1 with errno. */
int lm_disk_open_trial(const char *dir, int flags);

/* The same for these kinds: without a value the size is the directory's. */
extern const struct lm_job_param lm_disk_direct_params[];

/* The size of a block of a kind that reads or writes with O_DIRECT. */
size_t lm_disk_direct_size(const struct lm_job_ctx *ctx);

/* KiB that one run transfers in blocks of that size. */
uint64_t lm_disk_direct_ops(const struct lm_job_ctx *ctx);

/* Whether ctx->dir takes O_DIRECT and these blocks, and what alignment it wants: see supported().
 */
enum lm_outcome lm_disk_direct_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size);

#endif
