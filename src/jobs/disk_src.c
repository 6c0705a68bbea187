/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disk_src: finding names in a tree of its own. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <loadmix/job.h>

#include "jobs/jobs.h"

#define MODE 0777 /* before umask, as AIM7 */

/* The tree that disk_src searches: its own names, the counts of AIM7's. */
#define TREE           "tree"
#define LIST           "list"
#define FOLDER_FILES   40 /* in each folder that holds files */
#define STATS          57
#define CREATES        43
#define LIST_LINES     382
#define LIST_BYTES     10726
#define LIST_CHUNK     4096 /* bytes asked for with one read */
#define RULERS         19   /* lines of the list that hold no name, ... */
#define RULER_INTERVAL 20   /* ... one before every so many names, ... */
#define RULER_BYTES    509  /* ... and what they need to fill the list to LIST_BYTES */
#define SLOTS          75
#define SHUFFLE_PASSES 5

/* The first character of a line of the list. */
#define MARK_STAT   '?'
#define MARK_CREATE '+'
#define MARK_NONE   '-'
#define MARK_RULER  '#'

/* The folders that hold files. All others lead to one of them: 24 with the top. */
static const struct folder {
	const char *path; /* from the top of the tree, with a final '/' */
	unsigned stats, creates;
} folders[] = {
	{ "", 8, 0 },
	{ "map/", 6, 7 },
	{ "wall/west/", 7, 5 },
	{ "hall/east/rack/shelf/", 7, 6 },
	{ "yard/shed/bench/box/lid/", 8, 6 },
	{ "yard/shed/crate/row/bin/", 8, 7 },
	{ "yard/shed/frame/peg/jar/", 6, 6 },
	{ "hall/vault/aisle/case/tray/slots/", 7, 6 },
};
#define FOLDERS (sizeof folders / sizeof folders[0])

/* The text of the list, and room to meet its end with one more read. */
static char list[LIST_BYTES + 2 * LIST_CHUNK];

/* The list while it is composed: where the next line goes, and how many names are in it. */
struct composer {
	char *end;
	unsigned names;
};

static void add_ruler(struct composer *c, unsigned i)
{
	size_t length = RULER_BYTES * (i + 1) / RULERS - RULER_BYTES * i / RULERS;

	memset(c->end, '.', length);
	c->end[0] = MARK_RULER;
	c->end[length - 1] = '\n';
	c->end += length;
}

static void add_name(struct composer *c, char mark, const char *path, const char *stem, unsigned i)
{
	if (c->names % RULER_INTERVAL == 0)
		add_ruler(c, c->names / RULER_INTERVAL);
	c->end += sprintf(c->end, "%c%s%s%02u\n", mark, path, stem, i);
	c->names++;
}

/* Whether file i of a folder is one of its marks: they are spread evenly. */
static bool is_marked(unsigned i, unsigned marks)
{
	return (i + 1) * marks / FOLDER_FILES > i * marks / FOLDER_FILES;
}

/* Write the list into list[]; returns its length. */
static size_t compose_list(void)
{
	struct composer c = { .end = list };

	for (const struct folder *f = folders; f < folders + FOLDERS; f++) {
		for (unsigned i = 0; i < FOLDER_FILES; i++)
			add_name(&c, is_marked(i, f->stats) ? MARK_STAT : MARK_NONE, f->path,
				 "sheet-", i);
		for (unsigned i = 0; i < f->creates; i++)
			add_name(&c, MARK_CREATE, f->path, "new-page-", i);
	}
	return (size_t)(c.end - list);
}

/* Make the folders of a path that are not there yet. */
static int make_folders(int top, const char *path)
{
	char part[64];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
		if (mkdirat(top, part, MODE) < 0 && errno != EEXIST)
			return -1;
	}
	return 0;
}

/* Write a file of the tree, replacing what was there. */
static int make_file(int top, const char *name, const char *text, size_t length)
{
	int fd = openat(top, name, O_WRONLY | O_CREAT | O_TRUNC, MODE);
	ssize_t written = 1;
	int error;

	if (fd < 0)
		return -1;
	/* the write after one that came short says why */
	for (; length > 0 && written > 0; text += written, length -= (size_t)written)
		if ((written = write(fd, text, length)) < 0)
			break;
	error = written < 0 ? errno : ENOSPC;
	if (close(fd) < 0)
		return -1;
	errno = error;
	return length > 0 ? -1 : 0;
}

static int make_files(int top, const struct folder *folder)
{
	char name[64];

	for (unsigned i = 0; i < FOLDER_FILES; i++) {
		snprintf(name, sizeof name, "%ssheet-%02u", folder->path, i);
		if (make_file(top, name, NULL, 0) < 0)
			return -1;
	}
	return 0;
}

static int fill_tree(int top)
{
	for (const struct folder *f = folders; f < folders + FOLDERS; f++)
		if (make_folders(top, f->path) < 0 || make_files(top, f) < 0)
			return -1;
	return make_file(top, LIST, list, compose_list());
}

static int disk_src_furnish(const char *dir)
{
	char path[PATH_MAX];
	int top, result, error;

	snprintf(path, sizeof path, "%s/" TREE, dir);
	if (mkdir(path, MODE) < 0 && errno != EEXIST)
		return -1;
	top = open(path, O_RDONLY | O_DIRECTORY);
	if (top < 0)
		return -1;
	result = fill_tree(top);
	error = errno;
	close(top);
	errno = error;
	return result;
}

/* The names of one disk_src job; empty slots are NULL. */
struct search {
	char *stats[SLOTS];
	char *creates[SLOTS];
	unsigned stat_count, create_count, lines;
};

static enum lm_outcome tree_fail(struct lm_job_ctx *ctx, const char *call, const char *name)
{
	return lm_job_fail(ctx, "%s %s/" TREE "/%s", call, ctx->dir, name);
}

static enum lm_outcome read_chunks(struct lm_job_ctx *ctx, int fd)
{
	size_t used = 0;
	ssize_t n;

	do {
		n = read(fd, list + used, LIST_CHUNK);
		if (n < 0)
			return tree_fail(ctx, "read", LIST);
		used += (size_t)n;
	} while (n > 0 && used <= LIST_BYTES);
	if (used != LIST_BYTES)
		return lm_job_wrong(ctx, "read %s/" TREE "/" LIST ": %zu bytes, want %d", ctx->dir,
				    used, LIST_BYTES);
	return LM_JOB_OK;
}

static enum lm_outcome read_list(struct lm_job_ctx *ctx)
{
	int fd = open(LIST, O_RDONLY);
	enum lm_outcome outcome;
	struct stat status;

	if (fd < 0)
		return tree_fail(ctx, "open", LIST);
	if (fstat(fd, &status) < 0)
		outcome = tree_fail(ctx, "fstat", LIST);
	else
		outcome = read_chunks(ctx, fd);
	if (close(fd) < 0 && outcome == LM_JOB_OK)
		outcome = tree_fail(ctx, "close", LIST);
	return outcome;
}

static char *copy_name(const char *name, size_t length, const char *suffix)
{
	size_t suffix_size = strlen(suffix) + 1;
	char *copy = malloc(length + suffix_size);

	if (copy) {
		memcpy(copy, name, length);
		memcpy(copy + length, suffix, suffix_size);
	}
	return copy;
}

/* Keep the name of a line if it is marked. Returns -1 with errno when memory is short. */
static int take_line(struct search *s, const char *line, size_t length, const char *suffix)
{
	char **slot;

	s->lines++;
	if (length == 0)
		return 0;
	if (line[0] == MARK_STAT && s->stat_count < SLOTS)
		slot = &s->stats[s->stat_count++];
	else if (line[0] == MARK_CREATE && s->create_count < SLOTS)
		slot = &s->creates[s->create_count++];
	else
		return 0;
	*slot = copy_name(line + 1, length - 1, line[0] == MARK_CREATE ? suffix : "");
	return *slot ? 0 : -1;
}

static enum lm_outcome parse_list(struct lm_job_ctx *ctx, struct search *s)
{
	const char *line = list, *end = list + LIST_BYTES, *newline;
	char suffix[32];

	snprintf(suffix, sizeof suffix, ".%u.%u", ctx->task, ctx->names++);
	while ((newline = memchr(line, '\n', (size_t)(end - line)))) {
		if (take_line(s, line, (size_t)(newline - line), suffix) < 0)
			return lm_job_fail(ctx, "malloc for a name");
		line = newline + 1;
	}
	if (s->lines != LIST_LINES || s->stat_count != STATS || s->create_count != CREATES)
		return lm_job_wrong(ctx,
				    "read %s/" TREE "/" LIST
				    ": %u lines, %u to stat, %u to create, want %d, %d and %d",
				    ctx->dir, s->lines, s->stat_count, s->create_count, LIST_LINES,
				    STATS, CREATES);
	return LM_JOB_OK;
}

static void shuffle(struct lm_job_ctx *ctx, char **names)
{
	for (unsigned pass = 0; pass < SHUFFLE_PASSES; pass++)
		for (unsigned i = 0; i < SLOTS; i++) {
			unsigned j = lm_rng_draw(&ctx->rng) % SLOTS;
			char *name = names[i];

			names[i] = names[j];
			names[j] = name;
		}
}

static enum lm_outcome stat_name(struct lm_job_ctx *ctx, const char *name)
{
	struct stat status;

	if (stat(name, &status) < 0)
		return tree_fail(ctx, "stat", name);
	if (!S_ISREG(status.st_mode) || status.st_size != 0)
		return lm_job_wrong(ctx, "stat %s/" TREE "/%s: not an empty file", ctx->dir, name);
	return LM_JOB_OK;
}

static enum lm_outcome create_name(struct lm_job_ctx *ctx, const char *name)
{
	enum lm_outcome outcome;
	int fd = creat(name, MODE);

	if (fd < 0)
		return tree_fail(ctx, "creat", name);
	if (close(fd) < 0) {
		outcome = tree_fail(ctx, "close", name);
		unlink(name);
		return outcome;
	}
	return unlink(name) < 0 ? tree_fail(ctx, "unlink", name) : LM_JOB_OK;
}

static enum lm_outcome visit_slots(struct lm_job_ctx *ctx, const struct search *s)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (unsigned i = 0; i < SLOTS && outcome == LM_JOB_OK; i++) {
		if (s->stats[i])
			outcome = stat_name(ctx, s->stats[i]);
		if (outcome == LM_JOB_OK && s->creates[i])
			outcome = create_name(ctx, s->creates[i]);
	}
	return outcome;
}

/* The work inside the tree, which is the working directory. */
static enum lm_outcome search_tree(struct lm_job_ctx *ctx)
{
	struct search s = { 0 };
	enum lm_outcome outcome = read_list(ctx);

	if (outcome == LM_JOB_OK)
		outcome = parse_list(ctx, &s);
	if (outcome == LM_JOB_OK) {
		shuffle(ctx, s.stats);
		shuffle(ctx, s.creates);
		outcome = visit_slots(ctx, &s);
	}
	for (unsigned i = 0; i < SLOTS; i++) {
		free(s.stats[i]);
		free(s.creates[i]);
	}
	return outcome;
}

/* The job leaves the current directory and must find back to it. */
static enum lm_outcome disk_src_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	char home[PATH_MAX];

	(void)ctx;
	if (getcwd(home, sizeof home) && access(home, X_OK) == 0)
		return LM_JOB_OK;
	snprintf(why, why_size, "the current directory cannot be left and entered again: %s",
		 strerror(errno));
	return LM_JOB_UNSUPPORTED;
}

/* A frame of its own: two paths in one would be too much for a small stack. */
static __attribute__((noinline)) enum lm_outcome enter_tree(struct lm_job_ctx *ctx)
{
	char tree[PATH_MAX];

	snprintf(tree, sizeof tree, "%s/" TREE, ctx->dir);
	return chdir(tree) < 0 ? lm_job_fail(ctx, "chdir %s", tree) : LM_JOB_OK;
}

static enum lm_outcome disk_src_run(struct lm_job_ctx *ctx)
{
	char home[PATH_MAX];
	enum lm_outcome outcome;

	if (!getcwd(home, sizeof home))
		return lm_job_fail(ctx, "getcwd");
	outcome = enter_tree(ctx);
	if (outcome != LM_JOB_OK)
		return outcome;
	outcome = search_tree(ctx);
	if (chdir(home) < 0 && outcome == LM_JOB_OK)
		outcome = lm_job_fail(ctx, "chdir %s", home);
	return outcome;
}

const struct lm_job lm_jobs_disk_src[] = {
	{
		.name = "disk_src",
		.unit = "Directory Searches",
		.class = LM_CLASS_FS_META,
		.factor = 75,
		.flags = LM_JOB_DIR,
		.supported = disk_src_supported,
		.furnish = disk_src_furnish,
		.run = disk_src_run,
	},
	{ 0 },
};
