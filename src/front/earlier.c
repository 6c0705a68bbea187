/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/earlier.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_COPIES = 100000 };

/* Not every file system can do the first, nor every one the second. */
static int rename_to_new(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EEXIST || link(from, to) < 0)
		return -1;
	return unlink(from);
}

int lm_earlier_keep(const char *path, struct lm_error *err)
{
	char name[PATH_MAX];
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : lm_error_sys(err, "cannot use '%s'", path);
	errno = EISDIR;
	if (S_ISDIR(st.st_mode))
		return lm_error_sys(err, "cannot create '%s'", path);
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return lm_error_set(err, LM_ERR_SYSTEM,
				    "'%s' is no plain file: move it away, or choose another name",
				    path);
	for (int i = 1; i <= MOST_COPIES; i++) {
		errno = ENAMETOOLONG;
		if ((size_t)snprintf(name, sizeof(name), "%s.%d", path, i) < sizeof(name) &&
		    rename_to_new(path, name) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return lm_error_sys(err, "cannot keep '%s' of an earlier run as '%s'", path, name);
}
