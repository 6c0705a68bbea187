/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/reap.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

/* A process in uninterruptible sleep dies only when its I/O ends. */
enum { STRAY_ROUNDS = 6000, STRAY_ROUND_MS = 10 };

/* Shared memory is not copied on write: private memory that is written between two forks would cost
 * a fault and a page for every task. */
int lm_roster_open(struct lm_roster *r, unsigned tasks, struct lm_error *err)
{
	size_t size = tasks * sizeof(*r->births);
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*r = (struct lm_roster){ 0 };
	if (map == MAP_FAILED)
		return lm_error_sys(err, "a list of %u tasks", tasks);
	r->births = map;
	r->size = size;
	return 0;
}

void lm_roster_close(struct lm_roster *r)
{
	if (r->births)
		munmap(r->births, r->size);
	*r = (struct lm_roster){ 0 };
}

void lm_roster_add(struct lm_roster *r, pid_t pid, unsigned task)
{
	r->births[r->count++] = (struct lm_birth){ .pid = pid, .task = task };
	r->left++;
	r->sorted = false;
}

static int by_pid(const void *a, const void *b)
{
	pid_t x = ((const struct lm_birth *)a)->pid, y = ((const struct lm_birth *)b)->pid;

	return (x > y) - (x < y);
}

void lm_roster_sort(struct lm_roster *r)
{
	if (!r->sorted)
		qsort(r->births, r->count, sizeof(*r->births), by_pid);
	r->sorted = true;
}

static struct lm_birth *find_birth(struct lm_roster *r, pid_t pid)
{
	struct lm_birth key = { .pid = pid };

	lm_roster_sort(r);
	return bsearch(&key, r->births, r->count, sizeof(*r->births), by_pid);
}

static void note_end(struct lm_task_slot *slot, int status, const struct rusage *usage)
{
	uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);

	slot->wait_status = status;
	slot->user_ns = lm_timeval_ns(usage->ru_utime);
	slot->system_ns = lm_timeval_ns(usage->ru_stime);
	if (state != LM_TASK_DONE && state != LM_TASK_FAILED)
		slot->end_ns = lm_now_ns();
}

static bool was_killed(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void note_other(struct lm_roster *r, pid_t pid, int status)
{
	if (pid == r->warden)
		r->warden = 0;
	else if (r->killed && was_killed(status))
		r->strays++;
}

void lm_reap(struct lm_roster *r, const struct lm_samples *samples)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		struct lm_birth *birth = find_birth(r, pid);

		if (!birth || birth->reaped) {
			note_other(r, pid, status);
			continue;
		}
		birth->reaped = true;
		r->left--;
		note_end(lm_samples_slot(samples, birth->task), status, &usage);
	}
}

void lm_roster_kill(struct lm_roster *r)
{
	r->killed = true;
	/* safe: neither the warden nor these tasks have been reaped, so the numbers are theirs */
	if (r->warden)
		kill(-r->warden, SIGKILL);
	for (unsigned i = 0; i < r->count && r->left; i++)
		if (!r->births[i].reaped)
			kill(r->births[i].pid, SIGKILL);
}

/* The parent of a process, from /proc; 0 when it cannot be told. */
static pid_t parent_of(const char *pid)
{
	char path[64], line[512], *after;
	FILE *f;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	/* the second field is a name in parentheses that may hold anything */
	if (fgets(line, sizeof(line), f) && (after = strrchr(line, ')')) &&
	    sscanf(after, ") %*c %d", &parent) != 1)
		parent = 0;
	fclose(f);
	return parent;
}

/* Send SIGKILL to every child of this process; how many there are, -1 when /proc cannot be read. */
static int kill_children(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	siginfo_t info;
	int alive = 0;

	if (!proc)
		return -1;
	while ((entry = readdir(proc))) {
		pid_t pid = (pid_t)atoi(entry->d_name);

		/* the second question is for a /proc of another pid namespace */
		if (pid <= 0 || parent_of(entry->d_name) != getpid() ||
		    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
			continue;
		kill(pid, SIGKILL); /* our own child, not reaped: the number is its */
		alive++;
	}
	closedir(proc);
	return alive;
}

int lm_reap_strays(bool hunts, struct lm_error *err)
{
	int killed = 0, alive = 0;

	for (int round = 0; round < STRAY_ROUNDS; round++) {
		int status;
		pid_t pid;

		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			killed += was_killed(status);
		if (pid < 0 || !hunts)
			return killed;
		alive = kill_children();
		if (alive <= 0 && round > 0)
			return lm_error_set(
				err, LM_ERR_SYSTEM,
				"jobs left processes behind that cannot be found in /proc "
				"(is it mounted, and that of this pid namespace?)");
		poll(NULL, 0, round ? STRAY_ROUND_MS : 1);
	}
	return lm_error_set(err, LM_ERR_SYSTEM,
			    "%d processes that jobs left behind do not end, although killed",
			    alive);
}
