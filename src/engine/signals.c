/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"

static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* Those of the signals that ask us to stop that the caller does not ignore. */
static void stop_set(sigset_t *set)
{
	struct sigaction now;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(stop_signals) / sizeof(*stop_signals); i++) {
		/* nohup, and shells without job control, ask us to ignore some of them */
		if (sigaction(stop_signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(set, stop_signals[i]);
	}
}

void lm_signals_hold(void)
{
	sigset_t stop;

	stop_set(&stop);
	sigprocmask(SIG_BLOCK, &stop, NULL);
}

/* What was blocked before, but for what was held for us. */
static void release_held(sigset_t *mask)
{
	for (size_t i = 0; i < sizeof(stop_signals) / sizeof(*stop_signals); i++)
		sigdelset(mask, stop_signals[i]);
}

int lm_signals_open(struct lm_signals *s, struct lm_error *err)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	sigset_t watched;

	*s = (struct lm_signals){ .fd = -1 };
	/* an inherited SIG_IGN would make the kernel reap our tasks and lose their figures */
	sigaction(SIGCHLD, &plain, NULL);
	stop_set(&watched);
	sigaddset(&watched, SIGCHLD);
	sigaddset(&watched, SIGCONT); /* goes on all the same when it is blocked */
	sigprocmask(SIG_BLOCK, &watched, &s->mask);
	release_held(&s->mask);
	s->fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd >= 0)
		return 0;
	lm_error_sys(err, "signalfd");
	lm_signals_close(s);
	return -1;
}

void lm_signals_close(struct lm_signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

int lm_signals_take(struct lm_signals *s)
{
	struct signalfd_siginfo info;

	while (read(s->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo == SIGCONT)
			s->continued_ns = lm_now_ns();
		else if (info.ssi_signo != SIGCHLD && !s->taken)
			s->taken = (int)info.ssi_signo;
	return s->taken;
}
