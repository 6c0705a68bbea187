/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "engine/samples.h"

#define TASK_KIB 128 /* of memory that a waiting task takes, see make bench */

/* The first number in a file, UINT64_MAX when there is none ("max"). */
static uint64_t read_number(const char *path)
{
	FILE *f = fopen(path, "re");
	uint64_t n;

	if (!f)
		return UINT64_MAX;
	if (fscanf(f, "%" SCNu64, &n) != 1)
		n = UINT64_MAX;
	fclose(f);
	return n;
}

static uint64_t user_process_limit(void)
{
	struct rlimit limit;

	if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) < 0)
		return UINT64_MAX;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NPROC, &limit);
	}
	return limit.rlim_max == RLIM_INFINITY ? UINT64_MAX : limit.rlim_max;
}

/* cgroup v2: the line "0::/path"; a limit of a parent group counts too, fork() will tell. */
static uint64_t cgroup_number(const char *name)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char *line = NULL, *path;
	size_t size = 0;
	uint64_t n = UINT64_MAX;

	while (f && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::", 3) ||
		    asprintf(&path, "/sys/fs/cgroup%s/%s", line + 3, name) < 0)
			continue;
		n = read_number(path);
		free(path);
	}
	free(line);
	if (f)
		fclose(f);
	return n;
}

/* Tasks and all else that runs on the system, from "0.00 0.01 0.05 1/234 5678". */
static uint64_t running_now(void)
{
	FILE *f = fopen("/proc/loadavg", "re");
	uint64_t n = 0;

	if (f && fscanf(f, "%*s %*s %*s %*u/%" SCNu64, &n) != 1)
		n = 0;
	if (f)
		fclose(f);
	return n;
}

struct limit {
	const char *name;
	uint64_t most, used;
};

#define PROCESS_LIMITS 4

static void process_limits(struct limit *limits)
{
	uint64_t used = running_now();

	/* which of the processes are this user's is not known: the half that is left has to do */
	limits[0] = (struct limit){ "ulimit -u", user_process_limit(), 0 };
	limits[1] = (struct limit){ "/proc/sys/kernel/pid_max",
				    read_number("/proc/sys/kernel/pid_max"), used };
	limits[2] = (struct limit){ "/proc/sys/kernel/threads-max",
				    read_number("/proc/sys/kernel/threads-max"), used };
	limits[3] = (struct limit){ "the cgroup's pids.max", cgroup_number("pids.max"),
				    cgroup_number("pids.current") };
}

static int check_processes(unsigned tasks, struct lm_error *err)
{
	struct limit limits[PROCESS_LIMITS];

	process_limits(limits);
	for (size_t i = 0; i < PROCESS_LIMITS; i++)
		if (tasks + LM_OWN_PROCESSES > limits[i].most)
			return lm_error_set(err, LM_ERR_SYSTEM,
					    "%u task%s %u processes, but %s allows %" PRIu64
					    ": raise it, or lower the number of tasks",
					    tasks, tasks == 1 ? " needs" : "s need",
					    tasks + LM_OWN_PROCESSES, limits[i].name,
					    limits[i].most);
	return 0;
}

static uint64_t available_kib(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	uint64_t kib = UINT64_MAX;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

static int check_memory(const struct lm_plan *plan, unsigned tasks, struct lm_error *err)
{
	size_t bytes = lm_samples_size(tasks, plan->mix->jobs_per_task);
	uint64_t have = available_kib();

	if (bytes && bytes / 1024 <= have / 2)
		return 0;
	return lm_error_set(
		err, LM_ERR_SYSTEM,
		"the samples of %u tasks of %u jobs need %zu KiB, more than half of the "
		"%" PRIu64
		" KiB that are available: lower the number of tasks, or of jobs per task",
		tasks, plan->mix->jobs_per_task, bytes / 1024, have);
}

int lm_limits_check(const struct lm_plan *plan, unsigned tasks, struct lm_error *err)
{
	if (check_processes(tasks, err) < 0)
		return -1;
	return check_memory(plan, tasks, err);
}

/* Half of what memory there is, as in check_memory(), but with the tasks' own in it. */
static uint64_t memory_allows(const struct lm_plan *plan)
{
	size_t bytes = lm_samples_size(1, plan->mix->jobs_per_task);

	return available_kib() / 2 / (bytes / 1024 + TASK_KIB);
}

unsigned lm_limits_most_tasks(const struct lm_plan *plan, const char **limit)
{
	struct limit limits[PROCESS_LIMITS];
	uint64_t most = LM_MAX_TASKS, memory = memory_allows(plan);

	*limit = "the most that a step may have";
	if (memory < most) {
		most = memory;
		*limit = "half of the available memory";
	}
	process_limits(limits);
	for (size_t i = 0; i < PROCESS_LIMITS; i++) {
		uint64_t used = limits[i].used + LM_OWN_PROCESSES;
		uint64_t left = limits[i].most > used ? (limits[i].most - used) / 2 : 1;

		if (limits[i].most == UINT64_MAX || left >= most)
			continue;
		most = left;
		*limit = limits[i].name;
	}
	return most ? (unsigned)most : 1;
}

uint64_t lm_limits_free_kib(const char *dir)
{
	struct statvfs fs;

	if (statvfs(dir, &fs) < 0 || fs.f_blocks == 0)
		return UINT64_MAX;
	return (uint64_t)(geteuid() == 0 ? fs.f_bfree : fs.f_bavail) * (uint64_t)fs.f_frsize / 1024;
}
