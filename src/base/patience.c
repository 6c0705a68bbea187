/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/patience.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct reader {
	int fd;
	size_t most;  /* bytes that do not block when poll() says that the reader takes some */
	bool left_us; /* we were asked to stop while we waited for him */
};

void lm_stop_signals(sigset_t *set)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction now;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		/* nohup, and shells without job control, ask us to ignore some of them */
		if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(set, numbers[i]);
}

/* Those of them that are blocked; false: none is. */
static bool blocked_stops(sigset_t *set)
{
	sigset_t stop, blocked;

	lm_stop_signals(&stop);
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	return sigandset(set, &stop, &blocked) == 0 && !sigisemptyset(set);
}

/* False: we were asked to stop, and the reader takes nothing. Errors are left to write(). */
static bool await_reader(const struct reader *r, const sigset_t *stops)
{
	struct pollfd fds[2] = { { .fd = r->fd, .events = POLLOUT }, { .events = POLLIN } };
	int n;

	if (poll(fds, 1, 0) != 0)
		return true;
	fds[1].fd = signalfd(-1, stops, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fds[1].fd < 0)
		return true;
	do
		n = poll(fds, 2, -1);
	while (n < 0 && errno == EINTR);
	close(fds[1].fd);
	return n < 0 || fds[0].revents;
}

static ssize_t write_some(struct reader *r, const char *text, size_t size)
{
	sigset_t stops;

	if (!blocked_stops(&stops))
		return write(r->fd, text, size);
	r->left_us = r->left_us || !await_reader(r, &stops);
	if (!r->left_us)
		return write(r->fd, text, size < r->most ? size : r->most);
	errno = EINTR;
	return 0;
}

/* Fewer bytes than size, with errno: an error. */
static ssize_t patient_write(void *cookie, const char *text, size_t size)
{
	struct reader *r = cookie;
	size_t done = 0;

	while (done < size) {
		ssize_t n = write_some(r, text + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

static int patient_close(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *lm_patient_stream(int fd)
{
	const cookie_io_functions_t io = { .write = patient_write, .close = patient_close };
	struct reader *r = malloc(sizeof(*r));
	FILE *stream;

	if (!r)
		return NULL;
	/* a terminal may have room for less than a line; a pipe's is in pages */
	*r = (struct reader){ .fd = fd, .most = isatty(fd) ? 1 : PIPE_BUF };
	stream = fopencookie(r, "w", io);
	if (!stream)
		free(r);
	else if (isatty(fd))
		setvbuf(stream, NULL, _IOLBF, 0);
	return stream;
}
