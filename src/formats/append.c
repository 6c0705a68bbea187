/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/append.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *type_name(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory";
	if (S_ISFIFO(mode))
		return "a pipe";
	return S_ISSOCK(mode) ? "a socket" : "a device";
}

static int check_type(const char *path, const struct stat *st, struct lm_error *err)
{
	if (S_ISREG(st->st_mode))
		return 0;
	return lm_error_at(err, path, 0, 0,
			   "is %s: expected a file to append to; move it away, or start in another "
			   "directory",
			   type_name(st->st_mode));
}

/* Somebody who may write in this directory could lead us to any file that we may write. */
static int check_link(const char *path, const struct stat *link, struct lm_error *err)
{
	struct stat st;

	if (link->st_uid != geteuid() && link->st_uid != 0)
		return lm_error_at(err, path, 0, 0,
				   "is a symbolic link that belongs to another user: it is not "
				   "followed; remove it");
	if (stat(path, &st) < 0)
		return lm_error_at(err, path, 0, 0,
				   "is a symbolic link that cannot be followed: %s",
				   strerror(errno));
	return check_type(path, &st, err);
}

/* 1: it is there, and of the right sort; 0: it is not there; -1 with err. */
static int look(const char *path, struct lm_error *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : lm_error_sys(err, "cannot look at '%s'", path);
	if (S_ISLNK(st.st_mode))
		return check_link(path, &st, err) < 0 ? -1 : 1;
	return check_type(path, &st, err) < 0 ? -1 : 1;
}

/* A new file is only safe when its directory is on the disk too; not everybody may ask for that. */
void lm_append_store_name(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(copy);
}

int lm_append_open(struct lm_append *a, const char *path, struct lm_error *err)
{
	/* not to wait for a pipe's reader, if somebody is quick to put one there */
	int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	int there = look(path, err);
	struct stat st;

	*a = (struct lm_append){ .fd = -1 };
	if (there < 0)
		return -1;
	a->created = !there;
	a->fd = open(path, there ? flags : flags | O_CREAT | O_EXCL, 0666);
	if (a->fd < 0)
		return lm_error_sys(err, "cannot append to '%s'", path);
	a->path = strdup(path);
	if (a->path && fstat(a->fd, &st) == 0 && check_type(path, &st, err) == 0) {
		if (a->created)
			lm_append_store_name(path);
		return 0;
	}
	lm_error_sys(err, "cannot append to '%s'", path);
	lm_append_close(a);
	return -1;
}

/* The number of bytes that were written; fewer than size with errno. */
static size_t write_all(int fd, const char *text, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = write(fd, text + done, size - done);

		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	return done;
}

/* Half a row could be read as one. Only what is surely ours is cut off. */
static void take_back(const struct lm_append *a, off_t before, size_t done)
{
	struct stat st;
	int error = errno;

	if (before >= 0 && fstat(a->fd, &st) == 0 && st.st_size == before + (off_t)done &&
	    ftruncate(a->fd, before) < 0)
		error = errno;
	errno = error;
}

int lm_append_write(struct lm_append *a, const char *text, size_t size, struct lm_error *err)
{
	off_t before = lseek(a->fd, 0, SEEK_END);
	size_t done = write_all(a->fd, text, size);

	if (done == size && fsync(a->fd) == 0) {
		a->written = true;
		return 0;
	}
	take_back(a, before, done);
	return lm_error_sys(err, "cannot append to '%s'", a->path);
}

bool lm_append_is_empty(const struct lm_append *a)
{
	return lseek(a->fd, 0, SEEK_END) == 0;
}

const char *lm_append_line_end(const struct lm_append *a)
{
	int fd = open(a->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	off_t size = lseek(a->fd, 0, SEEK_END);
	char last = '\n';

	/* one that may only be written is taken to be whole */
	if (fd >= 0 && size > 0 && pread(fd, &last, 1, size - 1) != 1)
		last = '\n';
	if (fd >= 0)
		close(fd);
	return last == '\n' ? "" : "\n";
}

void lm_append_close(struct lm_append *a)
{
	if (a->path && a->created && !a->written && lm_append_is_empty(a))
		unlink(a->path);
	close(a->fd);
	free(a->path);
}
