/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine allows, looked at before anything is forked. */
#ifndef LM_ENGINE_LIMITS_H
#define LM_ENGINE_LIMITS_H

#include <loadmix/error.h>
#include <loadmix/plan.h>

/* Processes of a run besides its tasks: the program, its janitor, a warden. */
#define LM_OWN_PROCESSES 3u

/* Check that a step of that many tasks can be: processes (ulimit -u, which is raised to its hard
 * limit, pid_max, threads-max, the cgroup's pids.max) and memory for the samples.
 * 0, or -1 with err, which names the limit. */
int lm_limits_check(const struct lm_plan *plan, unsigned tasks, struct lm_error *err);

/* The largest load that a sweep without an end should come to: half of the processes that are left
 * to have, for jobs start processes too, and of the memory. *limit is the limit that decided. */
unsigned lm_limits_most_tasks(const struct lm_plan *plan, const char **limit);

/* KiB free for this user in a directory: root has what is reserved, too. UINT64_MAX when it cannot
 * be told. */
uint64_t lm_limits_free_kib(const char *dir);

#endif
