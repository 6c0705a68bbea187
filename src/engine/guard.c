/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/guard.h"

#include <loadmix/plan.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <time.h>
#include <unistd.h>

#include "base/detach.h"

/* Killed tasks may sleep for a while before they die; then the janitor waits no longer. */
enum { TASKS_WAIT_MS = 30000 };

#define IPC_KEYS_SIZE (LM_MAX_TASKS * sizeof(int))

static void block_all_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

/* Somebody may be waiting for the end of a pipe that we inherited. Our own come first, since they
 * must go even where there is no /proc to list the others. */
static void close_others(const struct lm_guard *g)
{
	DIR *dir;
	struct dirent *entry;

	close(g->watch[1]);
	close(g->life[1]);
	dir = opendir("/proc/self/fd");
	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd != dirfd(dir) && fd != g->watch[0] &&
		    fd != g->life[0])
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* Wait until the pipe has something to say; true when that is its end, and only then. */
static bool has_ended(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (poll(&p, 1, timeout_ms) < 0 && errno == EINTR)
		;
	return (p.revents & (POLLIN | POLLHUP)) == POLLHUP;
}

static void janitor(const struct lm_guard *g, struct lm_scratch *scratch, size_t count)
{
	setsid();
	block_all_signals();
	close_others(g);
	if (!has_ended(g->watch[0], -1))
		return; /* the program said good-bye */
	has_ended(g->life[0], TASKS_WAIT_MS);
	lm_guard_drop_ipc(g, LM_MAX_TASKS);
	for (size_t i = 0; i < count; i++) {
		scratch[i].fd = -1; /* the program's, not ours */
		lm_scratch_remove(&scratch[i], NULL);
	}
}

/* The janitor must not be our child, or we could never be without children. */
static int start_janitor(const struct lm_guard *g, struct lm_scratch *scratch, size_t count)
{
	int rc = lm_fork_detached();

	if (rc == 0) {
		janitor(g, scratch, count);
		_exit(0);
	}
	return rc < 0 ? -1 : 0;
}

/* For any number of tasks at once, since the janitor must know the place; untouched pages are free.
 */
static int map_ipc_keys(struct lm_guard *g)
{
	void *map = mmap(NULL, IPC_KEYS_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (map == MAP_FAILED)
		return -1;
	g->ipc_keys = map;
	return 0;
}

int lm_guard_open(struct lm_guard *g, struct lm_scratch *scratch, size_t count,
		  struct lm_error *err)
{
	*g = LM_GUARD_CLOSED;
	g->started = time(NULL);
	if (map_ipc_keys(g) == 0 && pipe2(g->watch, O_CLOEXEC) == 0 &&
	    pipe2(g->life, O_CLOEXEC) == 0 && start_janitor(g, scratch, count) == 0)
		return 0;
	lm_error_sys(err, "cannot start the process that cleans up after a crash");
	lm_guard_close(g);
	return -1;
}

/* A key that was noted but was somebody else's already leads to objects older than the session, or
 * of another user. */
static bool is_ours(const struct lm_guard *g, const struct ipc_perm *perm, time_t changed)
{
	return perm->cuid == geteuid() && changed >= g->started;
}

static void drop_keyed(const struct lm_guard *g, key_t key)
{
	int segment = shmget(key, 0, 0), semaphores = semget(key, 0, 0);
	struct shmid_ds shm;
	struct semid_ds sem;

	if (segment >= 0 && shmctl(segment, IPC_STAT, &shm) == 0 &&
	    is_ours(g, &shm.shm_perm, shm.shm_ctime))
		shmctl(segment, IPC_RMID, NULL);
	if (semaphores >= 0 && semctl(semaphores, 0, IPC_STAT, &sem) == 0 &&
	    is_ours(g, &sem.sem_perm, sem.sem_ctime))
		semctl(semaphores, 0, IPC_RMID);
}

void lm_guard_drop_ipc(const struct lm_guard *g, unsigned tasks)
{
	for (unsigned i = 0; i < tasks; i++) {
		if (!g->ipc_keys[i])
			continue;
		drop_keyed(g, g->ipc_keys[i]);
		g->ipc_keys[i] = 0;
	}
}

static void close_both(int *ends)
{
	if (ends[0] < 0)
		return;
	close(ends[0]);
	close(ends[1]);
}

void lm_guard_close(struct lm_guard *g)
{
	if (g->watch[1] >= 0)
		while (write(g->watch[1], "", 1) < 0 && errno == EINTR)
			;
	close_both(g->watch);
	close_both(g->life);
	if (g->ipc_keys)
		munmap(g->ipc_keys, IPC_KEYS_SIZE);
	*g = LM_GUARD_CLOSED;
}

static void warden(const struct lm_guard *g)
{
	struct pollfd p = { .fd = g->watch[0] };

	setpgid(0, 0);
	block_all_signals();
	close(g->watch[1]);
	while (poll(&p, 1, -1) < 0)
		;
	kill(0, SIGKILL);
}

pid_t lm_guard_warden(const struct lm_guard *g, struct lm_error *err)
{
	pid_t pid = fork();

	if (pid == 0) {
		warden(g);
		_exit(1);
	}
	if (pid < 0) {
		lm_error_sys(err, "cannot fork the leader of the tasks' process group");
		return -1;
	}
	setpgid(pid, pid); /* both sides do it: whoever comes first */
	return pid;
}
