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

static struct lm_birth *find_birth(struct lm_roster *r, pid_t pid)
{
	struct lm_birth key = { .pid = pid };

	if (!r->sorted)
		qsort(r->births, r->count, sizeof(*r->births), by_pid);
	r->sorted = true;
	return bsearch(&key, r->births, r->count, sizeof(*r->births), by_pid);
}

static uint64_t timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static void note_end(struct lm_task_slot *slot, int status, const struct rusage *usage)
{
	uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);

	slot->wait_status = status;
	slot->user_ns = timeval_ns(usage->ru_utime);
	slot->system_ns = timeval_ns(usage->ru_stime);
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

/* Call see() for every child of this process. 0, or -1 when /proc cannot be read. */
static int each_child(int (*see)(void *state, pid_t child), void *state)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	pid_t self = getpid();
	int rc = 0;

	if (!proc)
		return -1;
	while (rc == 0 && (entry = readdir(proc))) {
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    parent_of(entry->d_name) == self)
			rc = see(state, (pid_t)atoi(entry->d_name));
	}
	closedir(proc);
	return rc;
}

static int note_stranger(void *state, pid_t child)
{
	struct lm_strangers *s = state;
	pid_t *more = realloc(s->pids, (s->count + 1) * sizeof(*more));

	if (!more)
		return -1;
	s->pids = more;
	s->pids[s->count++] = child;
	return 0;
}

int lm_strangers_note(struct lm_strangers *s, struct lm_error *err)
{
	siginfo_t info;

	*s = (struct lm_strangers){ 0 };
	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return 0; /* no children at all: the usual case */
	if (each_child(note_stranger, s) == 0)
		return 0;
	return lm_error_sys(err, "cannot list this process's children in /proc");
}

void lm_strangers_free(struct lm_strangers *s)
{
	free(s->pids);
	*s = (struct lm_strangers){ 0 };
}

struct stray_hunt {
	const struct lm_strangers *strangers;
	unsigned alive;
};

static int kill_stray(void *state, pid_t child)
{
	struct stray_hunt *hunt = state;

	for (size_t i = 0; i < hunt->strangers->count; i++)
		if (hunt->strangers->pids[i] == child)
			return 0;
	hunt->alive++;
	kill(child, SIGKILL); /* our own child, not reaped: the number is its */
	return 0;
}

int lm_reap_strays(const struct lm_strangers *strangers, struct lm_error *err)
{
	struct stray_hunt hunt = { .strangers = strangers };
	int killed = 0;

	for (int round = 0; round < STRAY_ROUNDS; round++) {
		int status;
		pid_t pid;

		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			killed += was_killed(status);
		if (pid < 0)
			return killed;
		hunt.alive = 0;
		if (each_child(kill_stray, &hunt) < 0 || hunt.alive == 0)
			return killed;
		poll(NULL, 0, round ? STRAY_ROUND_MS : 1);
	}
	return lm_error_set(err, LM_ERR_SYSTEM,
			    "%u processes that jobs left behind do not end, although killed",
			    hunt.alive);
}
