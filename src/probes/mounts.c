/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probes/mounts.h"

#include <stdlib.h>
#include <string.h>

static bool is_octal(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' && at[2] >= '0' &&
	       at[2] <= '7';
}

static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && is_octal(text + 1)) {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* A source may be empty, so two blanks are two ends. */
static bool next_field(char **at, const char **field)
{
	char *text = *at ? strsep(at, " ") : NULL;

	if (!text)
		return false;
	unescape(text);
	*field = text;
	return true;
}

/* Id, parent, MAJOR:MINOR, root, point, options, any number of others, "-", type, source, options.
 */
bool lm_mount_parse(char *line, struct lm_mount *out)
{
	const char *word, *device;

	if (!next_field(&line, &word) || !next_field(&line, &word) || !next_field(&line, &device) ||
	    sscanf(device, "%u:%u", &out->major, &out->minor) != 2)
		return false;
	if (!next_field(&line, &out->root) || !next_field(&line, &out->point) ||
	    !next_field(&line, &out->options))
		return false;
	do {
		if (!next_field(&line, &word))
			return false;
	} while (strcmp(word, "-") != 0);
	return next_field(&line, &out->type) && next_field(&line, &out->source) &&
	       next_field(&line, &out->super_options);
}

const char *lm_path_below(const char *path, const char *dir)
{
	size_t length = strlen(dir);

	if (length > 0 && dir[length - 1] == '/')
		length--;
	if (strncmp(path, dir, length) != 0 || (path[length] && path[length] != '/'))
		return NULL;
	return path + length;
}

/* How good a mount is for the path: 0 not at all; one of its device beats all others. */
static size_t rank(const struct lm_mount *m, const char *path, unsigned major, unsigned minor)
{
	size_t own_device = m->major == major && m->minor == minor ? LM_PROC_LINE_MAX : 0;

	return lm_path_below(path, m->point) ? own_device + strlen(m->point) : 0;
}

char *lm_mount_find(const char *root, const char *path, unsigned major, unsigned minor,
		    struct lm_mount *out)
{
	char *line, *copy, *best_line = NULL;
	size_t best = 0;
	struct lm_file_lines lines;

	lm_file_lines_open(&lines, root, "/proc/self/mountinfo");
	while ((line = lm_file_lines_next(&lines)) && (copy = strdup(line))) {
		struct lm_mount m;
		size_t here = lm_mount_parse(line, &m) ? rank(&m, path, major, minor) : 0;
		bool better = here > 0 && here >= best; /* the later of two hides the other */

		if (better)
			best = here;
		free(better ? best_line : copy);
		if (better)
			best_line = copy;
	}
	lm_file_lines_close(&lines);
	if (best_line)
		lm_mount_parse(best_line, out);
	return best_line;
}
