/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages that stay within the machine: pairs of local sockets, pipes and FIFOs.
 *
 * What is written to these is there to be read when write() returns, and is read before the next is
 * written. So all are non-blocking, which costs no call and is never felt: a lost message ends the
 * job and does not hang it.
 */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/messages.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The loops of AIM7 count one short of the 100 operations that a run is credited with. */
#define MESSAGES 99

/* The channel comes first: describe() finds the name behind it. */
struct local {
	struct lm_channel channel;
	const char *name;
};

static void describe(const struct lm_channel *c, char *buf, size_t size)
{
	snprintf(buf, size, "%s", ((const struct local *)(const void *)c)->name);
}

static struct local closed_channel(const char *name)
{
	return (struct local){ { LM_CHANNEL_CLOSED, .describe = describe }, name };
}

static enum lm_outcome talk_through(struct lm_job_ctx *ctx, const char *name, const int ends[2])
{
	struct local l = closed_channel(name);

	l.channel.reader = ends[0];
	l.channel.writer = ends[1];
	return lm_channel_close(ctx, &l.channel, lm_converse(ctx, &l.channel, MESSAGES));
}

static enum lm_outcome stream_pipe(struct lm_job_ctx *ctx)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) < 0)
		return lm_job_fail(ctx, "socketpair, stream");
	return talk_through(ctx, "stream socket pair", ends);
}

static enum lm_outcome dgram_pipe(struct lm_job_ctx *ctx)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends) < 0)
		return lm_job_fail(ctx, "socketpair, datagrams");
	return talk_through(ctx, "datagram socket pair", ends);
}

static enum lm_outcome pipe_cpy(struct lm_job_ctx *ctx)
{
	int ends[2];

	if (pipe2(ends, O_NONBLOCK) < 0)
		return lm_job_fail(ctx, "pipe");
	return talk_through(ctx, "pipe", ends);
}

/* Opened for reading first, without waiting for a writer. */
static enum lm_outcome fifo_open(struct lm_job_ctx *ctx, struct local *l)
{
	l->channel.reader = open(l->name, O_RDONLY | O_NONBLOCK);
	if (l->channel.reader < 0)
		return lm_job_fail(ctx, "open %s, to read", l->name);
	l->channel.writer = open(l->name, O_RDWR | O_NONBLOCK);
	if (l->channel.writer < 0)
		return lm_job_fail(ctx, "open %s, to write", l->name);
	return LM_JOB_OK;
}

static enum lm_outcome fifo_test(struct lm_job_ctx *ctx)
{
	char path[PATH_MAX];
	struct local l = closed_channel(lm_job_path(ctx, path));
	enum lm_outcome outcome;

	unlink(path); /* finds nothing; re-aim-7 makes the call */
	if (mkfifo(path, 0666) < 0)
		return lm_job_fail(ctx, "mkfifo %s", path);
	outcome = fifo_open(ctx, &l);
	if (outcome == LM_JOB_OK)
		outcome = lm_converse(ctx, &l.channel, MESSAGES);
	outcome = lm_channel_close(ctx, &l.channel, outcome);
	if (unlink(path) < 0 && outcome == LM_JOB_OK)
		outcome = lm_job_fail(ctx, "unlink %s", path);
	return outcome;
}

/* A file system that has no FIFOs says so; any other trouble is for the run to tell. */
static enum lm_outcome fifo_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/loadmix.fifo.%d", ctx->home, (int)getpid());
	if (mkfifo(path, 0600) == 0)
		return unlink(path) == 0 ? LM_JOB_OK : LM_JOB_UNSUPPORTED;
	if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP)
		return LM_JOB_OK;
	snprintf(why, why_size, "%s: no FIFO can be made there (%s)", ctx->home, strerror(errno));
	return LM_JOB_UNSUPPORTED;
}

const struct lm_job lm_jobs_ipc_local[] = {
	{
		.name = "stream_pipe",
		.unit = "Stream Pipe Messages",
		.class = LM_CLASS_IPC,
		.factor = 100,
		.prepare = lm_messages_prepare,
		.run = stream_pipe,
	},
	{
		.name = "dgram_pipe",
		.unit = "DataGram Pipe Messages",
		.class = LM_CLASS_IPC,
		.factor = 100,
		.prepare = lm_messages_prepare,
		.run = dgram_pipe,
	},
	{
		.name = "pipe_cpy",
		.unit = "Pipe Messages",
		.class = LM_CLASS_IPC,
		.factor = 100,
		.prepare = lm_messages_prepare,
		.run = pipe_cpy,
	},
	{
		.name = "fifo_test",
		.unit = "FIFO Messages",
		.class = LM_CLASS_IPC,
		.factor = 100,
		.supported = fifo_supported,
		.prepare = lm_messages_prepare,
		.run = fifo_test,
	},
	{ 0 },
};
