/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One task: what a forked process does from its birth to its one _exit. */
#ifndef LM_ENGINE_TASK_H
#define LM_ENGINE_TASK_H

#include <loadmix/plan.h>

#include "engine/samples.h"

#include <sys/types.h>

/* What all tasks of a step have in common; set before the first fork. */
struct lm_task_setup {
	const struct lm_plan *plan;
	const struct lm_samples *samples;
	const char *const *dirs; /* scratch directories, plan->dir_count of them */
	uint64_t file_kib;
	int *ipc_keys; /* one a task: see struct lm_job_ctx */
	pid_t parent;
	pid_t group;   /* the process group to join */
	int ready_fd;  /* see lm_gate_wait() */
	int parent_fd; /* the end of a pipe that tells the guard the program's end: not to be kept
			*/
};

/* Join the group, wait at the gate, run the list of jobs, end. */
_Noreturn void lm_task_main(const struct lm_task_setup *setup, unsigned task);

#endif
