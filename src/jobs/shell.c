/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shell commands: a process hands a command line to the system's shell, which runs a script.
 *
 * The script is the user's own in the current directory, else the installed one. It is looked for
 * before the run, and its path is absolute: jobs neither search for it nor run another by chance.
 */
#include <loadmix/job.h>

#include "jobs/children.h"
#include "jobs/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SCRIPTS = 3, REAIM_ARGUMENT = 9, NOT_STARTED = 127, BY_SIGNAL = 128 };

static char found[SCRIPTS][PATH_MAX]; /* "" = not looked for yet */

static size_t number_of(const struct lm_job *job)
{
	return *(const unsigned char *)job->data;
}

/* A script that can be run: as a directory can be "executed", too, that alone does not say it. */
static bool is_script(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Where the installed script is; "" when it is not known. */
static const char *installed_path(const struct lm_job_ctx *ctx, char *buf)
{
	snprintf(buf, PATH_MAX, "%s%s%zu%s", ctx->data_dir, "/scripts/aim_", number_of(ctx->job),
		 ".sh");
	return ctx->data_dir[0] ? buf : "";
}

static bool find_script(const struct lm_job_ctx *ctx, char *buf)
{
	char here[PATH_MAX - 16];

	if (getcwd(here, sizeof here)) {
		snprintf(buf, PATH_MAX, "%s/aim_%zu.sh", strcmp(here, "/") ? here : "",
			 number_of(ctx->job));
		if (is_script(buf))
			return true;
	}
	if (is_script(installed_path(ctx, buf)))
		return true;
	buf[0] = '\0';
	return false;
}

static enum lm_outcome shell_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	size_t n = number_of(ctx->job);
	char path[PATH_MAX];
	bool installed;

	if (find_script(ctx, found[n - 1])) {
		installed = strcmp(found[n - 1], installed_path(ctx, path)) == 0;
		if (!installed || access(".", R_OK | X_OK) == 0)
			return LM_JOB_OK;
		snprintf(why, why_size, "%s lists the current directory, which cannot be read: %s",
			 path, strerror(errno));
		return LM_JOB_UNSUPPORTED;
	}
	snprintf(why, why_size,
		 "no executable aim_%zu.sh in the current directory, and none installed (%s)", n,
		 ctx->data_dir[0] ? installed_path(ctx, path) : "the data directory is not found");
	return LM_JOB_UNSUPPORTED;
}

/* The command line: the path in quotes that keep everything as it is, and the argument. */
static void write_command(char *line, const char *path, unsigned argument)
{
	*line++ = '\'';
	for (; *path; path++) {
		if (*path == '\'')
			line = stpcpy(line, "'\\'");
		*line++ = *path;
	}
	sprintf(line, "' %u", argument);
}

/* In the wrapper: the status of the command as that of a process. */
static _Noreturn void run_command(struct lm_job_ctx *ctx, const char *line)
{
	int status = system(line);

	if (status < 0) {
		lm_job_fail(ctx, "system %s", line);
		_exit(NOT_STARTED);
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status));
}

static enum lm_outcome shell_rtns(struct lm_job_ctx *ctx)
{
	char *path = found[number_of(ctx->job) - 1];
	enum lm_outcome outcome;
	char *line;
	pid_t pid;

	if (!path[0] && !find_script(ctx, path))
		return lm_job_wrong(ctx, "no executable aim_%zu.sh", number_of(ctx->job));
	line = malloc(4 * strlen(path) + 32);
	if (!line)
		return lm_job_fail(ctx, "malloc for a command line");
	write_command(line, path,
		      ctx->semantics == LM_SEMANTICS_REAIM ? REAIM_ARGUMENT : ctx->tasks);
	pid = fork();
	if (pid == 0)
		run_command(ctx, line);
	outcome = pid < 0 ? lm_job_fail(ctx, "fork for %s", line) : lm_child_wait(ctx, pid, path);
	free(line);
	return outcome;
}

const char *lm_shell_script(const struct lm_job *job)
{
	const char *path = job->run == shell_rtns ? found[number_of(job) - 1] : "";

	return path[0] ? path : NULL;
}

#define SHELL_RTNS(N)                                                                       \
	{                                                                                   \
		.name = "shell_rtns_" #N, .unit = "Shell Scripts", .class = LM_CLASS_SHELL, \
		.factor = 1, .flags = LM_JOB_CHILDREN, .data = &(const unsigned char){ N }, \
		.supported = shell_supported, .run = shell_rtns,                            \
	}

const struct lm_job lm_jobs_shell[] = {
	SHELL_RTNS(1),
	SHELL_RTNS(2),
	SHELL_RTNS(3),
	{ 0 },
};
