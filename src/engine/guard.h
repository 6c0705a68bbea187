/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What cleans up when the program itself cannot: two small processes that see it die.
 *
 * The janitor lives as long as the session, outside its process tree; when the program dies without
 * saying good-bye it waits for the tasks to be gone and removes the scratch directories.
 * The warden leads the process group of a step's tasks; when the program dies it kills the group,
 * and while it is there the group's number belongs to nobody else.
 */
#ifndef LM_ENGINE_GUARD_H
#define LM_ENGINE_GUARD_H

#include <loadmix/error.h>

#include "engine/scratch.h"

#include <sys/types.h>
#include <time.h>

struct lm_guard {
	int watch[2];   /* pipe: we alone hold the write end, so its end is ours; tasks close it */
	time_t started; /* of the clock of the wall */
	int *ipc_keys;  /* shared, one a task: key of objects that a job has not removed yet */
	int life[2];    /* pipe: tasks hold the write end too, so its end is that of them all */
};

#define LM_GUARD_CLOSED ((struct lm_guard){ .watch = { -1, -1 }, .life = { -1, -1 } })

/* Start the janitor for these scratch directories, which are in shared memory and may be made
 * later. 0, or -1 with err. */
int lm_guard_open(struct lm_guard *g, struct lm_scratch *scratch, size_t count,
		  struct lm_error *err);

/* The session has cleaned up by itself: let the janitor go. */
void lm_guard_close(struct lm_guard *g);

/* Remove the System V objects that killed tasks, all of them dead by now, have left. */
void lm_guard_drop_ipc(const struct lm_guard *g, unsigned tasks);

/* Start a warden; its pid is the group that tasks join. The pid, or -1 with err. */
pid_t lm_guard_warden(const struct lm_guard *g, struct lm_error *err);

#endif
