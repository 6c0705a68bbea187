/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runkind KIND DIR FILE_KIB [TIMES [reaim | nosync | PARAM=VALUE]...]: run one job kind in this
 * very process, so that strace and valgrind can count its work. LOADMIX_DATA names the data
 * directory. What the parent does before a step (prepare, furnish, the common file) happens first;
 * close(-11) and close(-12), which fail harmlessly, mark the jobs' start and end in a trace. Files
 * stay in DIR. Exit status 0: every job was ok; 1: not, standard error says why; 2: wrong usage.
 */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "model/kinds.h"
#include "model/mix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MARK_START = -11, MARK_END = -12 };

static void report(struct lm_job_ctx *ctx, int error, const char *fmt, va_list ap)
{
	(void)ctx;
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "%s%s\n", error ? ": " : "", error ? strerror(error) : "");
}

static const struct lm_job *find(const char *name)
{
	static const struct lm_job *const null_list[] = { lm_jobs_null, NULL };
	const struct lm_job *job = lm_kind_find(lm_jobs, name);

	return job ? job : lm_kind_find(null_list, name);
}

static int write_common(int fd, uint64_t blocks)
{
	unsigned char block[LM_BLOCK];

	for (unsigned i = 0; i < LM_BLOCK; i++)
		block[i] = (unsigned char)(i % LM_FILL_MODULUS);
	for (uint64_t n = 0; n < blocks; n++) {
		memcpy(block, &n, sizeof(n));
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			return -1;
	}
	return 0;
}

static int make_common(const char *dir, uint64_t blocks)
{
	char path[PATH_MAX];
	int fd, status;

	if (snprintf(path, sizeof(path), "%s/%s", dir, LM_COMMON_NAME) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = creat(path, 0666);
	if (fd < 0)
		return -1;
	status = write_common(fd, blocks);
	return close(fd) ? -1 : status;
}

/* What the parent does before the first fork; 0, or -1 with the reason on standard error. */
static int set_up(const struct lm_job_ctx *ctx, const char *dir)
{
	const struct lm_job *job = ctx->job;
	char why[256] = "";

	if (job->supported && job->supported(ctx, why, sizeof(why)) != LM_JOB_OK) {
		fprintf(stderr, "%s is unsupported: %s\n", job->name, why);
		return -1;
	}
	if (job->prepare && job->prepare()) {
		perror("prepare");
		return -1;
	}
	if (job->furnish && job->furnish(dir)) {
		perror("furnish");
		return -1;
	}
	if (job->flags & LM_JOB_COMMON && make_common(dir, ctx->file_kib)) {
		perror("common file");
		return -1;
	}
	return 0;
}

/* Not inlined, so that a profiler can be told to count inside it alone. */
static __attribute__((noinline)) int run_jobs(struct lm_job_ctx *ctx, unsigned long times)
{
	enum lm_outcome outcome = LM_JOB_OK;

	close(MARK_START);
	while (times-- && outcome == LM_JOB_OK)
		outcome = ctx->job->run(ctx);
	close(MARK_END);
	return outcome == LM_JOB_OK ? 0 : 1;
}

/* "reaim", "nosync" or a parameter. */
static int take_option(struct lm_job_ctx *ctx, struct lm_mix *mix, char *text)
{
	char *value = strchr(text, '=');
	struct lm_error err = { 0 };

	if (!strcmp(text, "reaim"))
		ctx->semantics = LM_SEMANTICS_REAIM;
	else if (!strcmp(text, "nosync"))
		ctx->system_sync = false;
	else if (value)
		*value++ = '\0';
	if (!value || lm_mix_set_param(mix, text, value, "", 0, 0, &err) == 0)
		return 0;
	fprintf(stderr, "%s\n", err.text);
	return -1;
}

int main(int argc, char **argv)
{
	int ipc_key = 0, status = 1;
	const char *data = getenv("LOADMIX_DATA");
	struct lm_job_ctx ctx = { .tasks = 1,
				  .report = report,
				  .system_sync = true,
				  .ipc_key = &ipc_key,
				  .data_dir = data ? data : "",
				  .job = argc > 3 ? find(argv[1]) : NULL };
	struct lm_mix mix = { 0 };
	char dir[PATH_MAX];

	if (!ctx.job) {
		fprintf(stderr, "usage: runkind KIND DIR FILE_KIB [TIMES [reaim | nosync | "
				"PARAM=VALUE]...]; KIND as loadmix list\n");
		return 2;
	}
	if (!realpath(argv[2], dir)) {
		perror(argv[2]);
		return 1;
	}
	if (lm_mix_add(&mix, ctx.job, 1, 1) < 0)
		return 1;
	for (int i = 5; i < argc; i++)
		if (take_option(&ctx, &mix, argv[i]) < 0)
			return 2;
	ctx.params = mix.entries[0].params;
	ctx.file_kib = strtoull(argv[3], NULL, 10);
	ctx.dir = ctx.job->flags & LM_JOB_DIR ? dir : NULL;
	ctx.home = dir;
	if (set_up(&ctx, dir) == 0)
		status = run_jobs(&ctx, argc > 4 ? strtoul(argv[4], NULL, 10) : 1);
	lm_mix_free(&mix);
	return status;
}
