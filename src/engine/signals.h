/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals arrive as readable bytes while a session runs; no handler is installed. */
#ifndef LM_ENGINE_SIGNALS_H
#define LM_ENGINE_SIGNALS_H

#include <loadmix/error.h>

#include <signal.h>
#include <stdint.h>

struct lm_signals {
	int fd;                /* readable when a child ended or somebody asks us to stop */
	int taken;             /* the first signal that asked us to stop; 0: none yet */
	uint64_t continued_ns; /* when SIGCONT was last taken: we were stopped; 0: never */
	sigset_t mask;         /* what was blocked before */
	sigset_t others;       /* SIGCHLD and SIGCONT */
};

/* Signals that ask us to stop are pending from now on until lm_signals_take() finds them: for who
 * makes files before a session, and writes to readers after it. */
void lm_signals_hold(void);

/* Block SIGCHLD, SIGCONT and those of SIGINT, SIGTERM, SIGHUP and SIGQUIT that the caller does not
 * ignore. 0, or -1 with err. */
int lm_signals_open(struct lm_signals *s, struct lm_error *err);
void lm_signals_close(struct lm_signals *s);

/* For a process that was forked: signals are blocked as before, and those that ask us to stop act.
 */
void lm_signals_forked(const struct lm_signals *s);

/* Take what is pending, without waiting; returns s->taken. That signal stays pending as long as it
 * is blocked. */
int lm_signals_take(struct lm_signals *s);

#endif
