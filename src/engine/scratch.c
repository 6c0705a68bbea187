/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/scratch.h"

#include <loadmix/job.h>

#include "engine/limits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Kinds make paths below the scratch directory: the deepest are in disk_src's tree. */
#define NAME_ROOM  160
#define NAME_DRAWN 6   /* the Xs of loadmix.XXXXXX */
#define NAME_TRIES 100 /* until one is free */

struct lm_scratch *lm_scratch_map(size_t count)
{
	struct lm_scratch *all = mmap(NULL, count * sizeof(*all), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; all != MAP_FAILED && i < count; i++)
		all[i].fd = -1;
	return all == MAP_FAILED ? NULL : all;
}

void lm_scratch_unmap(struct lm_scratch *all, size_t count)
{
	if (all)
		munmap(all, count * sizeof(*all));
}

/* True when nobody but us and root can put something else in the place of what is in dir: every
 * directory on the way belongs to us or root, and is not writable by others unless it is sticky. */
static bool is_ours_alone(const char *dir)
{
	char path[PATH_MAX];
	struct stat st;
	char *slash;

	snprintf(path, sizeof(path), "%s", dir);
	for (;;) {
		if (stat(*path ? path : "/", &st) < 0 ||
		    (st.st_uid != 0 && st.st_uid != geteuid()) ||
		    ((st.st_mode & (S_IWGRP | S_IWOTH)) && !(st.st_mode & S_ISVTX)))
			return false;
		slash = strrchr(path, '/');
		if (!slash)
			return true;
		*slash = '\0';
	}
}

/* Six characters that nobody can foresee. */
static int draw_name(char *at)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char random[NAME_DRAWN];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return -1;
	for (size_t i = 0; i < sizeof(random); i++)
		at[i] = letters[random[i] % (sizeof(letters) - 1)];
	return 0;
}

/* Tell the janitor. Its first character comes last: half a path is another directory's. */
static void note_name(struct lm_scratch *s)
{
	memcpy(s->real + 1, s->path + 1, sizeof(s->real) - 1);
	atomic_thread_fence(memory_order_release);
	s->real[0] = s->path[0];
}

/* As mkdtemp() does, but the janitor knows the name before the directory is there: nothing is left
 * of a program that is killed in mkdir(). What is not known to be ours it removes only if empty. */
static int make_named(struct lm_scratch *s)
{
	char *drawn = s->path + strlen(s->path) - NAME_DRAWN;

	for (int tries = 0; tries < NAME_TRIES; tries++) {
		if (draw_name(drawn) < 0)
			return -1;
		note_name(s);
		if (mkdir(s->path, 0700) == 0)
			return 0;
		s->real[0] = '\0';
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

static int make_private(struct lm_scratch *s, const char *dir, struct lm_error *err)
{
	const char *base = strcmp(dir, "/") ? dir : "";
	mode_t mask;
	int rc;

	if (strlen(dir) + NAME_ROOM >= PATH_MAX)
		return lm_error_set(
			err, LM_ERR_SYSTEM,
			"the path of directory '%.80s...' has %zu characters; use one of "
			"at most %d",
			dir, strlen(dir), PATH_MAX - NAME_ROOM - 1);
	snprintf(s->path, sizeof(s->path), "%.*s/loadmix.XXXXXX", PATH_MAX - NAME_ROOM, base);
	mask = umask(077);
	rc = make_named(s);
	umask(mask);
	if (rc == 0)
		return 0;
	return lm_error_sys(
		err, "cannot make a scratch directory in '%s' (name one that you may write to)",
		dir);
}

/* Open what was just made, and note what it is. */
static int identify(struct lm_scratch *s)
{
	struct stat st;

	s->fd = open(s->real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &st) < 0)
		return -1;
	if (st.st_uid != geteuid()) {
		errno = EPERM;
		return -1;
	}
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	return 0;
}

/* A path that leads to the directory itself, whatever its name leads to. False when /proc is
 * missing or another pid namespace's. */
static bool reach_by_proc(struct lm_scratch *s)
{
	struct stat st;

	snprintf(s->path, sizeof(s->path), "/proc/%d/fd/%d", (int)getpid(), s->fd);
	return stat(s->path, &st) == 0 && st.st_dev == s->dev && st.st_ino == s->ino;
}

int lm_scratch_make(struct lm_scratch *s, const char *dir, struct lm_error *err)
{
	if (make_private(s, dir, err) < 0)
		return -1;
	if (identify(s) < 0) {
		lm_error_sys(err, "cannot open the new '%s'", s->real);
		rmdir(s->real);
		s->real[0] = '\0';
		return -1;
	}
	if (is_ours_alone(dir) || reach_by_proc(s))
		return 0;
	lm_error_set(
		err, LM_ERR_SYSTEM,
		"others can rename what is in '%s', and /proc does not lead to it safely: use a "
		"directory that is yours alone, or mount this pid namespace's /proc",
		dir);
	lm_scratch_remove(s, NULL);
	return -1;
}

/* The directory opened for reading, by its descriptor, or in the janitor, which has none, by name
 * if it is the one that was made. */
static int open_own(const struct lm_scratch *s)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = s->fd >= 0 ? openat(s->fd, ".", flags) : open(s->real, flags);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_dev == s->dev && st.st_ino == s->ino)
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

bool lm_scratch_in_place(const struct lm_scratch *s)
{
	struct stat st, here;

	/* the descriptor keeps the inode, whose number some file systems make up anew otherwise */
	return lstat(s->real, &st) == 0 && fstat(s->fd, &here) == 0 && st.st_dev == here.st_dev &&
	       st.st_ino == here.st_ino;
}

/* A write that comes short is followed by one that says why. */
static int write_block(int fd, const unsigned char *block)
{
	ssize_t done = write(fd, block, LM_BLOCK), more;

	if (done < 0 || done == LM_BLOCK)
		return done < 0 ? -1 : 0;
	more = write(fd, block + done, LM_BLOCK - (size_t)done);
	if (done + more == LM_BLOCK)
		return 0;
	if (more >= 0)
		errno = ENOSPC;
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
		memcpy(block, &n, sizeof(n));
		if (write_block(fd, block) < 0)
			return -1;
		if (n % 4096 == 0 && give_up(state))
			return 0;
	}
	return 0;
}

/* Half of it would be of no use, and would fill the disk of others. What was removed a moment ago
 * is free on some file systems only when they have written that down. */
static int check_room(const struct lm_scratch *s, uint64_t kib, struct lm_error *err)
{
	uint64_t have = lm_limits_free_kib(s->real);

	if (kib > have && syncfs(s->fd) == 0)
		have = lm_limits_free_kib(s->real);
	if (kib <= have)
		return 0;
	return lm_error_set(err, LM_ERR_SYSTEM,
			    "the common file needs %" PRIu64 " KiB in '%s', where %" PRIu64
			    " KiB are free: make room, or lower the file size or the pool",
			    kib, s->real, have);
}

int lm_scratch_common(struct lm_scratch *s, uint64_t kib, bool (*give_up)(void *), void *state,
		      struct lm_error *err)
{
	int own, fd, rc = -1;

	if (check_room(s, kib, err) < 0)
		return -1;
	own = open_own(s);
	fd = own < 0 ? -1
		     : openat(own, LM_COMMON_NAME,
			      O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd >= 0) {
		rc = write_blocks(fd, kib, give_up, state);
		if (close(fd) < 0)
			rc = -1;
	}
	if (rc < 0)
		lm_error_sys(
			err,
			"cannot write the common file of %llu KiB in '%s' (make room, or lower "
			"the file size or the pool)",
			(unsigned long long)kib, s->real);
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

/* What flatten() has moved up. */
static bool is_moved(const char *name)
{
	return !strncmp(name, "up.", 3);
}

/* Which mount a directory is on; st_dev alone does not tell a bind mount. */
static uint64_t mount_of(int fd)
{
	struct statx sx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &sx) < 0 || !(sx.stx_mask & STATX_MNT_ID))
		return 0;
	return sx.stx_mnt_id;
}

static bool same_file_system(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       mount_of(a) == mount_of(b);
}

static bool is_dot(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* A folder for reading, made readable if a job has forbidden it; -1 for what is mounted there. */
static int open_folder(int parent, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	struct stat st;
	int fd = openat(parent, name, flags);

	if (fd < 0 && errno == EACCES && fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode) && fchmodat(parent, name, 0700, 0) == 0)
		fd = openat(parent, name, flags);
	if (fd < 0 || same_file_system(parent, fd))
		return fd;
	close(fd);
	return -1;
}

/* Remove the files of a folder, move its folders up to the top, and remove it: so the removal of
 * any depth takes two descriptors. True when something was moved up. */
static bool flatten(int top, const char *name)
{
	static unsigned moved; /* names of ours, which nothing else in there has */
	int fd = open_folder(top, name);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	unsigned before = moved;
	char up[32];

	if (!dir && fd >= 0)
		close(fd);
	while (dir && (entry = readdir(dir))) {
		if (is_dot(entry->d_name) || unlinkat(dirfd(dir), entry->d_name, 0) == 0 ||
		    unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR) == 0)
			continue;
		snprintf(up, sizeof(up), "up.%u", moved);
		if (renameat(dirfd(dir), entry->d_name, top, up) == 0)
			moved++;
	}
	if (dir)
		closedir(dir);
	unlinkat(top, name, AT_REMOVEDIR);
	return moved > before;
}

/* Remove what is in the directory of fd (which is closed): all of it, or only the jobs' files. */
static void empty(int fd, bool only_jobs)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	bool again = true;

	if (!dir)
		close(fd);
	while (dir && again) {
		again = false;
		rewinddir(dir);
		while ((entry = readdir(dir))) {
			if (is_dot(entry->d_name) ||
			    (only_jobs && !is_job_name(entry->d_name) && !is_moved(entry->d_name)))
				continue;
			if (unlinkat(dirfd(dir), entry->d_name, 0) < 0)
				again |= flatten(dirfd(dir), entry->d_name);
		}
	}
	if (dir)
		closedir(dir);
}

void lm_scratch_sweep(struct lm_scratch *s)
{
	int own = open_own(s);

	if (own >= 0)
		empty(own, true);
}

int lm_scratch_remove(struct lm_scratch *s, struct lm_error *err)
{
	int own, rc = 0;

	if (!s->real[0])
		return 0;
	own = open_own(s);
	if (own >= 0)
		empty(own, false);
	/* rmdir takes nothing but an empty directory: no harm to whatever stands there */
	if (rmdir(s->real) < 0 && errno != ENOENT)
		rc = lm_error_sys(err, "cannot remove the scratch directory '%s'", s->real);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	s->real[0] = '\0';
	return rc;
}
