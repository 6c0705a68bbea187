/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes created, and programs loaded into them. */
#include "jobs/children.h"

#include "jobs/jobs.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 100, EXECS = 5, EXEC_FAILED = 127 };

#define INTERPRETER "/bin/sh"
#define SCRIPT      "#!" INTERPRETER "\n"

enum lm_outcome lm_child_wait(struct lm_job_ctx *ctx, pid_t pid, const char *name)
{
	pid_t ended;
	int status;

	do
		ended = waitpid(pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	if (ended < 0)
		return lm_job_fail(ctx, "waitpid %d, %s", (int)pid, name);
	if (ended != pid)
		return lm_job_wrong(ctx, "waitpid %d, %s: answered with %d", (int)pid, name,
				    (int)ended);
	if (WIFSIGNALED(status))
		return lm_job_wrong(ctx, "%s was killed by signal %d (%s)", name, WTERMSIG(status),
				    strsignal(WTERMSIG(status)));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return lm_job_wrong(ctx, "%s exited with status %d; want 0", name,
				    WEXITSTATUS(status));
	return LM_JOB_OK;
}

static enum lm_outcome fork_test(struct lm_job_ctx *ctx)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (int n = 0; n < FORKS && outcome == LM_JOB_OK; n++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0)
			return lm_job_fail(ctx, "fork %d of %d", n + 1, FORKS);
		outcome = lm_child_wait(ctx, pid, "a forked child");
	}
	return outcome;
}

static const char *script_path(const char *dir, char *buf)
{
	snprintf(buf, PATH_MAX, "%s/true", dir);
	return buf;
}

/* The script that exec_test loads; no file mode mask may take its bits away. */
static int exec_furnish(const char *dir)
{
	char path[PATH_MAX];
	int fd = open(script_path(dir, path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	int status = -1;

	if (fd < 0)
		return -1;
	if (write(fd, SCRIPT, strlen(SCRIPT)) == (ssize_t)strlen(SCRIPT))
		status = fchmod(fd, 0700);
	return close(fd) ? -1 : status;
}

static enum lm_outcome exec_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	struct statvfs fs;

	if (statvfs(ctx->home, &fs) == 0 && fs.f_flag & ST_NOEXEC)
		snprintf(why, why_size,
			 "%s is mounted noexec, and a script is to be executed there", ctx->home);
	else if (access(INTERPRETER, X_OK))
		snprintf(why, why_size, INTERPRETER ": %s", strerror(errno));
	else
		return LM_JOB_OK;
	return LM_JOB_UNSUPPORTED;
}

/* In the child. The report is lost where the task's is not shared memory; the status then tells. */
static _Noreturn void load(struct lm_job_ctx *ctx, const char *path)
{
	char *argv[] = { (char[]){ "true" }, NULL };

	execve(path, argv, environ);
	lm_job_fail(ctx, "execve %s", path);
	_exit(EXEC_FAILED);
}

static enum lm_outcome exec_test(struct lm_job_ctx *ctx)
{
	enum lm_outcome outcome = LM_JOB_OK;
	char path[PATH_MAX];

	script_path(ctx->home, path);
	for (int n = 0; n < EXECS && outcome == LM_JOB_OK; n++) {
		pid_t pid = fork();

		if (pid == 0)
			load(ctx, path);
		if (pid < 0)
			return lm_job_fail(ctx, "fork %d of %d", n + 1, EXECS);
		outcome = lm_child_wait(ctx, pid, path);
	}
	return outcome;
}

const struct lm_job lm_jobs_children[] = {
	{
		.name = "exec_test",
		.unit = "Program Loads",
		.class = LM_CLASS_PROCESS,
		.factor = EXECS,
		.flags = LM_JOB_CHILDREN,
		.supported = exec_supported,
		.furnish = exec_furnish,
		.run = exec_test,
	},
	{
		.name = "fork_test",
		.unit = "Task Creations",
		.class = LM_CLASS_PROCESS,
		.factor = FORKS,
		.flags = LM_JOB_CHILDREN,
		.run = fork_test,
	},
	{ 0 },
};
