/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/messages.h"

#include <string.h>
#include <unistd.h>

#define PATTERN_PERIOD 251
#define NAME_SIZE      (PATH_MAX + 64)

static const uint16_t aim7_sizes[] = {
	1,  3,   5,    7,    16, 32, 64, 512, 1024, 2048, 1,   3,   5,   7,   16,  32,
	64, 512, 1024, 2048, 32, 32, 32, 32,  32,   32,   512, 512, 512, 512, 512,
};
static const uint16_t reaim_sizes[] = {
	1,  3,  5,   7,   16,  32,  64,   512,  1024, 2048, 4096, 1,  3,
	5,  7,  16,  32,  64,  512, 1024, 2048, 4096, 32,   32,   32, 32,
	32, 32, 512, 512, 512, 512, 512,  2048, 2048, 2048, 2048,
};
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static size_t next_size;

/* Message n is what starts at byte n: each of its bytes differs from the message before. */
static unsigned char pattern[LM_LARGEST_MESSAGE + LM_MESSAGES];

int lm_messages_prepare(void)
{
	for (size_t i = 0; i < sizeof pattern; i++)
		pattern[i] = (unsigned char)(i % PATTERN_PERIOD);
	return 0;
}

struct lm_message lm_message_next(const struct lm_job_ctx *ctx, unsigned n)
{
	bool reaim = ctx->semantics == LM_SEMANTICS_REAIM;
	size_t count = reaim ? COUNT(reaim_sizes) : COUNT(aim7_sizes);
	size_t at = next_size % count;

	next_size = at + 1;
	return (struct lm_message){ pattern + n, reaim ? reaim_sizes[at] : aim7_sizes[at] };
}

/* Bytes written, less than the message's size only after an error, which errno tells. */
static size_t write_message(int fd, const struct lm_message *m)
{
	size_t done = 0;

	errno = EIO; /* a write of nothing sets none */
	while (done < m->size) {
		ssize_t n = write(fd, m->bytes + done, m->size - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || errno != EINTR)
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

enum lm_outcome lm_channel_fail(struct lm_job_ctx *ctx, const char *call,
				const struct lm_channel *c)
{
	int error = errno;
	char name[NAME_SIZE];

	c->describe(c, name, sizeof name);
	errno = error;
	return lm_job_fail(ctx, "%s %s", call, name);
}

static enum lm_outcome read_fail(struct lm_job_ctx *ctx, const struct lm_channel *c, size_t got,
				 size_t size)
{
	int error = errno;
	char name[NAME_SIZE];

	c->describe(c, name, sizeof name);
	if (error == 0)
		return lm_job_wrong(ctx, "read %s: end after %zu of %zu bytes", name, got, size);
	if (error == EAGAIN || error == EWOULDBLOCK) {
		errno = ETIMEDOUT;
		return lm_job_fail(ctx, "read %s: message lost, %zu of %zu bytes after %u s", name,
				   got, size, c->patience_s);
	}
	errno = error;
	return lm_job_fail(ctx, "read %s", name);
}

static enum lm_outcome altered(struct lm_job_ctx *ctx, const struct lm_channel *c, unsigned n,
			       size_t size)
{
	char name[NAME_SIZE];

	c->describe(c, name, sizeof name);
	return lm_job_wrong(ctx, "read %s: message %u of %zu bytes is altered", name, n, size);
}

static enum lm_outcome exchange(struct lm_job_ctx *ctx, const struct lm_channel *c, unsigned n)
{
	static unsigned char received[LM_LARGEST_MESSAGE];
	struct lm_message m = lm_message_next(ctx, n);
	size_t got;

	if (write_message(c->writer, &m) < m.size)
		return lm_channel_fail(ctx, "write", c);
	got = read_message(c->reader, received, m.size);
	if (got < m.size)
		return read_fail(ctx, c, got, m.size);
	return memcmp(received, m.bytes, m.size) == 0 ? LM_JOB_OK : altered(ctx, c, n, m.size);
}

enum lm_outcome lm_converse(struct lm_job_ctx *ctx, const struct lm_channel *c, unsigned messages)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (unsigned n = 0; n < messages && outcome == LM_JOB_OK; n++)
		outcome = exchange(ctx, c, n);
	return outcome;
}

enum lm_outcome lm_channel_close(struct lm_job_ctx *ctx, const struct lm_channel *c,
				 enum lm_outcome outcome)
{
	const int fds[] = { c->reader, c->writer, c->listener };

	for (size_t i = 0; i < COUNT(fds); i++)
		if (fds[i] >= 0 && close(fds[i]) < 0 && outcome == LM_JOB_OK)
			outcome = lm_channel_fail(ctx, "close", c);
	return outcome;
}
