/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for tasks, and making sure that nothing they started outlives a step. */
#ifndef LM_ENGINE_REAP_H
#define LM_ENGINE_REAP_H

#include <loadmix/error.h>

#include "engine/samples.h"

#include <stdbool.h>
#include <sys/types.h>

struct lm_birth {
	pid_t pid;
	unsigned task;
	bool reaped;
};

/* The tasks of a step by pid. */
struct lm_roster {
	struct lm_birth *births;
	size_t size;     /* of their mapping */
	unsigned count;  /* forked so far */
	unsigned left;   /* not reaped yet */
	unsigned strays; /* reaped after lm_roster_kill(): no tasks, and killed by it */
	bool sorted, killed;
	pid_t warden; /* leads their process group; 0 once it has been reaped */
};

/* Room for so many tasks. 0, or -1 with err. */
int lm_roster_open(struct lm_roster *r, unsigned tasks, struct lm_error *err);
void lm_roster_close(struct lm_roster *r);
void lm_roster_add(struct lm_roster *r, pid_t pid, unsigned task);

/* Bring the roster in order, which lm_reap() would do at a worse moment. */
void lm_roster_sort(struct lm_roster *r);

/* Reap whatever has ended, without waiting, and note figures and fate in the tasks' slots. */
void lm_reap(struct lm_roster *r, const struct lm_samples *samples);

/* Send SIGKILL to every task that is left, and to the group they are in: whoever is in it that is
 * no task was left behind by a job. */
void lm_roster_kill(struct lm_roster *r);

/* Kill and reap all descendants that jobs left behind. hunts says that every child of this process
 * is one, inherited as their sub-reaper; else only the dead are reaped. Returns how many had to be
 * killed, or -1 with err when some could not be found or would not go. */
int lm_reap_strays(bool hunts, struct lm_error *err);

#endif
