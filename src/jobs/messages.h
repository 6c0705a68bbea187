/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the ipc kinds share: messages, and one process that talks to itself through a channel of the
 * kernel, writing a message completely, then reading it back completely.
 */
#ifndef LM_JOBS_MESSAGES_H
#define LM_JOBS_MESSAGES_H

#include <loadmix/job.h>

#define LM_LARGEST_MESSAGE 4096
#define LM_MESSAGES        100 /* most in a run */

struct lm_message {
	const unsigned char *bytes;
	size_t size;
};

/* A kind embeds it at the start of what it knows about its channel. */
struct lm_channel {
	int reader, writer, listener; /* in the order in which they are closed; -1 = not open */
	unsigned patience_s; /* receive timeout of the reader; 0: what was written is there at once
			      */
	/* Write what the channel is, for error messages, after the name of a call. */
	void (*describe)(const struct lm_channel *c, char *buf, size_t size);
};

#define LM_CHANNEL_CLOSED .reader = -1, .writer = -1, .listener = -1

/* The prepare hook of all ipc kinds. */
int lm_messages_prepare(void);

/* Message n of a run, from 0. All ipc kinds of a task share the place in the table of sizes. */
struct lm_message lm_message_next(const struct lm_job_ctx *ctx, unsigned n);

/* Send and receive so many messages, each compared with what was sent. */
enum lm_outcome lm_converse(struct lm_job_ctx *ctx, const struct lm_channel *c, unsigned messages);

/* Close what is open. The outcome so far, or that of a close that failed. */
enum lm_outcome lm_channel_close(struct lm_job_ctx *ctx, const struct lm_channel *c,
				 enum lm_outcome outcome);

/* A call on the channel failed; errno says why. */
enum lm_outcome lm_channel_fail(struct lm_job_ctx *ctx, const char *call,
				const struct lm_channel *c);

#endif
