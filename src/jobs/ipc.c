/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Message kinds: one process talks to itself through a channel of the kernel, writing a message
 * completely, then reading it back completely.
 *
 * Every task has a loopback address of its own, so that tasks do not share a port range. A lost
 * message must end the job and not hang it: each run sets one receive timeout, which is one
 * setsockopt more than AIM7 makes.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/jobs.h"

/* The loops of AIM7 count one short of the 90 and 100 operations that a run is credited with. */
#define TCP_MESSAGES    89
#define UDP_MESSAGES    99

#define LARGEST_MESSAGE 2048
#define PATTERN_PERIOD  251
#define SILENCE_S       60 /* above any delay that thousands of runnable tasks cause */
#define BACKLOG         5

/* The message sizes of AIM7; all kinds of this file share the place in the table. */
static const uint16_t sizes[] = {
	1,  3,   5,    7,    16, 32, 64, 512, 1024, 2048, 1,   3,   5,   7,   16,  32,
	64, 512, 1024, 2048, 32, 32, 32, 32,  32,   32,   512, 512, 512, 512, 512,
};
static size_t next_size;

/* Message n is what starts at byte n: each of its bytes differs from the message before. */
static unsigned char pattern[LARGEST_MESSAGE + UDP_MESSAGES];

struct channel {
	int reader, writer, listener; /* in the order in which they are closed; -1 = not open */
	struct sockaddr_in address;   /* where the reader gets its messages, or the listener's */
};

static int ipc_prepare(void)
{
	for (size_t i = 0; i < sizeof pattern; i++)
		pattern[i] = (unsigned char)(i % PATTERN_PERIOD);
	return 0;
}

/* 127.1.0.1 upwards, one address a task; no last byte of 0 or 255, which stand for networks. */
static struct sockaddr_in own_address(unsigned task)
{
	uint32_t net = 0x7f0100 + task / 254 % 0xff00;

	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(net << 8 | (1 + task % 254)),
	};
}

static enum lm_outcome ipc_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	struct sockaddr_in address = own_address(0);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	int bound = fd < 0 ? -1 : bind(fd, (struct sockaddr *)&address, sizeof address);

	(void)ctx;
	if (bound < 0)
		snprintf(why, why_size,
			 "no socket on the loopback address %s (%s): bring up the interface lo",
			 inet_ntoa(address.sin_addr), strerror(errno));
	if (fd >= 0)
		close(fd);
	return bound < 0 ? LM_JOB_UNSUPPORTED : LM_JOB_OK;
}

static enum lm_outcome socket_fail(struct lm_job_ctx *ctx, const char *call,
				   const struct sockaddr_in *address)
{
	return lm_job_fail(ctx, "%s %s port %u", call, inet_ntoa(address->sin_addr),
			   ntohs(address->sin_port));
}

/* A socket on the task's address and a port of the kernel's choice, which is put in *address. */
static enum lm_outcome open_bound(struct lm_job_ctx *ctx, int type, int *fd,
				  struct sockaddr_in *address)
{
	socklen_t length = sizeof *address;

	*address = own_address(ctx->task);
	*fd = socket(AF_INET, type, 0);
	if (*fd < 0)
		return socket_fail(ctx, "socket for", address);
	if (bind(*fd, (struct sockaddr *)address, sizeof *address) < 0)
		return socket_fail(ctx, "bind", address);
	if (getsockname(*fd, (struct sockaddr *)address, &length) < 0)
		return socket_fail(ctx, "getsockname", address);
	return LM_JOB_OK;
}

static int limit_silence(int fd)
{
	struct timeval limit = { .tv_sec = SILENCE_S };

	return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

static enum lm_outcome listen_without_delay(struct lm_job_ctx *ctx, const struct channel *c)
{
	int on = 1, set = 0;
	socklen_t length = sizeof set;

	if (setsockopt(c->listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0)
		return socket_fail(ctx, "setsockopt TCP_NODELAY", &c->address);
	if (getsockopt(c->listener, IPPROTO_TCP, TCP_NODELAY, &set, &length) < 0)
		return socket_fail(ctx, "getsockopt TCP_NODELAY", &c->address);
	if (!set)
		return lm_job_wrong(ctx, "getsockopt TCP_NODELAY: 0 after it was set");
	if (listen(c->listener, BACKLOG) < 0)
		return socket_fail(ctx, "listen", &c->address);
	return LM_JOB_OK;
}

static int accept_uninterrupted(int listener, struct sockaddr_in *peer)
{
	socklen_t length;
	int fd;

	do {
		length = sizeof *peer;
		fd = accept(listener, (struct sockaddr *)peer, &length);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

/* Connect the reader to the listener; the accepted end, which must be its peer, is the writer. */
static enum lm_outcome tcp_connect(struct lm_job_ctx *ctx, struct channel *c)
{
	struct sockaddr_in peer, self;
	socklen_t length = sizeof self;

	c->reader = socket(AF_INET, SOCK_STREAM, 0);
	if (c->reader < 0)
		return socket_fail(ctx, "socket for connecting to", &c->address);
	if (limit_silence(c->reader) < 0)
		return socket_fail(ctx, "setsockopt SO_RCVTIMEO", &c->address);
	if (connect(c->reader, (struct sockaddr *)&c->address, sizeof c->address) < 0)
		return socket_fail(ctx, "connect", &c->address);
	c->writer = accept_uninterrupted(c->listener, &peer);
	if (c->writer < 0)
		return socket_fail(ctx, "accept", &c->address);
	if (getsockname(c->reader, (struct sockaddr *)&self, &length) < 0)
		return socket_fail(ctx, "getsockname", &c->address);
	if (peer.sin_port != self.sin_port || peer.sin_addr.s_addr != self.sin_addr.s_addr)
		return lm_job_wrong(ctx, "accept %s port %u: a stranger connected",
				    inet_ntoa(c->address.sin_addr), ntohs(c->address.sin_port));
	return LM_JOB_OK;
}

/* Bytes written, less than size only after an error, which errno tells. */
static size_t write_message(int fd, const unsigned char *message, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = write(fd, message + done, size - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			break;
	}
	return done;
}

/* Bytes read, less than size only after an error or the end, which errno tells (0 = end). */
static size_t read_message(int fd, unsigned char *message, size_t size)
{
	size_t done = 0;

	errno = 0;
	while (done < size) {
		ssize_t n = read(fd, message + done, size - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	return done;
}

static enum lm_outcome read_fail(struct lm_job_ctx *ctx, const struct channel *c, size_t got,
				 size_t size)
{
	const char *host = inet_ntoa(c->address.sin_addr);
	unsigned port = ntohs(c->address.sin_port);

	if (errno == EAGAIN || errno == EWOULDBLOCK) {
		errno = ETIMEDOUT;
		return lm_job_fail(ctx,
				   "read %s port %u: message lost, %zu of %zu bytes after %d s",
				   host, port, got, size, SILENCE_S);
	}
	if (errno == 0)
		return lm_job_wrong(ctx, "read %s port %u: end after %zu of %zu bytes", host, port,
				    got, size);
	return lm_job_fail(ctx, "read %s port %u", host, port);
}

static enum lm_outcome exchange(struct lm_job_ctx *ctx, const struct channel *c, unsigned n)
{
	static unsigned char received[LARGEST_MESSAGE];
	size_t size = sizes[next_size];
	size_t got;

	next_size = (next_size + 1) % (sizeof sizes / sizeof sizes[0]);
	if (write_message(c->writer, pattern + n, size) < size)
		return socket_fail(ctx, "write", &c->address);
	got = read_message(c->reader, received, size);
	if (got < size)
		return read_fail(ctx, c, got, size);
	if (memcmp(received, pattern + n, size) != 0)
		return lm_job_wrong(ctx, "read %s port %u: message %u of %zu bytes is altered",
				    inet_ntoa(c->address.sin_addr), ntohs(c->address.sin_port), n,
				    size);
	return LM_JOB_OK;
}

static enum lm_outcome converse(struct lm_job_ctx *ctx, const struct channel *c, unsigned messages)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (unsigned n = 0; n < messages && outcome == LM_JOB_OK; n++)
		outcome = exchange(ctx, c, n);
	return outcome;
}

static enum lm_outcome close_channel(struct lm_job_ctx *ctx, const struct channel *c,
				     enum lm_outcome outcome)
{
	const int fds[] = { c->reader, c->writer, c->listener };

	for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
		if (fds[i] >= 0 && close(fds[i]) < 0 && outcome == LM_JOB_OK)
			outcome = socket_fail(ctx, "close", &c->address);
	return outcome;
}

static enum lm_outcome tcp_run(struct lm_job_ctx *ctx)
{
	struct channel c = { .reader = -1, .writer = -1, .listener = -1 };
	enum lm_outcome outcome = open_bound(ctx, SOCK_STREAM, &c.listener, &c.address);

	if (outcome == LM_JOB_OK)
		outcome = listen_without_delay(ctx, &c);
	if (outcome == LM_JOB_OK)
		outcome = tcp_connect(ctx, &c);
	if (outcome == LM_JOB_OK)
		outcome = converse(ctx, &c, TCP_MESSAGES);
	return close_channel(ctx, &c, outcome);
}

static enum lm_outcome udp_connect(struct lm_job_ctx *ctx, const struct channel *c)
{
	if (limit_silence(c->reader) < 0)
		return socket_fail(ctx, "setsockopt SO_RCVTIMEO", &c->address);
	if (connect(c->writer, (const struct sockaddr *)&c->address, sizeof c->address) < 0)
		return socket_fail(ctx, "connect", &c->address);
	return LM_JOB_OK;
}

static enum lm_outcome udp_run(struct lm_job_ctx *ctx)
{
	struct channel c = { .reader = -1, .writer = -1, .listener = -1 };
	struct sockaddr_in sender;
	enum lm_outcome outcome = open_bound(ctx, SOCK_DGRAM, &c.reader, &c.address);

	if (outcome == LM_JOB_OK)
		outcome = open_bound(ctx, SOCK_DGRAM, &c.writer, &sender);
	if (outcome == LM_JOB_OK)
		outcome = udp_connect(ctx, &c);
	if (outcome == LM_JOB_OK)
		outcome = converse(ctx, &c, UDP_MESSAGES);
	return close_channel(ctx, &c, outcome);
}

const struct lm_job lm_jobs_ipc[] = {
	{
		.name = "tcp_test",
		.unit = "TCP/IP Messages",
		.class = LM_CLASS_IPC,
		.factor = 90,
		.supported = ipc_supported,
		.prepare = ipc_prepare,
		.run = tcp_run,
	},
	{
		.name = "udp_test",
		.unit = "UDP/IP DataGrams",
		.class = LM_CLASS_IPC,
		.factor = 100,
		.supported = ipc_supported,
		.prepare = ipc_prepare,
		.run = udp_run,
	},
	{ 0 },
};
