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
	sigset_t mask;         /* what was blocked before, without what asks us to stop */
};

/* Signals that ask us to stop wait from now on for the next lm_signals_open(): for who makes files
 * before a session, which takes them away again when it has run nothing. */
void lm_signals_hold(void);

/* Block SIGCHLD, SIGCONT and those of SIGINT, SIGTERM, SIGHUP and SIGQUIT that the caller does not
 * ignore. 0, or -1 with err. */
int lm_signals_open(struct lm_signals *s, struct lm_error *err);
void lm_signals_close(struct lm_signals *s);

/* Take what is pending, without waiting; returns s->taken. */
int lm_signals_take(struct lm_signals *s);

#endif
