/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/directories.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "formats/input.h"
#include "front/plain_lines.h"

static int check_directory(const char *path, const char *source, long line, struct lm_error *err)
{
	char shown[400];
	struct stat st;

	errno = ENOTDIR;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && access(path, W_OK | X_OK) == 0)
		return 0;
	return lm_error_at(err, source, line, 1, "cannot use directory '%s': %s",
			   lm_text_quote(path, strlen(path), 300, shown, sizeof(shown)),
			   strerror(errno));
}

static int take_line(const struct lm_plain_line *line, const char *source,
		     struct lm_directories *out, struct lm_error *err)
{
	const char *text = line->text;

	if (line->fault)
		return lm_error_at(err, source, line->number, 0,
				   "the line %s: expected a directory, OFF or a # comment",
				   line->fault);
	if (*text == '\0' || *text == '#' || strcmp(text, "OFF") == 0)
		return 0;
	if (out->count == LM_MAX_DIRS)
		return lm_error_at(err, source, line->number, 0, "more than %d directories",
				   LM_MAX_DIRS);
	if (check_directory(text, source, line->number, err) < 0)
		return -1;
	out->paths[out->count] = strdup(text);
	if (!out->paths[out->count])
		return lm_error_sys(err, "a list of directories");
	out->count++;
	return 0;
}

int lm_directories_read(const char *path, struct lm_directories *out, struct lm_error *err)
{
	struct lm_plain_line line = { 0 };
	struct stat st;
	FILE *in;
	int more;

	if (lstat(path, &st) < 0 && errno == ENOENT)
		return 0;
	in = lm_input_open(path, "a file of directories", err);
	if (!in)
		return -1;
	while ((more = lm_plain_line_read(in, &line)) > 0)
		if (take_line(&line, path, out, err) < 0)
			break;
	if (more < 0)
		lm_error_at(err, path, 0, 0, "cannot be read: %s", strerror(errno));
	fclose(in);
	return more == 0 ? 0 : -1;
}

void lm_directories_free(struct lm_directories *directories)
{
	for (size_t i = 0; i < directories->count; i++)
		free(directories->paths[i]);
}
