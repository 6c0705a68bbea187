/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "jobs/jobs.h"

static void report(struct lm_job_ctx *ctx, int error, const char *fmt, va_list ap)
{
	struct fixture *f = (struct fixture *)ctx;

	if (f->text[0])
		return;
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	f->error = error;
}

const struct lm_job *find(const char *name)
{
	for (size_t i = 0; lm_jobs[i]; i++)
		for (const struct lm_job *job = lm_jobs[i]; job->name; job++)
			if (strcmp(job->name, name) == 0)
				return job;
	fail_msg("no kind %s", name);
	return NULL;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status;
	(void)type;
	(void)at;
	return remove(path);
}

void remove_tree(const char *path)
{
	assert_int_equal(nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static int make_dir(struct fixture *f, const char *parent)
{
	snprintf(f->dir, sizeof(f->dir), "%s/loadmix-fs.XXXXXX", parent);
	f->ctx.dir = f->ctx.home = f->dir;
	return mkdtemp(f->dir) ? 0 : -1;
}

int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const char *parent = getenv("TMPDIR");

	if (!f)
		return -1;
	*state = f;
	f->ctx.tasks = 1;
	f->ctx.rng.state = 1;
	f->ctx.report = report;
	f->ctx.params = f->params;
	return make_dir(f, parent ? parent : "/tmp");
}

int tear_down(void **state)
{
	struct fixture *f = *state;

	if (access(f->dir, F_OK) == 0)
		remove_tree(f->dir);
	free(f);
	return 0;
}

bool move_to(struct fixture *f, const char *parent)
{
	remove_tree(f->dir);
	return make_dir(f, parent) == 0;
}

static unsigned counted;

static int count_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)path;
	(void)status;
	(void)type;
	(void)at;
	counted++;
	return 0;
}

unsigned count_entries(const struct fixture *f)
{
	counted = 0;
	assert_int_equal(nftw(f->dir, count_entry, 16, FTW_PHYS), 0);
	return counted;
}

unsigned count_descriptors(void)
{
	unsigned open_ones = 0;

	for (int fd = 0; fd < 256; fd++)
		open_ones += fcntl(fd, F_GETFD) != -1;
	return open_ones;
}

void choose(struct fixture *f, const struct lm_job *job)
{
	for (size_t i = 0; job->params && job->params[i].name; i++)
		f->params[i] = job->params[i].fallback;
	if (job->class == LM_CLASS_DISK && f->block)
		f->params[0] = f->block;
	f->ctx.job = job;
	f->ctx.dir = job->flags & LM_JOB_DIR ? f->dir : NULL;
	f->text[0] = '\0';
	f->error = 0;
}

enum lm_outcome ask(struct fixture *f, const struct lm_job *job)
{
	choose(f, job);
	return job->supported ? job->supported(&f->ctx, f->text, sizeof(f->text)) : LM_JOB_OK;
}

void write_common(const struct fixture *f, uint64_t blocks)
{
	unsigned char block[LM_BLOCK];
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/" LM_COMMON_NAME, f->dir);
	file = fopen(path, "w");
	assert_non_null(file);
	for (unsigned i = 0; i < LM_BLOCK; i++)
		block[i] = (unsigned char)(i % LM_FILL_MODULUS);
	for (uint64_t n = 0; n < blocks; n++) {
		memcpy(block, &n, sizeof(n));
		assert_int_equal(fwrite(block, 1, sizeof(block), file), LM_BLOCK);
	}
	assert_int_equal(fclose(file), 0);
}

void corrupt_common(const struct fixture *f, uint64_t block)
{
	uint64_t stamp = block ^ 1;
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/" LM_COMMON_NAME, f->dir);
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &stamp, sizeof(stamp), (off_t)(block * LM_BLOCK)),
			 sizeof(stamp));
	close(fd);
}

void make_ready(struct fixture *f, const struct lm_job *job)
{
	choose(f, job);
	if (job->prepare)
		assert_int_equal(job->prepare(), 0);
	if (job->furnish)
		assert_int_equal(job->furnish(f->dir), 0);
	if (job->flags & LM_JOB_COMMON)
		write_common(f, f->ctx.file_kib);
}

enum lm_outcome run_kind(struct fixture *f, const struct lm_job *job)
{
	unsigned entries = access(f->dir, F_OK) == 0 ? count_entries(f) : 0;
	unsigned descriptors = count_descriptors();
	enum lm_outcome outcome;

	choose(f, job);
	outcome = job->run(&f->ctx);
	assert_int_equal(count_descriptors(), descriptors);
	if (entries)
		assert_int_equal(count_entries(f), entries);
	return outcome;
}

void assert_runs(struct fixture *f, const struct lm_job *job)
{
	if (run_kind(f, job) != LM_JOB_OK)
		fail_msg("%s at %u KiB, blocks of %u: %s: %s", job->name, (unsigned)f->ctx.file_kib,
			 (unsigned)f->block, f->text, strerror(f->error));
}

enum lm_outcome run_failing(struct fixture *f, const struct lm_job *job)
{
	enum lm_outcome outcome = run_kind(f, job);

	if (outcome == LM_JOB_OK)
		fail_msg("%s did not fail", job->name);
	return outcome;
}

void assert_text(const struct fixture *f, const char *want)
{
	if (!strstr(f->text, want))
		fail_msg("no \"%s\" in \"%s\"", want, f->text);
}

uint64_t state_after(uint64_t state, unsigned draws)
{
	struct lm_rng rng = { state };

	while (draws--)
		lm_rng_draw(&rng);
	return rng.state;
}
