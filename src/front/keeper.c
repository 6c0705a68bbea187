/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/detach.h"
#include "base/patience.h"

enum { LOOK_MS = 100, LONG_MS = 60000, MARGIN_S = 30, TEXT_SIZE = 32768 };

/* An order as it goes through the socket: the words of argv one after another, each ended by 0. */
struct message {
	enum lm_keeper_order order;
	uint64_t timeout_ns;
	uint32_t words, length;
	char text[TEXT_SIZE];
};

#define HEAD_SIZE offsetof(struct message, text)

/* --- the keeper ---------------------------------------------------------------------------- */

struct keeper {
	int fd, signals; /* the other end; a signalfd for SIGCHLD */
	struct message message;
	pid_t begun;     /* by LM_KEEPER_BEGIN, 0: none */
	int begin_error; /* why there is none, an errno value */
	bool ended;      /* it has, with this status */
	int status;
	pid_t awaited; /* 0: it has ended, with this status */
	int awaited_status;
};

static struct lm_keeper_reply fate_of(int status)
{
	if (WIFEXITED(status))
		return (struct lm_keeper_reply){ LM_KEEPER_ENDED, WEXITSTATUS(status) };
	return (struct lm_keeper_reply){ LM_KEEPER_KILLED, WTERMSIG(status) };
}

/* Its own programs, and what they have left to the keeper. */
static void reap(struct keeper *k)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(k->signals, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == k->begun) {
			k->ended = true;
			k->status = status;
		}
		if (pid == k->awaited) {
			k->awaited = 0;
			k->awaited_status = status;
		}
	}
}

static int add_files(posix_spawn_file_actions_t *files)
{
	int rc = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);

	return rc ? rc : posix_spawn_file_actions_adddup2(files, 2, 1);
}

/* A group of its own, so that it can be killed as a whole; and signals as they are by default. */
static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &all);
	posix_spawnattr_setpgroup(attributes, 0);
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
							    POSIX_SPAWN_SETPGROUP);
}

/* Start what the message names. 0, or an errno value. */
static int start(struct keeper *k, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	char *argv[LM_KEEPER_MAX_ARGS + 1] = { NULL };
	char *at = k->message.text;
	int rc;

	for (uint32_t i = 0; i < k->message.words; i++, at += strlen(at) + 1)
		argv[i] = at;
	if ((rc = posix_spawnattr_init(&attributes)) != 0)
		return rc;
	if ((rc = posix_spawn_file_actions_init(&files)) == 0) {
		rc = set_attributes(&attributes);
		if (rc == 0)
			rc = add_files(&files);
		if (rc == 0)
			rc = posix_spawnp(pid, argv[0], &files, &attributes, argv, environ);
		posix_spawn_file_actions_destroy(&files);
	}
	posix_spawnattr_destroy(&attributes);
	return rc;
}

/* The program has not been reaped, so its number, which is that of its group, is its own. */
static struct lm_keeper_reply stop(struct keeper *k, enum lm_keeper_fate fate)
{
	kill(-k->awaited, SIGKILL);
	kill(k->awaited, SIGKILL);
	while (waitpid(k->awaited, NULL, 0) < 0 && errno == EINTR)
		;
	return (struct lm_keeper_reply){ fate, 0 };
}

/* Wait for the program. Anything that comes from the other end meanwhile, its end too, says that
 * nobody waits any more. */
static struct lm_keeper_reply await(struct keeper *k, pid_t pid)
{
	uint64_t until = lm_now_ns() + k->message.timeout_ns;
	char byte;

	k->awaited = pid;
	for (reap(k); k->awaited; reap(k)) {
		struct pollfd fds[2] = { { .fd = k->signals, .events = POLLIN },
					 { .fd = k->fd, .events = POLLIN } };
		uint64_t now = lm_now_ns();

		if (now >= until)
			return stop(k, LM_KEEPER_TOO_LONG);
		poll(fds, 2,
		     (until - now) / 1000000 < LONG_MS ? (int)((until - now) / 1000000) + 1
						       : LONG_MS);
		if (!fds[1].revents)
			continue;
		while (recv(k->fd, &byte, 1, 0) < 0 && errno == EINTR)
			;
		return stop(k, LM_KEEPER_GIVEN_UP);
	}
	return fate_of(k->awaited_status);
}

static struct lm_keeper_reply collect(struct keeper *k)
{
	struct lm_keeper_reply reply = { LM_KEEPER_ENDED, 0 };

	if (k->begin_error)
		reply = (struct lm_keeper_reply){ LM_KEEPER_NOT_BEGUN, k->begin_error };
	else if (k->begun && k->ended)
		reply = fate_of(k->status);
	else if (k->begun)
		reply = await(k, k->begun);
	k->begin_error = 0;
	k->begun = 0;
	return reply;
}

static void begin(struct keeper *k)
{
	k->ended = false;
	k->begin_error = start(k, &k->begun);
	if (k->begin_error)
		k->begun = 0;
}

static struct lm_keeper_reply obey(struct keeper *k)
{
	pid_t pid;
	int error;

	if (k->message.order == LM_KEEPER_COLLECT)
		return collect(k);
	error = start(k, &pid);
	if (error)
		return (struct lm_keeper_reply){ LM_KEEPER_NOT_BEGUN, error };
	return await(k, pid);
}

/* Until the other end is gone. */
static void serve(struct keeper *k)
{
	for (;;) {
		struct pollfd fds[2] = { { .fd = k->signals, .events = POLLIN },
					 { .fd = k->fd, .events = POLLIN } };
		struct lm_keeper_reply reply;
		ssize_t n;

		poll(fds, 2, -1);
		reap(k);
		if (!fds[1].revents)
			continue;
		n = recv(k->fd, &k->message, sizeof(k->message), 0);
		if (n == 0 || (n < 0 && errno != EINTR))
			return;
		if (n < (ssize_t)HEAD_SIZE)
			continue; /* it gave up on a program that had just ended */
		if (k->message.order == LM_KEEPER_BEGIN) {
			begin(k); /* nobody waits for a reply */
			continue;
		}
		reply = obey(k);
		send(k->fd, &reply, sizeof(reply), MSG_NOSIGNAL);
	}
}

/* No terminal's signal reaches it, nor one that is sent to all programs of our name: what it has to
 * do at the end of a step is to be done then, too. */
static void keep(int fd)
{
	static struct keeper k;
	sigset_t all, child;

	k.fd = fd;
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	k.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (k.signals < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return;
	serve(&k);
}

/* --- our end ------------------------------------------------------------------------------- */

static int start_keeper(struct lm_keeper *k, int other)
{
	int rc = lm_fork_detached();

	if (rc == 0) {
		close(k->fd);
		keep(other);
		_exit(0);
	}
	return rc < 0 ? -1 : 0;
}

int lm_keeper_open(struct lm_keeper *k, struct lm_error *err)
{
	int ends[2], rc;

	k->fd = -1;
	signal(SIGCHLD, SIG_DFL);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return lm_error_sys(err, "cannot start the process that runs tools");
	k->fd = ends[0];
	rc = start_keeper(k, ends[1]);
	if (rc < 0)
		lm_error_sys(err, "cannot start the process that runs tools");
	close(ends[1]);
	return rc;
}

void lm_keeper_close(struct lm_keeper *k)
{
	if (k->fd >= 0)
		close(k->fd);
	k->fd = -1;
}

/* 0, or an errno value. */
static int write_words(struct message *m, const char *const *argv)
{
	m->words = 0;
	m->length = 0;
	for (; argv && argv[m->words]; m->words++) {
		size_t size = strlen(argv[m->words]) + 1;

		if (m->words == LM_KEEPER_MAX_ARGS || size > TEXT_SIZE - m->length)
			return E2BIG;
		memcpy(m->text + m->length, argv[m->words], size);
		m->length += (uint32_t)size;
	}
	return 0;
}

static bool asked_to_stop(void)
{
	sigset_t stops, pending;

	lm_stop_signals(&stops);
	return sigpending(&pending) == 0 && sigandset(&pending, &pending, &stops) == 0 &&
	       !sigisemptyset(&pending);
}

/* Wait for the reply, and give up once a signal asks us to stop: then the reply comes soon. */
static bool await_reply(const struct lm_keeper *k, double timeout_s, struct lm_keeper_reply *reply)
{
	uint64_t until = lm_now_ns() + (uint64_t)((timeout_s + MARGIN_S) * 1e9);
	struct pollfd p = { .fd = k->fd, .events = POLLIN };
	bool given_up = false;

	while (poll(&p, 1, LOOK_MS) <= 0 && lm_now_ns() < until) {
		if (given_up || !asked_to_stop())
			continue;
		send(k->fd, "", 1, MSG_NOSIGNAL);
		given_up = true;
	}
	return p.revents && recv(k->fd, reply, sizeof(*reply), 0) == (ssize_t)sizeof(*reply);
}

struct lm_keeper_reply lm_keeper_ask(struct lm_keeper *k, enum lm_keeper_order order,
				     const char *const *argv, double timeout_s)
{
	struct message *m = calloc(1, sizeof(*m)); /* its padding is sent, too */
	struct lm_keeper_reply reply = { LM_KEEPER_ENDED, 0 };
	int error = m ? write_words(m, argv) : ENOMEM;

	if (error) {
		reply = (struct lm_keeper_reply){ LM_KEEPER_NOT_BEGUN, error };
	} else {
		m->order = order;
		m->timeout_ns = (uint64_t)(timeout_s * 1e9);
		if (send(k->fd, m, HEAD_SIZE + m->length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ||
		    (order != LM_KEEPER_BEGIN && !await_reply(k, timeout_s, &reply)))
			reply = (struct lm_keeper_reply){ LM_KEEPER_GONE, 0 };
	}
	free(m);
	return reply;
}
