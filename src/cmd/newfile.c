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
	close(fd);
	return lm_error_sys(err, "cannot write '%s'", path);
}

/* link() and not rename(): what has come there meanwhile stays. */
static int give_name(const struct lm_newfile *file)
{
	char fd_path[64];

	if (!file->nameless)
		return link(file->part, file->path);
	snprintf(fd_path, sizeof(fd_path), "/proc/self/fd/%d", fileno(file->stream));
	return linkat(AT_FDCWD, fd_path, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW);
}

static int finish(struct lm_newfile *file, struct lm_error *err)
{
	bool device = !file->nameless && !file->part;

	errno = EIO;
	if (fflush(file->stream) != 0 || ferror(file->stream))
		return lm_error_sys(err, "cannot write '%s'", file->path);
	if (device || give_name(file) == 0)
		return 0;
	return errno == EEXIST ? refuse(file->path, err)
			       : lm_error_sys(err, "cannot create '%s'", file->path);
}

int lm_newfile_close(struct lm_newfile *file, bool good, struct lm_error *err)
{
	int rc = 0;

	if (!file->stream)
		return 0;
	if (good)
		rc = finish(file, err);
	if (fclose(file->stream) != 0 && good && rc == 0)
		rc = lm_error_sys(err, "cannot write '%s'", file->path);
	if (file->part)
		unlink(file->part);
	free(file->part);
	*file = (struct lm_newfile){ 0 };
	return rc;
}
