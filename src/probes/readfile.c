/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probes/readfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- whole files --------------------------------------------------------------------------- */

static int open_below(const char *root, const char *path)
{
	char *whole;
	int fd;

	if (asprintf(&whole, "%s%s", root, path) < 0)
		return -1;
	fd = open(whole, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	free(whole);
	return fd;
}

static int read_path(char *buf, size_t size, const char *root, const char *path)
{
	int fd = open_below(root, path);
	size_t length = 0;
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	while (length < size - 1 && (n = read(fd, buf + length, size - 1 - length)) > 0)
		length += (size_t)n;
	close(fd);
	if (n < 0)
		return -1;
	while (length > 0 && isspace((unsigned char)buf[length - 1]))
		length--;
	buf[length] = '\0';
	return 0;
}

/* The path on the heap, as all that is large here: some have small stacks. */
__attribute__((format(printf, 4, 0))) static int
read_format(char *buf, size_t size, const char *root, const char *fmt, va_list ap)
{
	char *path;
	int rc;

	if (vasprintf(&path, fmt, ap) < 0)
		return -1;
	rc = read_path(buf, size, root, path);
	free(path);
	return rc;
}

int lm_read_text(char *buf, size_t size, const char *root, const char *fmt, ...)
{
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = read_format(buf, size, root, fmt, ap);
	va_end(ap);
	return rc;
}

char *lm_read_new(const char *root, const char *fmt, ...)
{
	char *text = malloc(LM_TEXT_MAX);
	va_list ap;

	va_start(ap, fmt);
	if (text && read_format(text, LM_TEXT_MAX, root, fmt, ap) < 0) {
		free(text);
		text = NULL;
	}
	va_end(ap);
	return text;
}

static int number_of(const char *text, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, 10);
	return errno || end == text || *end ? -1 : 0;
}

int lm_read_number(int64_t *number, const char *root, const char *fmt, ...)
{
	char text[64];
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = read_format(text, sizeof(text), root, fmt, ap);
	va_end(ap);
	return rc < 0 ? -1 : number_of(text, number);
}

char *lm_bracketed(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return text;
	*close = '\0';
	return open + 1;
}

/* --- facts --------------------------------------------------------------------------------- */

int lm_text_files(struct lm_facts *out, const char *root, const struct lm_file_fact *files,
		  size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count; i++) {
		char *text = lm_read_new(root, "%s", files[i].path);

		rc |= lm_facts_text(out, files[i].key, text);
		free(text);
	}
	return rc;
}

int lm_choice_files(struct lm_facts *out, const char *root, const struct lm_file_fact *files,
		    size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count; i++) {
		char *text = lm_read_new(root, "%s", files[i].path);

		rc |= lm_facts_text(out, files[i].key, text ? lm_bracketed(text) : NULL);
		free(text);
	}
	return rc;
}

int lm_number_files(struct lm_facts *out, const char *root, const struct lm_file_fact *files,
		    size_t count)
{
	int64_t number;
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		rc |= lm_read_number(&number, root, "%s", files[i].path) == 0
			      ? lm_facts_number(out, files[i].key, (double)number)
			      : lm_facts_text(out, files[i].key, NULL);
	return rc;
}

/* --- lines --------------------------------------------------------------------------------- */

void lm_file_lines_open(struct lm_file_lines *lines, const char *root, const char *path)
{
	int fd = open_below(root, path);

	*lines = (struct lm_file_lines){ 0 };
	if (fd < 0)
		return;
	lines->line = malloc(LM_PROC_LINE_MAX);
	lines->file = lines->line ? fdopen(fd, "r") : NULL;
	if (!lines->file)
		close(fd);
}

char *lm_file_lines_next(struct lm_file_lines *lines)
{
	size_t length;

	if (!lines->file || !fgets(lines->line, LM_PROC_LINE_MAX, lines->file))
		return NULL;
	length = strcspn(lines->line, "\n");
	if (!lines->line[length]) /* too long, or the last one without an end */
		for (int c = 0; c != '\n' && c != EOF;)
			c = getc(lines->file);
	lines->line[length] = '\0';
	return lines->line;
}

void lm_file_lines_close(struct lm_file_lines *lines)
{
	if (lines->file)
		fclose(lines->file);
	free(lines->line);
	*lines = (struct lm_file_lines){ 0 };
}

const char *lm_line_value(const char *line, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length))
		return NULL;
	line += length;
	line += strspn(line, " \t");
	if (*line != ':' && *line != '=')
		return NULL;
	line++;
	return line + strspn(line, " \t");
}

/* --- lists of numbers ---------------------------------------------------------------------- */

static bool list_span(struct lm_list *list)
{
	char *end;

	while (*list->at == ',' || isspace((unsigned char)*list->at))
		list->at++;
	if (!isdigit((unsigned char)*list->at))
		return false;
	list->next = list->last = (unsigned)strtoul(list->at, &end, 10);
	if (*end == '-')
		list->last = (unsigned)strtoul(end + 1, &end, 10);
	list->at = end;
	return list->within = list->last >= list->next;
}

bool lm_list_next(struct lm_list *list, unsigned *number)
{
	if (!list->within && !list_span(list))
		return false;
	*number = list->next;
	list->within = list->next++ < list->last;
	return true;
}
