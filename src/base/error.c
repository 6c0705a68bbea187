/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <loadmix/error.h>

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Both ends of a path tell more than its middle. Cuts between UTF-8 characters. */
static void copy_source(char *to, size_t size, const char *source)
{
	size_t length = strlen(source);
	size_t head = (size - 4) / 2, tail = length - head;

	if (length < size) {
		memcpy(to, source, length + 1);
		return;
	}
	while (head > 0 && inside_character(source[head]))
		head--;
	while (inside_character(source[tail]))
		tail++;
	snprintf(to, size, "%.*s...%s", (int)head, source, source + tail);
}

/* False when there is nobody to tell, or somebody was told before. */
static bool begin(struct lm_error *err, enum lm_error_code code)
{
	if (!err || err->code != LM_ERR_NONE)
		return false;
	memset(err, 0, sizeof(*err));
	err->code = code;
	return true;
}

int lm_error_set(struct lm_error *err, enum lm_error_code code, const char *fmt, ...)
{
	va_list ap;

	if (!begin(err, code))
		return -1;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return -1;
}

int lm_error_sys(struct lm_error *err, const char *fmt, ...)
{
	const char *reason = strerror(errno);
	size_t used, room;
	va_list ap;

	if (!begin(err, LM_ERR_SYSTEM))
		return -1;
	/* The reason is what matters: a text that is too long gives way to it. */
	room = sizeof(err->text) - strlen(reason) - 2;
	va_start(ap, fmt);
	vsnprintf(err->text, room, fmt, ap);
	va_end(ap);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", reason);
	return -1;
}

int lm_error_at(struct lm_error *err, const char *source, long line, long column, const char *fmt,
		...)
{
	va_list ap;

	if (!begin(err, LM_ERR_INPUT))
		return -1;
	copy_source(err->source, sizeof(err->source), source);
	err->line = line;
	err->column = column;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return -1;
}

const char *lm_error_format(const struct lm_error *err, char *buf, unsigned long size)
{
	char place[64] = "";

	if (err->line > 0 && err->column > 0)
		snprintf(place, sizeof(place), "%ld:%ld: ", err->line, err->column);
	else if (err->line > 0 || err->column > 0)
		snprintf(place, sizeof(place), "%ld: ", err->line > 0 ? err->line : err->column);
	else if (err->source[0])
		snprintf(place, sizeof(place), " ");
	snprintf(buf, size, "%s%s%s%s", err->source, err->source[0] ? ":" : "", place, err->text);
	return buf;
}
