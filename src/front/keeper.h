/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper: a process that runs programs for us and is no child of ours, and what its programs
 * leave running is none either. So a profiler that is to live through the load steps is not taken
 * for something that a job left behind. It ends when we end, whatever ends us; what its programs
 * left running stays.
 */
#ifndef LM_FRONT_KEEPER_H
#define LM_FRONT_KEEPER_H

#include <loadmix/error.h>

#include <stdbool.h>

#define LM_KEEPER_MAX_ARGS 64

struct lm_keeper {
	int fd; /* our end of a socket pair; -1: there is none */
};

/* What the keeper is asked to do. */
enum lm_keeper_order {
	LM_KEEPER_RUN,     /* run a program to its end */
	LM_KEEPER_BEGIN,   /* start one and do not wait, not even to hear that it runs; one at a
			      time */
	LM_KEEPER_COLLECT, /* how did it go with the one that was begun: wait for its end. Nothing
			      to do if there is none */
};

enum lm_keeper_fate {
	LM_KEEPER_ENDED,     /* with the exit status value */
	LM_KEEPER_KILLED,    /* by the signal value */
	LM_KEEPER_NOT_BEGUN, /* errno is value */
	LM_KEEPER_TOO_LONG,  /* the time was up, it was killed */
	LM_KEEPER_GIVEN_UP,  /* a signal asks us to stop, it was killed */
	LM_KEEPER_GONE,      /* the keeper itself is */
};

struct lm_keeper_reply {
	enum lm_keeper_fate fate;
	int value;
};

/* Start it. 0, or -1 with err; lm_keeper_close() in either case. */
int lm_keeper_open(struct lm_keeper *k, struct lm_error *err);
void lm_keeper_close(struct lm_keeper *k);

/*
 * Have the keeper run argv, ended by NULL, which it looks for in PATH. The program gets no standard
 * input, and standard error as its output. LM_KEEPER_BEGIN returns as soon as the keeper can read
 * it, and what goes wrong then is told when it is collected. Signals that ask us to stop, blocked
 * and pending, make it give up.
 */
struct lm_keeper_reply lm_keeper_ask(struct lm_keeper *k, enum lm_keeper_order order,
				     const char *const *argv, double timeout_s);

#endif
