/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GROUP_WAIT_STEPS = 1000, GROUP_WAIT_MS = 10 };

static void block_all_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

/* Somebody may be waiting for the end of a pipe that we inherited. */
static void close_all_but(int keep, const struct lm_scratch *scratch, size_t count)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name);
		bool kept = entry->d_name[0] == '.' || fd == keep || fd == dirfd(dir);

		for (size_t i = 0; i < count; i++)
			kept = kept || fd == scratch[i].base_fd;
		if (!kept)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* True when the program died, false when it said good-bye. */
static bool program_died(int watch_fd)
{
	struct pollfd p = { .fd = watch_fd, .events = POLLIN };

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	return !(p.revents & POLLIN);
}

/* Signal 0 is no signal: it only asks whether somebody of the group is there. */
static void await_group(const _Atomic pid_t *group)
{
	pid_t pid = atomic_load(group);

	for (int i = 0; pid > 0 && i < GROUP_WAIT_STEPS; i++) {
		if (kill(-pid, 0) < 0 && errno == ESRCH)
			return;
		poll(NULL, 0, GROUP_WAIT_MS);
	}
}

static void janitor(struct lm_guard *g, struct lm_scratch *scratch, size_t count)
{
	setsid();
	block_all_signals();
	close_all_but(g->watch_fd, scratch, count);
	if (!program_died(g->watch_fd))
		return;
	await_group(g->group);
	for (size_t i = 0; i < count; i++)
		lm_scratch_remove(&scratch[i]);
}

/* Two forks: the janitor must not be our child, or we could never be without children. */
static int start_janitor(struct lm_guard *g, struct lm_scratch *scratch, size_t count)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		pid_t second = fork();

		if (second == 0)
			janitor(g, scratch, count);
		_exit(second < 0 ? 1 : 0);
	}
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	errno = EAGAIN;
	return status == 0 ? 0 : -1;
}

int lm_guard_open(struct lm_guard *g, struct lm_scratch *scratch, size_t count,
		  struct lm_error *err)
{
	int ends[2];

	*g = (struct lm_guard){ .fd = -1, .watch_fd = -1 };
	g->group = mmap(NULL, sizeof(*g->group), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (g->group == MAP_FAILED) {
		g->group = NULL;
		return lm_error_sys(err, "cannot map a page");
	}
	if (pipe2(ends, O_CLOEXEC) < 0) {
		lm_error_sys(err, "pipe");
		lm_guard_close(g);
		return -1;
	}
	g->watch_fd = ends[0];
	g->fd = ends[1];
	if (start_janitor(g, scratch, count) == 0)
		return 0;
	lm_error_sys(err, "cannot start the process that cleans up after a crash");
	lm_guard_close(g);
	return -1;
}

void lm_guard_close(struct lm_guard *g)
{
	if (g->fd >= 0) {
		while (write(g->fd, "", 1) < 0 && errno == EINTR)
			;
		close(g->fd);
		close(g->watch_fd);
	}
	if (g->group)
		munmap((void *)g->group, sizeof(*g->group));
	*g = (struct lm_guard){ .fd = -1, .watch_fd = -1 };
}

static void warden(const struct lm_guard *g)
{
	struct pollfd p = { .fd = g->watch_fd };

	setpgid(0, 0);
	block_all_signals();
	close(g->fd);
	while (poll(&p, 1, -1) < 0)
		;
	kill(0, SIGKILL);
}

pid_t lm_guard_warden(struct lm_guard *g, struct lm_error *err)
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
	atomic_store(g->group, pid);
	return pid;
}

void lm_guard_warden_gone(struct lm_guard *g)
{
	atomic_store(g->group, 0);
}
