/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages over loopback sockets.
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
#include "jobs/messages.h"

/* The loops of AIM7 count one short of the 90 and 100 operations that a run is credited with. */
#define TCP_MESSAGES 89
#define UDP_MESSAGES 99

#define SILENCE_S    60 /* above any delay that thousands of runnable tasks cause */
#define BACKLOG      5

/* The channel comes first: describe() finds the address behind it. */
struct loopback {
	struct lm_channel channel;
	struct sockaddr_in address; /* where the reader gets its messages, or the listener's */
};

static void describe(const struct lm_channel *c, char *buf, size_t size)
{
	const struct sockaddr_in *address = &((const struct loopback *)(const void *)c)->address;

	snprintf(buf, size, "%s port %u", inet_ntoa(address->sin_addr), ntohs(address->sin_port));
}

#define LOOPBACK_CLOSED                                                                         \
	{                                                                                       \
		.channel = { LM_CHANNEL_CLOSED, .patience_s = SILENCE_S, .describe = describe } \
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
	int rc = fd < 0 ? -1 : bind(fd, (struct sockaddr *)&address, sizeof address);

	(void)ctx;
	address.sin_port =
		htons(9); /* any: connecting a datagram socket asks for the route alone */
	if (rc == 0)
		rc = connect(fd, (struct sockaddr *)&address, sizeof address);
	if (rc < 0)
		snprintf(why, why_size,
			 "no socket on the loopback address %s (%s): bring up the interface lo",
			 inet_ntoa(address.sin_addr), strerror(errno));
	if (fd >= 0)
		close(fd);
	return rc < 0 ? LM_JOB_UNSUPPORTED : LM_JOB_OK;
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

static enum lm_outcome listen_without_delay(struct lm_job_ctx *ctx, const struct loopback *l)
{
	int on = 1, set = 0;
	socklen_t length = sizeof set;

	if (setsockopt(l->channel.listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0)
		return socket_fail(ctx, "setsockopt TCP_NODELAY", &l->address);
	if (getsockopt(l->channel.listener, IPPROTO_TCP, TCP_NODELAY, &set, &length) < 0)
		return socket_fail(ctx, "getsockopt TCP_NODELAY", &l->address);
	if (!set)
		return lm_job_wrong(ctx, "getsockopt TCP_NODELAY: 0 after it was set");
	if (listen(l->channel.listener, BACKLOG) < 0)
		return socket_fail(ctx, "listen", &l->address);
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
static enum lm_outcome tcp_connect(struct lm_job_ctx *ctx, struct loopback *l)
{
	struct sockaddr_in peer, self;
	socklen_t length = sizeof self;

	l->channel.reader = socket(AF_INET, SOCK_STREAM, 0);
	if (l->channel.reader < 0)
		return socket_fail(ctx, "socket for connecting to", &l->address);
	if (limit_silence(l->channel.reader) < 0)
		return socket_fail(ctx, "setsockopt SO_RCVTIMEO", &l->address);
	if (connect(l->channel.reader, (struct sockaddr *)&l->address, sizeof l->address) < 0)
		return socket_fail(ctx, "connect", &l->address);
	l->channel.writer = accept_uninterrupted(l->channel.listener, &peer);
	if (l->channel.writer < 0)
		return socket_fail(ctx, "accept", &l->address);
	if (getsockname(l->channel.reader, (struct sockaddr *)&self, &length) < 0)
		return socket_fail(ctx, "getsockname", &l->address);
	if (peer.sin_port != self.sin_port || peer.sin_addr.s_addr != self.sin_addr.s_addr)
		return lm_job_wrong(ctx, "accept %s port %u: a stranger connected",
				    inet_ntoa(l->address.sin_addr), ntohs(l->address.sin_port));
	return LM_JOB_OK;
}

static enum lm_outcome tcp_run(struct lm_job_ctx *ctx)
{
	struct loopback l = LOOPBACK_CLOSED;
	enum lm_outcome outcome = open_bound(ctx, SOCK_STREAM, &l.channel.listener, &l.address);

	if (outcome == LM_JOB_OK)
		outcome = listen_without_delay(ctx, &l);
	if (outcome == LM_JOB_OK)
		outcome = tcp_connect(ctx, &l);
	if (outcome == LM_JOB_OK)
		outcome = lm_converse(ctx, &l.channel, TCP_MESSAGES);
	return lm_channel_close(ctx, &l.channel, outcome);
}

static enum lm_outcome udp_connect(struct lm_job_ctx *ctx, const struct loopback *l)
{
	if (limit_silence(l->channel.reader) < 0)
		return socket_fail(ctx, "setsockopt SO_RCVTIMEO", &l->address);
	if (connect(l->channel.writer, (const struct sockaddr *)&l->address, sizeof l->address) < 0)
		return socket_fail(ctx, "connect", &l->address);
	return LM_JOB_OK;
}

static enum lm_outcome udp_run(struct lm_job_ctx *ctx)
{
	struct loopback l = LOOPBACK_CLOSED;
	struct sockaddr_in sender;
	enum lm_outcome outcome = open_bound(ctx, SOCK_DGRAM, &l.channel.reader, &l.address);

	if (outcome == LM_JOB_OK)
		outcome = open_bound(ctx, SOCK_DGRAM, &l.channel.writer, &sender);
	if (outcome == LM_JOB_OK)
		outcome = udp_connect(ctx, &l);
	if (outcome == LM_JOB_OK)
		outcome = lm_converse(ctx, &l.channel, UDP_MESSAGES);
	return lm_channel_close(ctx, &l.channel, outcome);
}

const struct lm_job lm_jobs_ipc[] = {
	{
		.name = "tcp_test",
		.unit = "TCP/IP Messages",
		.class = LM_CLASS_IPC,
		.factor = 90,
		.supported = ipc_supported,
		.prepare = lm_messages_prepare,
		.run = tcp_run,
	},
	{
		.name = "udp_test",
		.unit = "UDP/IP DataGrams",
		.class = LM_CLASS_IPC,
		.factor = 100,
		.supported = ipc_supported,
		.prepare = lm_messages_prepare,
		.run = udp_run,
	},
	{ 0 },
};
