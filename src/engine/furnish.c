/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/furnish.h"

#include <loadmix/job.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A kind may stand on several lines of the mix: its hooks run once. */
static bool seen_before(const struct lm_mix *mix, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (mix->entries[i].job == mix->entries[index].job)
			return true;
	return false;
}

int lm_prepare_kinds(const struct lm_mix *mix, struct lm_error *err)
{
	for (size_t i = 0; i < mix->count; i++) {
		const struct lm_job *job = mix->entries[i].job;

		if (seen_before(mix, i))
			continue;
		errno = 0;
		if (job->prepare && job->prepare() < 0)
			return lm_error_sys(err, "job kind %s cannot be prepared", job->name);
	}
	return 0;
}

/* --- files --------------------------------------------------------------------------------- */

static bool furnishes(const struct lm_mix *mix)
{
	for (size_t i = 0; i < mix->count; i++)
		if (mix->entries[i].job->furnish)
			return true;
	return false;
}

static int furnish_kind(const struct lm_job *job, const char *const *dirs, size_t count,
			struct lm_error *err)
{
	for (size_t i = 0; job->furnish && i < count; i++) {
		errno = 0;
		if (job->furnish(dirs[i]) < 0)
			return lm_error_sys(err, "cannot make the files of job kind %s in '%s'",
					    job->name, dirs[i]);
	}
	return 0;
}

/* The process that makes them. It dies of signals and with its parent; the janitor waits for it
 * before it removes anything. */
static void make_files(const struct lm_mix *mix, const char *const *dirs, size_t count,
		       const struct lm_guard *guard, const struct lm_signals *signals, pid_t parent,
		       struct lm_error *told)
{
	int rc = 0;

	close(guard->watch[1]);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	lm_signals_forked(signals);
	if (getppid() != parent)
		rc = -1;
	for (size_t i = 0; rc == 0 && i < mix->count; i++)
		if (!seen_before(mix, i))
			rc = furnish_kind(mix->entries[i].job, dirs, count, told);
	_exit(rc < 0);
}

/* Until it has ended; a signal to us ends it. */
static int await_end(pid_t pid, struct lm_signals *signals)
{
	struct pollfd wake = { .fd = signals->fd, .events = POLLIN };
	int status = -1;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		poll(&wake, 1, -1);
		if (lm_signals_take(signals))
			kill(pid, SIGKILL); /* not reaped: the number is its own */
	}
	return status;
}

static int fork_and_wait(const struct lm_mix *mix, const char *const *dirs, size_t count,
			 const struct lm_guard *guard, struct lm_signals *signals,
			 struct lm_error *told, struct lm_error *err)
{
	pid_t parent = getpid(), pid = fork();
	int status;

	if (pid == 0)
		make_files(mix, dirs, count, guard, signals, parent, told);
	if (pid < 0)
		return lm_error_sys(err, "cannot fork the process that makes the kinds' files");
	status = await_end(pid, signals);
	if (lm_signals_take(signals))
		return -1;
	if (told->code) {
		*err = *told;
		return -1;
	}
	if (status == 0)
		return 0;
	return lm_error_set(err, LM_ERR_SYSTEM,
			    "the process that makes the kinds' files ended before it was done "
			    "(signal %d, status %d): was it killed?",
			    WIFSIGNALED(status) ? WTERMSIG(status) : 0,
			    WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

int lm_furnish(const struct lm_mix *mix, const char *const *dirs, size_t count,
	       const struct lm_guard *guard, struct lm_signals *signals, struct lm_error *err)
{
	struct lm_error *told; /* what the process tells */
	int rc;

	if (!furnishes(mix))
		return 0;
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (told == MAP_FAILED)
		return lm_error_sys(err, "a page for the process that makes the kinds' files");
	rc = fork_and_wait(mix, dirs, count, guard, signals, told, err);
	munmap(told, sizeof(*told));
	return rc;
}
