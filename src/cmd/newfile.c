/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const char *path, struct lm_error *err)
{
	return lm_error_set(err, LM_ERR_INPUT,
			    "'%s' exists already and is left alone: give another name or move it "
			    "away",
			    path);
}

static int open_device(struct lm_newfile *file, struct lm_error *err)
{
	file->stream = fopen(file->path, "we");
	return file->stream ? 0 : lm_error_sys(err, "cannot write '%s'", file->path);
}

/* A file without a name: nothing is left of it, however we end. -1 where the file system has none.
 */
static int open_nameless(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;

	free(copy);
	return fd;
}

/* mkstemp makes files of mode 0600; this is to be one as any other. */
static void set_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

/* -1 with err. */
static int open_part(struct lm_newfile *file, struct lm_error *err)
{
	int fd;

	if (asprintf(&file->part, "%s.XXXXXX", file->path) < 0) {
		file->part = NULL;
		return lm_error_sys(err, "the name of a file");
	}
	fd = mkostemp(file->part, O_CLOEXEC);
	if (fd >= 0) {
		set_mode(fd);
		return fd;
	}
	free(file->part);
	file->part = NULL;
	return lm_error_sys(err, "cannot create '%s'", file->path);
}

static void drop_part(struct lm_newfile *file)
{
	if (file->part)
		unlink(file->part);
	free(file->part);
	file->part = NULL;
}

int lm_newfile_open(struct lm_newfile *file, const char *path, struct lm_error *err)
{
	struct stat st;
	int fd;

	*file = (struct lm_newfile){ .path = path };
	if (stat(path, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)))
		return open_device(file, err);
	if (lstat(path, &st) == 0)
		return refuse(path, err);
	fd = open_nameless(path);
	file->nameless = fd >= 0;
	if (fd < 0 && (fd = open_part(file, err)) < 0)
		return -1;
	file->stream = fdopen(fd, "w");
	if (file->stream)
		return 0;
	lm_error_sys(err, "cannot write '%s'", path);
	close(fd);
	drop_part(file);
	return -1;
}

/* Old file systems know one of these, or the other. */
static int move(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	return errno == EEXIST ? -1 : link(from, to);
}

/* What has come there meanwhile stays. */
static int give_name(const struct lm_newfile *file, int fd)
{
	char fd_path[64];

	if (!file->nameless)
		return move(file->part, file->path);
	snprintf(fd_path, sizeof(fd_path), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, fd_path, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW);
}

/* All of it on the disk. What can do no more than take it is a device or a pipe. */
static int store(struct lm_newfile *file)
{
	errno = EIO;
	if (fflush(file->stream) != 0 || ferror(file->stream))
		return -1;
	return fsync(fileno(file->stream)) == 0 || errno == EINVAL || errno == EROFS ? 0 : -1;
}

/* Ends the stream. */
static int end_stream(struct lm_newfile *file, bool good)
{
	int rc = good ? store(file) : 0, error = errno;

	if (fclose(file->stream) != 0 && rc == 0)
		return good ? -1 : 0;
	errno = error;
	return rc;
}

/* A name comes last: who sees it finds the whole file. */
static int finish(struct lm_newfile *file, bool good, int fd, struct lm_error *err)
{
	bool device = !file->nameless && !file->part;

	if (end_stream(file, good) < 0)
		return lm_error_sys(err, "cannot write '%s'", file->path);
	if (good && file->nameless && fd < 0)
		return lm_error_set(err, LM_ERR_SYSTEM,
				    "cannot create '%s': too few file descriptors, raise ulimit -n",
				    file->path);
	if (!good || device || give_name(file, fd) == 0)
		return 0;
	return errno == EEXIST ? refuse(file->path, err)
			       : lm_error_sys(err, "cannot create '%s'", file->path);
}

int lm_newfile_close(struct lm_newfile *file, bool good, struct lm_error *err)
{
	int rc, fd = -1;

	if (!file->stream)
		return 0;
	/* without a name it is gone with its last descriptor */
	if (file->nameless)
		fd = fcntl(fileno(file->stream), F_DUPFD_CLOEXEC, 0);
	rc = finish(file, good, fd, err);
	if (fd >= 0)
		close(fd);
	drop_part(file);
	*file = (struct lm_newfile){ 0 };
	return rc;
}
