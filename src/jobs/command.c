/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Job kinds that a workfile defines: one job starts a program and waits for it. */
#include <loadmix/job.h>

#include "jobs/children.h"
#include "jobs/jobs.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

/* The job, its name and its command line in one block of memory. */
struct command {
	struct lm_job job;
	const char *line;
	char text[];
};

static const char *expand_fault(int rc)
{
	switch (rc) {
	case WRDE_BADCHAR:
		return "an unquoted one of | & ; < > ( ) { } or a line break; quote it, or call "
		       "sh -c '...'";
	case WRDE_CMDSUB:
		return "a command substitution; call sh -c '...' for that";
	case WRDE_SYNTAX:
		return "a quote or brace that is not closed, or arithmetic that fails";
	default:
		return "no memory for it";
	}
}

static int expand(const char *line, wordexp_t *words)
{
	int rc = wordexp(line, words, WRDE_NOCMD);

	/* it may have allocated a part */
	if (rc == WRDE_NOSPACE)
		wordfree(words);
	return rc;
}

/* What it prints is no result of ours; what it complains about may help. */
static int spawn(char **argv, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (!error)
		error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static enum lm_outcome run_words(struct lm_job_ctx *ctx, wordexp_t *words, const char *line)
{
	pid_t pid;

	if (words->we_wordc == 0)
		return lm_job_wrong(ctx, "nothing is left of the command line: %s", line);
	errno = spawn(words->we_wordv, &pid);
	if (errno)
		return lm_job_fail(ctx, "posix_spawn %s", words->we_wordv[0]);
	return lm_child_wait(ctx, pid, line);
}

/* A path through /proc is a link, which find and others do not enter by its bare name. */
static int set_dir(const char *dir)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", dir, strncmp(dir, "/proc/", 6) ? "" : "/.");
	return setenv("LOADMIX_DIR", path, 1);
}

static enum lm_outcome command_run(struct lm_job_ctx *ctx)
{
	const struct command *c = ctx->job->data;
	enum lm_outcome outcome;
	wordexp_t words;
	int rc;

	if (set_dir(ctx->dir) < 0)
		return lm_job_fail(ctx, "setenv LOADMIX_DIR");
	rc = expand(c->line, &words);
	if (rc)
		return lm_job_wrong(ctx, "%s: %s", expand_fault(rc), c->line);
	outcome = run_words(ctx, &words, c->line);
	wordfree(&words);
	return outcome;
}

static struct lm_job *refuse(char *why, size_t size, const char *text)
{
	snprintf(why, size, "%s", text);
	return NULL;
}

static struct lm_job *make(const char *name, const char *line)
{
	size_t name_size = strlen(name) + 1;
	struct command *c = malloc(sizeof(*c) + name_size + strlen(line) + 1);

	if (!c)
		return NULL;
	memcpy(c->text, name, name_size);
	c->line = strcpy(c->text + name_size, line);
	c->job = (struct lm_job){ .name = c->text,
				  .unit = "Commands",
				  .class = LM_CLASS_SHELL,
				  .factor = 1,
				  .flags = LM_JOB_DIR | LM_JOB_CHILDREN,
				  .data = c,
				  .run = command_run };
	return &c->job;
}

struct lm_job *lm_command_job(const char *name, const char *line, char *why, size_t size)
{
	struct lm_job *job;
	wordexp_t words;
	int rc;

	setenv("LOADMIX_DIR", "/", 0); /* it may be asked for: ${LOADMIX_DIR:?} */
	rc = expand(line, &words);
	if (rc)
		return refuse(why, size, expand_fault(rc));
	wordfree(&words);
	job = make(name, line);
	return job ? job : refuse(why, size, "no memory for it");
}
