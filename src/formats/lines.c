/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/lines.h"

#include <errno.h>
#include <string.h>

#define BOM    "\xef\xbb\xbf"
#define NBSP   "\xc2\xa0"
#define BLANKS " \t"

/* --- lines ------------------------------------------------------------------- */

static int next_byte(struct lm_lines *l)
{
	int c = l->ahead;

	l->ahead = -1;
	return c >= 0 ? c : l->get(l->state);
}

/* LF, CR LF and a lone CR end a line. What follows a CR may also be the end of the file, or an
 * error: both are met again by the next read. */
static void end_line(struct lm_lines *l, int c)
{
	if (c != '\r')
		return;
	c = l->get(l->state);
	if (c != '\n')
		l->ahead = c;
}

static char cleaned(int c)
{
	if (c == '\v' || c == '\f')
		return ' ';
	return c == 0 ? '\x7f' : (char)c;
}

/* The space that a mail reader or a browser has made unbreakable is a blank again. */
static void plain_blanks(char *text)
{
	while ((text = strstr(text, NBSP)))
		memcpy(text, "  ", 2);
}

/* The initials that some mail readers put before the mark: "AM> ". */
static size_t initials(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	bool marked = n > 0 && n <= 4 && text[n] == '>';

	return marked && (text[n + 1] == '\0' || strchr(BLANKS ">", text[n + 1])) ? n : 0;
}

/* Past marks of quoting. A bar is one unless there are more of them, which part cells. */
static const char *past_marks(const char *from)
{
	const char *at;

	do {
		at = from;
		from += strspn(from, BLANKS ">");
		from += initials(from);
		from += *from == '|' && !strchr(from + 1, '|');
	} while (from > at);
	return from;
}

/* Take off the mark of the first line, marks of quoting, and blanks around what is left. */
static void trim(struct lm_lines *l)
{
	const char *from = l->text;
	size_t length;

	if (l->line == 1 && strncmp(from, BOM, strlen(BOM)) == 0)
		from += strlen(BOM);
	from = past_marks(from);
	length = strlen(from);
	while (length && strchr(BLANKS, from[length - 1]))
		length--;
	memmove(l->text, from, length);
	l->text[length] = '\0';
}

int lm_lines_next(struct lm_lines *l, struct lm_error *err)
{
	size_t length = 0;
	int c = next_byte(l);

	if (c == -1)
		return 0;
	l->line++;
	l->cut = false;
	for (; c != '\n' && c != '\r' && c >= 0; c = next_byte(l)) {
		if (length < LM_LINE_MAX)
			l->text[length++] = cleaned(c);
		else
			l->cut = true;
	}
	if (c < -1)
		return lm_error_at(err, l->source, 0, 0, "cannot be read: %s", strerror(errno));
	end_line(l, c);
	l->text[length] = '\0';
	plain_blanks(l->text);
	trim(l);
	return 1;
}

/* --- cells ------------------------------------------------------------------- */

char lm_cells_separator(const char *line)
{
	if (*line == '|')
		return '|';
	return strchr(line, ',') ? ',' : ' ';
}

static void add_cell(struct lm_cells *cells, char *at)
{
	cells->offset[cells->count] = (size_t)(at - cells->text);
	cells->at[cells->count++] = at;
}

static void split_blanks(struct lm_cells *cells)
{
	char *at = cells->text + strspn(cells->text, BLANKS);

	while (*at && cells->count < LM_CELLS_MAX) {
		add_cell(cells, at);
		at += strcspn(at, BLANKS);
		if (*at)
			*at++ = '\0';
		at += strspn(at, BLANKS);
	}
}

/* Undo the quotes of the cell at s; returns what follows it. */
static char *unquote(char *s)
{
	char *to = s, *from = s + 1;

	while (*from && (*from != '"' || from[1] == '"')) {
		from += *from == '"';
		*to++ = *from++;
	}
	if (*from)
		from++;
	from += strcspn(from, ",");
	/* The quotes were two bytes or more, so there is room; an unended one has but one. */
	*to = '\0';
	return from;
}

static char *plain_cell(char *s, char separator)
{
	char *end = strchrnul(s, separator), *last = end;

	while (last > s && strchr(BLANKS, last[-1]))
		last--;
	if (last < end)
		*last = '\0';
	return end;
}

static void split_at(struct lm_cells *cells, char separator)
{
	char *at = cells->text + (separator == '|' && *cells->text == '|'), *end;
	bool more = *at != '\0';

	while (more && cells->count < LM_CELLS_MAX) {
		at += strspn(at, BLANKS);
		add_cell(cells, at);
		end = separator == ',' && *at == '"' ? unquote(at) : plain_cell(at, separator);
		more = *end == separator;
		*end = '\0';
		at = end + 1;
		/* the bar that ends a row begins no cell */
		if (more && separator == '|' && *at == '\0')
			more = false;
	}
}

void lm_cells_split(const char *line, char separator, struct lm_cells *cells)
{
	size_t length = strnlen(line, LM_LINE_MAX);

	memcpy(cells->text, line, length);
	cells->text[length] = '\0';
	cells->count = 0;
	if (separator == ' ')
		split_blanks(cells);
	else
		split_at(cells, separator);
}
