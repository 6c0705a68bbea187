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

/* Reap whatever has ended, without waiting, and note figures and fate in the tasks' slots. */
void lm_reap(struct lm_roster *r, const struct lm_samples *samples);

/* Send SIGKILL to every task that is left, and to the group they are in: whoever is in it that is
 * no task was left behind by a job. */
void lm_roster_kill(struct lm_roster *r);

/* Remember which children this process has before a session: they are none of ours. */
struct lm_strangers {
	pid_t *pids;
	size_t count;
};
int lm_strangers_note(struct lm_strangers *s, struct lm_error *err);
void lm_strangers_free(struct lm_strangers *s);

/* Kill and reap all descendants that jobs left behind, which this process has inherited as their
 * sub-reaper. Returns how many had to be killed, or -1 with err when some would not go. */
int lm_reap_strays(const struct lm_strangers *strangers, struct lm_error *err);

#endif
