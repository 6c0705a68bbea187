/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/scratch.h"

#include <loadmix/job.h>

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Kinds make paths below the scratch directory: the deepest are in disk_src's tree. */
#define NAME_ROOM 160

static int check_room(const char *path, struct lm_error *err)
{
	if (strlen(path) + NAME_ROOM < PATH_MAX)
		return 0;
	return lm_error_set(
		err, LM_ERR_SYSTEM,
		"the path of directory '%.80s...' has %zu characters; use one of at most %d", path,
		strlen(path), PATH_MAX - NAME_ROOM - 1);
}

static char *make_private(const char *dir, struct lm_error *err)
{
	char *path;

	if (asprintf(&path, "%s/loadmix.XXXXXX", strcmp(dir, "/") ? dir : "") < 0) {
		lm_error_sys(err, "directory '%s'", dir);
		return NULL;
	}
	if (check_room(path, err) == 0) {
		if (mkdtemp(path))
			return path;
		lm_error_sys(
			err,
			"cannot make a scratch directory in '%s' (name a directory that you may "
			"write to with --dir)",
			dir);
	}
	free(path);
	return NULL;
}

int lm_scratch_make(struct lm_scratch *s, const char *dir, struct lm_error *err)
{
	struct stat st;

	*s = (struct lm_scratch){ .base_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	if (s->base_fd < 0)
		return lm_error_sys(err, "cannot use directory '%s'", dir);
	s->path = make_private(dir, err);
	if (!s->path) {
		close(s->base_fd);
		return -1;
	}
	s->name = strrchr(s->path, '/') + 1;
	if (fstatat(s->base_fd, s->name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		lm_error_sys(err, "cannot look at the new '%s'", s->path);
		lm_scratch_remove(s);
		return -1;
	}
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	return 0;
}

/* The scratch directory opened, if it still is the one we made; else -1. */
static int open_own(const struct lm_scratch *s)
{
	int fd = openat(s->base_fd, s->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_dev == s->dev && st.st_ino == s->ino)
		return fd;
	close(fd);
	return -1;
}

/* One write a block, like the tasks' own files: with larger ones the page cache may hold the file
 * in other units, and reading it would be other work. */
static int write_blocks(int fd, uint64_t kib, bool (*give_up)(void *), void *state)
{
	unsigned char block[LM_BLOCK];

	for (unsigned i = 0; i < LM_BLOCK; i++)
		block[i] = (unsigned char)(i % LM_FILL_MODULUS);
	for (uint64_t n = 0; n < kib; n++) {
		ssize_t done;

		memcpy(block, &n, sizeof(n));
		done = write(fd, block, sizeof(block));
		if (done != (ssize_t)sizeof(block)) {
			errno = done < 0 ? errno : ENOSPC;
			return -1;
		}
		if (n % 4096 == 0 && give_up(state))
			return 0;
	}
	return 0;
}

int lm_scratch_common(struct lm_scratch *s, uint64_t kib, bool (*give_up)(void *), void *state,
		      struct lm_error *err)
{
	int own = open_own(s);
	int fd = own < 0 ? -1
			 : openat(own, LM_COMMON_NAME,
				  O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	int rc = -1;

	if (fd >= 0) {
		rc = write_blocks(fd, kib, give_up, state);
		if (close(fd) < 0)
			rc = -1;
	}
	if (rc < 0)
		lm_error_sys(
			err,
			"cannot write the common file of %llu KiB in '%s' (make room, or lower "
			"--filesize and --poolsize)",
			(unsigned long long)kib, s->path);
	if (own >= 0)
		close(own);
	s->common_kib = kib;
	return rc;
}

void lm_scratch_drop_common(struct lm_scratch *s)
{
	int own = open_own(s);

	s->common_kib = 0;
	if (own < 0)
		return;
	unlinkat(own, LM_COMMON_NAME, 0);
	close(own);
}

static bool is_job_name(const char *name)
{
	return name[0] == 't' && name[1] >= '0' && name[1] <= '9';
}

/* Remove what is in the directory of fd (which is closed): all of it, or only the jobs' files. */
static void empty(int fd, bool only_jobs)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		int sub;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    (only_jobs && !is_job_name(entry->d_name)))
			continue;
		if (unlinkat(dirfd(dir), entry->d_name, 0) == 0 || only_jobs)
			continue;
		sub = openat(dirfd(dir), entry->d_name,
			     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (sub >= 0)
			empty(sub, false);
		unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	}
	closedir(dir);
}

void lm_scratch_sweep(struct lm_scratch *s)
{
	int own = open_own(s);

	if (own >= 0)
		empty(own, true);
}

void lm_scratch_remove(struct lm_scratch *s)
{
	int own = s->path ? open_own(s) : -1;

	if (own >= 0) {
		empty(own, false);
		unlinkat(s->base_fd, s->name, AT_REMOVEDIR);
	}
	if (s->base_fd >= 0)
		close(s->base_fd);
	free(s->path);
	*s = (struct lm_scratch){ .base_fd = -1 };
}
