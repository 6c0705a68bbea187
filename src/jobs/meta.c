/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File-name kinds: creating, linking, finding and listing names. */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/jobs.h"

#define MODE        0777 /* before umask, as AIM7 */

#define CREATIONS   1000
#define LINKS       8 /* names of the one file, the first included */
#define LINK_ROUNDS 9
#define READDIRS    10000

static enum lm_outcome creat_and_close(struct lm_job_ctx *ctx, const char *path)
{
	int fd = creat(path, MODE);

	if (fd < 0)
		return lm_job_fail(ctx, "creat %s", path);
	if (close(fd) < 0)
		return lm_job_fail(ctx, "close %s", path);
	return LM_JOB_OK;
}

/* Only the first creation makes the file, the others truncate it. */
static enum lm_outcome creat_clo_run(struct lm_job_ctx *ctx)
{
	enum lm_outcome outcome = LM_JOB_OK;
	char path[PATH_MAX];

	lm_job_path(ctx, path);
	for (unsigned i = 0; i < CREATIONS && outcome == LM_JOB_OK; i++)
		outcome = creat_and_close(ctx, path);
	if (unlink(path) < 0 && outcome == LM_JOB_OK)
		outcome = lm_job_fail(ctx, "unlink %s", path);
	return outcome;
}

static char link_names[LINKS][PATH_MAX];

static enum lm_outcome add_link(struct lm_job_ctx *ctx, unsigned i)
{
	if (link(link_names[0], link_names[i]) < 0)
		return lm_job_fail(ctx, "link %s to %s", link_names[0], link_names[i]);
	return LM_JOB_OK;
}

static enum lm_outcome drop_link(struct lm_job_ctx *ctx, unsigned i)
{
	if (unlink(link_names[i]) < 0)
		return lm_job_fail(ctx, "unlink %s", link_names[i]);
	return LM_JOB_OK;
}

static enum lm_outcome renew_links(struct lm_job_ctx *ctx)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (unsigned i = 1; i < LINKS && outcome == LM_JOB_OK; i++) {
		outcome = drop_link(ctx, i);
		if (outcome == LM_JOB_OK)
			outcome = add_link(ctx, i);
	}
	return outcome;
}

/* That every removal finds its name is the check that every link was made. */
static enum lm_outcome work_links(struct lm_job_ctx *ctx)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (unsigned i = 1; i < LINKS && outcome == LM_JOB_OK; i++)
		outcome = add_link(ctx, i);
	for (unsigned round = 0; round < LINK_ROUNDS && outcome == LM_JOB_OK; round++)
		outcome = renew_links(ctx);
	for (unsigned i = 0; i < LINKS && outcome == LM_JOB_OK; i++)
		outcome = drop_link(ctx, i);
	return outcome;
}

static enum lm_outcome link_run(struct lm_job_ctx *ctx)
{
	enum lm_outcome outcome;
	int fd;

	for (unsigned i = 0; i < LINKS; i++)
		lm_job_path(ctx, link_names[i]);
	fd = creat(link_names[0], MODE);
	if (fd < 0)
		return lm_job_fail(ctx, "creat %s", link_names[0]);
	outcome = work_links(ctx);
	if (outcome != LM_JOB_OK)
		for (unsigned i = 0; i < LINKS; i++)
			unlink(link_names[i]);
	if (close(fd) < 0 && outcome == LM_JOB_OK)
		outcome = lm_job_fail(ctx, "close %s", link_names[0]);
	return outcome;
}

static enum lm_outcome read_names(struct lm_job_ctx *ctx, DIR *dir)
{
	bool at_start = true;

	for (unsigned i = 0; i < READDIRS; i++) {
		errno = 0;
		if (readdir(dir)) {
			at_start = false;
			continue;
		}
		if (errno != 0)
			return lm_job_fail(ctx, "readdir /bin");
		if (at_start)
			return lm_job_wrong(ctx, "readdir /bin: no entry, want at least one");
		rewinddir(dir);
		at_start = true;
	}
	return LM_JOB_OK;
}

static enum lm_outcome dir_rtns_run(struct lm_job_ctx *ctx)
{
	DIR *dir = opendir("/bin");
	enum lm_outcome outcome;

	if (!dir)
		return lm_job_fail(ctx, "opendir /bin");
	outcome = read_names(ctx, dir);
	if (closedir(dir) < 0 && outcome == LM_JOB_OK)
		outcome = lm_job_fail(ctx, "closedir /bin");
	return outcome;
}

const struct lm_job lm_jobs_meta[] = {
	{
		.name = "creat-clo",
		.unit = "File Creations and Closes",
		.class = LM_CLASS_FS_META,
		.factor = 1000,
		.flags = LM_JOB_DIR,
		.run = creat_clo_run,
	},
	{
		.name = "link_test",
		.unit = "Link/Unlink Pairs",
		.class = LM_CLASS_FS_META,
		.factor = 63,
		.flags = LM_JOB_DIR,
		.run = link_run,
	},
	{
		.name = "dir_rtns_1",
		.unit = "Directory Operations",
		.class = LM_CLASS_FS_META,
		.factor = 10000,
		.run = dir_rtns_run,
	},
	{ 0 },
};
