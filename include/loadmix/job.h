/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between the engine and a job kind: all that a kind includes besides system headers.
 *
 * A family file holds static functions and, at its foot, one table of struct lm_job that ends with
 * an entry without a name. A kind does exactly the work that docs/jobs.md states, keeps the
 * compiler from shortening it, and checks its own result.
 */
#ifndef LOADMIX_JOB_H
#define LOADMIX_JOB_H

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum lm_job_class {
	LM_CLASS_CPU_INT,
	LM_CLASS_CPU_FLOAT,
	LM_CLASS_LIBC,
	LM_CLASS_MEMORY,
	LM_CLASS_PROCESS,
	LM_CLASS_IPC,
	LM_CLASS_FS_META,
	LM_CLASS_DISK,
	LM_CLASS_SHELL,
	LM_CLASS_COUNT
};

enum lm_outcome {
	LM_JOB_OK,
	LM_JOB_FAILED,      /* a call failed or the result was wrong */
	LM_JOB_UNSUPPORTED, /* this system or directory cannot do it; known before the run */
	LM_JOB_NO_RESOURCE, /* out of space, descriptors, memory, processes, addresses */
};

/* What the operations credited to one run are counted in. */
enum lm_ops_per {
	LM_OPS_PER_RUN,        /* factor operations a run */
	LM_OPS_PER_BLOCK,      /* factor operations a KiB of the step's file size */
	LM_OPS_PER_HALF_BLOCK, /* the same over half the file size, rounded down */
};

/* What a kind needs from the engine. */
enum lm_job_flags {
	LM_JOB_DIR = 1u << 0,      /* works in a directory, and so advances the rotation */
	LM_JOB_COMMON = 1u << 1,   /* needs the common file */
	LM_JOB_CHILDREN = 1u << 2, /* starts processes and waits for them: their time counts */
};

/* Names inside a job's directory that the engine makes before the tasks start. */
#define LM_COMMON_NAME "common"

/* Files are measured in blocks of this size, in bytes. Disk transfers are of it, too, unless a
 * kind's parameter "block" says otherwise. */
#define LM_BLOCK 1024u

/* Byte i of every block of the common file is i % LM_FILL_MODULUS, but the first eight bytes of
 * a block hold its number (uint64_t, native order), so that a reader can tell which block it got.
 * A kind that writes to it writes just that.
 *
 * Whatever the size of a transfer, the numbers stay those of the KiB of a file: a transfer is told
 * by the number of the first KiB that begins in it, which is written or checked where that KiB
 * begins. Transfers of 512 bytes that begin in the middle of a KiB have none.
 */
#define LM_FILL_MODULUS 127u

/* The textbook C generator of AIM7 (compat: 64-bit state, bits 16 to 30 are drawn). */
struct lm_rng {
	uint64_t state;
};

/* The next draw, 0 to 32767. */
static inline unsigned lm_rng_draw(struct lm_rng *rng)
{
	rng->state = rng->state * 1103515245u + 12345u;
	return (unsigned)(rng->state >> 16) & 0x7fffu;
}

/* Whose work a kind does where AIM7 and re-aim-7 differ (docs/jobs.md). */
enum lm_semantics { LM_SEMANTICS_AIM7, LM_SEMANTICS_REAIM };

/* Most parameters that a kind can have. */
#define LM_MAX_PARAMS 4

/* A parameter that a workfile line may give a kind: "10 disk_rd block=64K". fallback is its value
 * when it is not given: between min and max, or 0 below min for a kind that chooses by itself then,
 * as help says. */
struct lm_job_param {
	const char *name, *help;
	bool is_size; /* in bytes, may be written 512, 4K, 64M; else a plain number */
	uint64_t fallback, min, max;
};

/* Everything a job is told. Owned by the engine, one per task, valid during run(). */
struct lm_job_ctx {
	const struct lm_job *job; /* the kind itself */
	const uint64_t *params;   /* values in the order of job->params */
	const char *dir;   /* absolute path of this job's directory, shared by all tasks; no final
			      '/';   NULL for a kind without LM_JOB_DIR */
	const char *home;  /* the first of the scratch directories, for the few files of a kind
			      without LM_JOB_DIR */
	uint64_t file_kib; /* the step's file size in blocks of LM_BLOCK bytes */
	unsigned tasks;    /* tasks in this step */
	unsigned task;     /* index of this task, from 0 */
	unsigned names;    /* names made so far, see lm_job_path() */
	enum lm_semantics semantics;
	bool system_sync;     /* re-aim-7's kinds call sync() around their I/O; false: not */
	const char *data_dir; /* absolute path of the program's data files, such as scripts */
	int *ipc_key;         /* where a job notes the key of System V objects, before it makes them
				 and until it has removed them, then 0: a killed task's are removed
				 for it. A note of their ids would come too late for some */
	struct lm_rng rng;    /* the kinds' own stream: drawing from it does not change job order */
	/* Record why the job failed; error is an errno value or 0. Set by the engine. The first
	 * report counts; a process that the job has forked may make it, too. */
	void (*report)(struct lm_job_ctx *ctx, int error, const char *fmt, va_list ap);
};

/*
 * A job kind. Every hook may be NULL but run.
 *
 * supported  in the parent, once a run for every entry of the mix and directory, before anything is
 *            created: LM_JOB_OK, or LM_JOB_UNSUPPORTED with the reason as text in why. ctx tells
 *            job, params, semantics, data_dir, file_kib and tasks of the largest load, and as dir
 *            the directory that the user named (NULL without LM_JOB_DIR), as home the first of
 *            these; nothing may be left there
 * prepare    in the parent, once a run, before the first fork: tables and check sums that all
 *            tasks share. Short: signals wait for its end. 0, or -1 with errno
 * furnish    in a process of its own, once a run for every directory, before the first task is
 *            forked: files that the kind needs there; nothing else of it lasts. 0, or -1 with
 *            errno. The engine removes the files with the directory
 * ops        in the parent: operations credited to one run, where factor and ops_per cannot tell,
 *            say because they depend on a parameter; ctx tells job, params and file_kib
 * run        in a task: one job
 */
struct lm_job {
	const char *name; /* as in workfiles */
	const char *unit; /* what the operations are, as the single-user report prints it */
	enum lm_job_class class;
	enum lm_ops_per ops_per;
	uint32_t factor;                   /* operations credited, see enum lm_ops_per */
	unsigned flags;                    /* enum lm_job_flags */
	const struct lm_job_param *params; /* ended by an entry without a name; NULL: none */
	const void *data;                  /* the kind's own, for kinds that share a run function */
	enum lm_outcome (*supported)(const struct lm_job_ctx *ctx, char *why, size_t why_size);
	int (*prepare)(void);
	int (*furnish)(const char *dir);
	uint64_t (*ops)(const struct lm_job_ctx *ctx);
	enum lm_outcome (*run)(struct lm_job_ctx *ctx);
};

/* Raised whenever something above changes its meaning or layout. */
#define LM_JOB_ABI 1

/* What a plug-in exports under the name loadmix_plugin:
 * const struct lm_plugin loadmix_plugin = { LM_JOB_ABI, my_jobs }; */
struct lm_plugin {
	uint32_t abi;              /* LM_JOB_ABI */
	const struct lm_job *jobs; /* ended by an entry without a name */
};

/* A list of kinds: families ended by NULL, each a table ended by an entry without a name. */
typedef const struct lm_job *const *lm_job_list;

static inline enum lm_outcome lm_job_outcome_of(int error)
{
	switch (error) {
	case ENOSPC:
	case EDQUOT:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EAGAIN:
	case ENOBUFS:
	case EADDRNOTAVAIL:
		return LM_JOB_NO_RESOURCE;
	default:
		return LM_JOB_FAILED;
	}
}

/* A call failed: errno says why, the text names the call and what it was about ("creat /x/y").
 * Use as: return lm_job_fail(ctx, "link %s", name); */
__attribute__((format(printf, 2, 3), unused)) static enum lm_outcome
lm_job_fail(struct lm_job_ctx *ctx, const char *fmt, ...)
{
	int error = errno;
	va_list ap;

	va_start(ap, fmt);
	ctx->report(ctx, error, fmt, ap);
	va_end(ap);
	return lm_job_outcome_of(error);
}

/* The self-check found a wrong result. Use as: return lm_job_wrong(ctx, "read %zd bytes, want
 * ..."). */
__attribute__((format(printf, 2, 3), unused)) static enum lm_outcome
lm_job_wrong(struct lm_job_ctx *ctx, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	ctx->report(ctx, 0, fmt, ap);
	va_end(ap);
	return LM_JOB_FAILED;
}

/* Write the path of a name in the job's directory, or home, that no other job of the step uses:
 * task index and a counter. buf holds PATH_MAX bytes; the engine has checked that the directory
 * leaves room.
 */
static inline const char *lm_job_path(struct lm_job_ctx *ctx, char *buf)
{
	const char *dir = ctx->dir ? ctx->dir : ctx->home;

	snprintf(buf, PATH_MAX, "%s/t%u.%u", dir, ctx->task, ctx->names++);
	return buf;
}

/* A random block number below blocks, drawn as AIM7 does; a file of more blocks than one draw can
 * reach takes two draws, so that the whole of it is reached. */
static inline uint64_t lm_job_block(struct lm_job_ctx *ctx, uint64_t blocks)
{
	uint64_t draw = lm_rng_draw(&ctx->rng);

	if (blocks > 32768)
		draw = draw << 15 | lm_rng_draw(&ctx->rng);
	return draw % blocks;
}

#endif
