/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disk kinds that keep many random transfers in flight. Each goes to the kernel by itself; only
 * when all buffers are in use does the job wait for one to come back.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/disk.h"
#include "jobs/disk_ring.h"
#include "jobs/jobs.h"

#define OWN   LM_DISK_OWN
#define DEPTH 32u /* transfers in flight, as re-aim-7 */

static struct lm_disk_memory memory; /* the buffers of all transfers in flight */

struct queue {
	struct lm_disk_run *run;
	struct lm_ring ring;
	enum lm_outcome outcome; /* the first fault's */
	bool writes;
	unsigned char *buffers;
	unsigned depth;         /* how many buffers */
	uint64_t blocks[DEPTH]; /* what is in flight in each of them */
	unsigned idle[DEPTH];   /* those that are not in flight, */
	unsigned idle_count;    /* so many */
};

static bool open_queue(struct queue *q, struct lm_disk_run *run, bool writes)
{
	q->run = run;
	q->writes = writes;
	q->outcome = LM_JOB_OK;
	q->depth = run->count < DEPTH ? (unsigned)run->count : DEPTH;
	for (q->idle_count = 0; q->idle_count < q->depth; q->idle_count++)
		q->idle[q->idle_count] = q->idle_count;
	q->buffers = lm_disk_reserve(&memory, q->depth * run->size);
	if (!q->buffers)
		q->outcome = lm_job_fail(run->ctx, "mmap for %u blocks of %zu bytes", q->depth,
					 run->size);
	else if (lm_ring_open(&q->ring, DEPTH) < 0)
		q->outcome = lm_job_fail(run->ctx, "io_uring_setup");
	return q->outcome == LM_JOB_OK;
}

static void submit(struct queue *q, uint64_t block)
{
	struct lm_disk_run *run = q->run;
	unsigned slot = q->idle[q->idle_count - 1];
	struct lm_ring_request request = {
		.writes = q->writes,
		.fd = run->files[OWN].fd,
		.buffer = q->buffers + slot * run->size,
		.size = run->size,
		.offset = block * run->size,
		.tag = slot,
	};

	if (q->writes)
		lm_disk_stamp(run, request.buffer, block);
	if (lm_ring_submit(&q->ring, &request) < 0) {
		q->outcome = lm_job_fail(run->ctx, "io_uring_enter for %s, block %" PRIu64,
					 run->files[OWN].path, block);
		return;
	}
	q->blocks[slot] = block;
	q->idle_count--;
}

/* The first fault is the job's; those behind it are not looked at. */
static void judge(struct queue *q, unsigned slot, int result)
{
	struct lm_disk_run *run = q->run;
	uint64_t block = q->blocks[slot];

	if (q->outcome != LM_JOB_OK)
		return;
	errno = result < 0 ? -result : 0;
	if (result < 0 || (size_t)result != run->size)
		q->outcome = lm_disk_wrong_length(run, q->writes ? "write" : "read", OWN, block,
						  result < 0 ? -1 : result);
	else if (!q->writes)
		q->outcome = lm_disk_check_stamp(run, OWN, block, q->buffers + slot * run->size);
}

/* Take all transfers that are complete, after waiting for one if need be. False: none comes. */
static bool collect(struct queue *q)
{
	unsigned before = q->idle_count;
	uint64_t slot;
	int result;

	for (;;) {
		while (lm_ring_take(&q->ring, &slot, &result)) {
			q->idle[q->idle_count++] = (unsigned)slot;
			judge(q, (unsigned)slot, result);
		}
		if (q->idle_count > before)
			return true;
		if (lm_ring_wait(&q->ring) < 0)
			break;
	}
	if (q->outcome == LM_JOB_OK)
		q->outcome =
			lm_job_fail(q->run->ctx, "io_uring_enter for %s", q->run->files[OWN].path);
	return false;
}

static void submit_all(struct queue *q)
{
	for (uint64_t done = 0; done < q->run->count && q->outcome == LM_JOB_OK; done++) {
		if (q->idle_count == 0)
			collect(q);
		if (q->outcome == LM_JOB_OK)
			submit(q, lm_job_block(q->run->ctx, q->run->count));
	}
}

static enum lm_outcome transfer_queued(struct lm_disk_run *run, bool writes)
{
	struct queue q;

	if (run->count == 0)
		return LM_JOB_OK;
	if (!open_queue(&q, run, writes))
		return q.outcome;
	submit_all(&q);
	/* after a fault, too: nothing may come back into the buffers of a later job */
	while (q.idle_count < q.depth && collect(&q))
		;
	lm_ring_close(&q.ring);
	return q.outcome;
}

static enum lm_outcome read_queued(struct lm_disk_run *run, int arg)
{
	(void)arg;
	return transfer_queued(run, false);
}

static enum lm_outcome write_queued(struct lm_disk_run *run, int arg)
{
	(void)arg;
	return transfer_queued(run, true);
}

#define STEPS(FLAGS, TRANSFER)                                                              \
	{                                                                                   \
		{ lm_disk_creat, 0 }, { lm_disk_write, OWN }, { lm_disk_close, OWN },       \
			{ lm_disk_sync, 0 }, { lm_disk_open_own, FLAGS }, { TRANSFER, 0 },  \
			{ lm_disk_close, OWN }, { lm_disk_unlink, 0 }, { lm_disk_sync, 0 }, \
	}

static const struct lm_disk_kind disk_aio_rr = { .steps = STEPS(O_RDONLY, read_queued) };
static const struct lm_disk_kind disk_aio_rw = { .steps = STEPS(O_WRONLY, write_queued) };
static const struct lm_disk_kind disk_aiodio_rr = {
	.steps = STEPS(O_RDONLY | O_DIRECT, read_queued),
};
static const struct lm_disk_kind disk_aiodio_rw = {
	.steps = STEPS(O_WRONLY | O_DIRECT, write_queued),
};

/* --- before the run ---------------------------------------------------------------------- */

static enum lm_outcome ring_supported(char *why, size_t why_size)
{
	struct lm_ring ring;

	if (lm_ring_open(&ring, DEPTH) == 0) {
		lm_ring_close(&ring);
		return LM_JOB_OK;
	}
	if (errno == ENOSYS)
		snprintf(why, why_size, "asynchronous transfers need io_uring of Linux 5.6");
	else
		snprintf(why, why_size,
			 "asynchronous transfers need io_uring, which is refused: %s (see "
			 "/proc/sys/kernel/io_uring_disabled and the container's seccomp profile)",
			 strerror(errno));
	return LM_JOB_UNSUPPORTED;
}

static enum lm_outcome aio_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	enum lm_outcome outcome = ring_supported(why, why_size);

	return outcome == LM_JOB_OK ? lm_disk_fits(ctx, (size_t)ctx->params[0], why, why_size)
				    : outcome;
}

static enum lm_outcome aiodio_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	enum lm_outcome outcome = ring_supported(why, why_size);

	return outcome == LM_JOB_OK ? lm_disk_direct_supported(ctx, why, why_size) : outcome;
}

static enum lm_outcome aio_run(struct lm_job_ctx *ctx)
{
	return lm_disk_perform(ctx, (size_t)ctx->params[0]);
}

static enum lm_outcome aiodio_run(struct lm_job_ctx *ctx)
{
	return lm_disk_perform(ctx, lm_disk_direct_size(ctx));
}

/* A row; KIND is the name, too. FORM is aio or aiodio. */
#define aio_params    lm_disk_params
#define aiodio_params lm_disk_direct_params
#define aio_ops       lm_disk_ops
#define aiodio_ops    lm_disk_direct_ops

#define ROW(KIND, UNIT, FORM)                                                          \
	LM_DISK_ROW(#KIND, UNIT, LM_OPS_PER_BLOCK, 0, KIND, FORM##_params, FORM##_ops, \
		    FORM##_supported, FORM##_run)

const struct lm_job lm_jobs_disk_async[] = {
	ROW(disk_aio_rr, "Random ASYNC I/O Disk Reads (K)", aio),
	ROW(disk_aio_rw, "Random ASYNC I/O Disk Writes (K)", aio),
	ROW(disk_aiodio_rr, "Random ASYNC DIRECT I/O Disk Reads (K)", aiodio),
	ROW(disk_aiodio_rw, "Random ASYNC DIRECT I/O Disk Writes (K)", aiodio),
	{ 0 },
};
