/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines are short, so a line is read into a small buffer and then looked at. */
#include "formats/points.h"

#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 200 /* kept of a line; a comment may be longer */
#define BOM      "\xef\xbb\xbf"
#define EXPECTED "expected a task count from 1 to 1000000"

struct reader {
	lm_getbyte get;
	void *state;
	const char *source;
	struct lm_sweep *out;
	struct lm_error *err;
	long line;
	int ahead; /* a byte that was read too far, -1: none */
	bool cut;  /* the line is longer than text */
	char text[MAX_LINE + 1];
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

static int next_byte(struct reader *r)
{
	int c = r->ahead;

	r->ahead = -1;
	return c >= 0 ? c : r->get(r->state);
}

/* LF, CR LF and a lone CR end a line. */
static void end_line(struct reader *r, int c)
{
	if (c != '\r')
		return;
	c = r->get(r->state);
	if (c != '\n')
		r->ahead = c;
}

static bool is_binary(int c)
{
	return (c < ' ' && c != '\t' && c != '\f') || c == 0x7f;
}

/* Read a line without its end. 1; 0 at the end of the file; -1 with err. */
static int read_line(struct reader *r)
{
	size_t length = 0;
	long column = 1;
	int c = next_byte(r);

	if (c == -1)
		return 0;
	r->line++;
	r->cut = false;
	for (; c != '\n' && c != '\r' && c != -1; c = next_byte(r), column++) {
		if (c < 0)
			return lm_error_at(r->err, r->source, 0, 0, "cannot be read: %s",
					   strerror(errno));
		if (is_binary(c))
			return lm_error_at(r->err, r->source, r->line, column,
					   "binary data (byte 0x%02x): " EXPECTED " a line",
					   (unsigned)c);
		if (length < MAX_LINE)
			r->text[length++] = (char)c;
		else
			r->cut = true;
	}
	end_line(r, c);
	r->text[length] = '\0';
	return 1;
}

static int bad(struct reader *r, const char *at, size_t length, const char *expected)
{
	char shown[200];

	return lm_error_at(r->err, r->source, r->line, (long)(at - r->text) + 1, "'%s': %s",
			   lm_text_quote(at, length, 40, shown, sizeof(shown)), expected);
}

static int add_point(struct reader *r, unsigned tasks)
{
	struct lm_sweep *s = r->out;
	struct lm_range *more;

	if (s->count == LM_MAX_POINTS)
		return lm_error_at(r->err, r->source, r->line, 1,
				   "there are more than %d task counts in the file", LM_MAX_POINTS);
	/* room doubles: it is a power of two */
	if ((s->count & (s->count - 1)) == 0) {
		more = realloc(s->ranges, (s->count ? 2 * s->count : 1) * sizeof(*more));
		if (!more)
			return lm_error_sys(r->err, "a list of task counts");
		s->ranges = more;
	}
	s->ranges[s->count++] = (struct lm_range){ tasks, tasks, 1 };
	return 0;
}

static int parse_line(struct reader *r)
{
	const char *at = r->text, *rest;
	char digits[MAX_LINE + 1];
	size_t length;
	uint64_t tasks;

	if (r->line == 1 && strncmp(at, BOM, strlen(BOM)) == 0)
		at += strlen(BOM);
	while (is_blank(*at))
		at++;
	if (*at == '\0' || *at == '#')
		return 0;
	length = strcspn(at, " \t\f#");
	memcpy(digits, at, length);
	digits[length] = '\0';
	if (!lm_parse_uint(digits, 1, LM_MAX_TASKS, &tasks))
		return bad(r, at, length, EXPECTED);
	for (rest = at + length; is_blank(*rest);)
		rest++;
	if (*rest != '\0' && *rest != '#')
		return bad(r, rest, strlen(rest),
			   "expected the end of the line: one task count a line");
	if (*rest == '\0' && r->cut)
		return lm_error_at(r->err, r->source, r->line, MAX_LINE + 1,
				   "the line is longer than %d bytes: " EXPECTED, MAX_LINE);
	return add_point(r, (unsigned)tasks);
}

int lm_points_read(lm_getbyte get, void *state, const char *source, struct lm_sweep *out,
		   struct lm_error *err)
{
	struct reader r = {
		.get = get, .state = state, .source = source, .out = out, .err = err, .ahead = -1
	};
	int more;

	while ((more = read_line(&r)) > 0)
		if (parse_line(&r) < 0)
			return -1;
	if (more < 0)
		return -1;
	if (out->count == 0)
		return lm_error_at(err, source, r.line ? r.line : 1, 1,
				   "the file ends without a task count: " EXPECTED " a line");
	return 0;
}

int lm_points_load(const char *path, struct lm_sweep *out, struct lm_error *err)
{
	FILE *file = lm_input_open(path, "a file of task counts", err);
	int rc;

	if (!file)
		return -1;
	rc = lm_points_read(lm_input_byte, file, path, out, err);
	fclose(file);
	return rc;
}
