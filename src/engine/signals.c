/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/signals.h"

#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/patience.h"

void lm_signals_hold(void)
{
	sigset_t stop;

	lm_stop_signals(&stop);
	sigprocmask(SIG_BLOCK, &stop, NULL);
}

int lm_signals_open(struct lm_signals *s, struct lm_error *err)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	sigset_t watched, stop;

	*s = (struct lm_signals){ .fd = -1 };
	/* an inherited SIG_IGN would make the kernel reap our tasks and lose their figures */
	sigaction(SIGCHLD, &plain, NULL);
	lm_stop_signals(&stop);
	sigemptyset(&s->others);
	sigaddset(&s->others, SIGCHLD);
	sigaddset(&s->others, SIGCONT); /* goes on all the same when it is blocked */
	sigorset(&watched, &stop, &s->others);
	sigprocmask(SIG_BLOCK, &watched, &s->mask);
	s->fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd >= 0)
		return 0;
	lm_error_sys(err, "signalfd");
	lm_signals_close(s);
	return -1;
}

/* What asked us to stop was heard: it is not to act as well. */
static void drop_pending(void)
{
	const struct timespec now = { 0 };
	sigset_t stop;

	lm_stop_signals(&stop);
	while (sigtimedwait(&stop, NULL, &now) > 0)
		;
}

void lm_signals_close(struct lm_signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	if (s->taken && !sigismember(&s->mask, s->taken))
		drop_pending();
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

void lm_signals_forked(const struct lm_signals *s)
{
	sigset_t stop;

	lm_stop_signals(&stop);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
}

/* It stays pending: who waits for a reader, or runs a session of several, has to hear it, too. */
static void note_stop(struct lm_signals *s, int number)
{
	s->taken = number;
	signalfd(s->fd, &s->others, 0);
	raise(number);
}

int lm_signals_take(struct lm_signals *s)
{
	struct signalfd_siginfo info;

	while (read(s->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo == SIGCONT)
			s->continued_ns = lm_now_ns();
		else if (info.ssi_signo != SIGCHLD && !s->taken)
			note_stop(s, (int)info.ssi_signo);
	return s->taken;
}
