/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Looked at before it is opened: opening some devices has effects. */
static int check_type(const char *path, const char *expected, struct lm_error *err)
{
	const char *what = "a device";
	struct stat st;

	if (stat(path, &st) < 0)
		return lm_error_at(err, path, 0, 0, "cannot be read: %s", strerror(errno));
	if (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))
		return 0;
	if (S_ISDIR(st.st_mode))
		what = "a directory";
	else if (S_ISSOCK(st.st_mode))
		what = "a socket";
	return lm_error_at(err, path, 0, 0, "is %s: expected %s or a pipe", what, expected);
}

FILE *lm_input_open(const char *path, const char *expected, struct lm_error *err)
{
	FILE *file;

	if (check_type(path, expected, err) < 0)
		return NULL;
	file = fopen(path, "re");
	if (!file)
		lm_error_at(err, path, 0, 0, "cannot be read: %s", strerror(errno));
	return file;
}

int lm_input_byte(void *state)
{
	int c = getc_unlocked((FILE *)state);

	if (c != EOF)
		return c;
	return ferror((FILE *)state) ? -2 : -1;
}
