/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/sides.h"

#include "formats/row_cells.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define BLANKS " \t"
#define UNIT   '\x1f' /* parts the cells of a side's row: it is in no cell */

bool lm_sides_are_named(const struct lm_table *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->columns[i].type == LM_COLUMN_LABEL && t->columns[i].side > 0)
			return true;
	return false;
}

/* --- names ------------------------------------------------------------------- */

/* Where the field at the text ends: at two blanks or more, a tab, a comma, a bar or "vs". */
static size_t field_length(const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		if (strchr("\t,|", text[i]))
			return i;
		if (text[i] != ' ')
			continue;
		if (strchr(BLANKS, text[i + 1]) || strncasecmp(text + i, " vs ", 4) == 0 ||
		    strncasecmp(text + i, " vs. ", 5) == 0 || text[i + 1] == '|')
			return i;
	}
	return strlen(text);
}

static const char *past_gap(const char *text)
{
	text += strspn(text, " \t,|");
	if (strncasecmp(text, "vs ", 3) == 0 || strncasecmp(text, "vs. ", 4) == 0)
		text += 3;
	return text + strspn(text, " \t,|.");
}

/* Words that are parted by one blank are names if each has a digit; most words have none. */
static size_t word_length(const char *text)
{
	size_t length = strcspn(text, BLANKS);

	return strcspn(text, "0123456789") < length ? length : 0;
}

static bool take_names(const char *line, size_t sides, size_t (*length_of)(const char *),
		       char names[LM_SIDES_MAX][LM_PROSE_MAX])
{
	size_t n = 0;

	for (line = past_gap(line); *line; line = past_gap(line)) {
		size_t length = length_of(line);

		if (length == 0 || length >= LM_PROSE_MAX || n == sides)
			return false;
		memcpy(names[n], line, length);
		names[n++][length] = '\0';
		line += length;
		for (size_t i = 0; i + 1 < n; i++)
			if (strcmp(names[i], names[n - 1]) == 0)
				return false;
	}
	return n == sides;
}

bool lm_sides_names(const char *line, size_t sides, char names[LM_SIDES_MAX][LM_PROSE_MAX])
{
	return take_names(line, sides, field_length, names) ||
	       take_names(line, sides, word_length, names);
}

/* --- rows -------------------------------------------------------------------- */

static bool is_of_side(const struct lm_column *column, unsigned side)
{
	return column->side == 0 || column->side == side;
}

void lm_sides_table(const struct lm_table *t, unsigned side, struct lm_table *out)
{
	*out = *t;
	out->separator = UNIT;
	out->named = lm_sides_are_named(t);
	out->sides = 1;
	out->count = 0;
	for (size_t i = 0; i < t->count; i++)
		if (is_of_side(&t->columns[i], side))
			out->columns[out->count++] = t->columns[i];
}

/* A mark behind the row is of all sides. */
static bool is_marked(const struct lm_table *t, const struct lm_cells *cells)
{
	return t->separator == ' ' && cells->count == t->count + 1 &&
	       strcasestr(cells->at[t->count], LM_MARK);
}

void lm_sides_row(const struct lm_table *t, const char *line, unsigned side,
		  char out[LM_LINE_MAX + 1])
{
	struct lm_cells cells;
	size_t used = 0;
	bool first = true;

	lm_cells_split(line, t->separator, &cells);
	if (is_marked(t, &cells))
		used = (size_t)snprintf(out, LM_LINE_MAX + 1, LM_MARK " ");
	for (size_t i = 0; i < t->count && i < cells.count; i++) {
		if (!is_of_side(&t->columns[i], side) || used > LM_LINE_MAX)
			continue;
		used += (size_t)snprintf(out + used, LM_LINE_MAX + 1 - used, "%.*s%s", !first,
					 (const char[]){ UNIT, '\0' }, cells.at[i]);
		first = false;
	}
}

bool lm_sides_check(const struct lm_table *t, const char *line, char *why, size_t size)
{
	const char *labels[LM_SIDES_MAX];
	struct lm_cells cells;
	size_t n = 0;

	lm_cells_split(line, t->separator, &cells);
	if (cells.count != t->count && !is_marked(t, &cells)) {
		snprintf(why, size, "it has %zu cells: expected %zu, as the table has columns",
			 cells.count, t->count);
		return false;
	}
	for (size_t i = 0; i < t->count; i++) {
		if (t->columns[i].type != LM_COLUMN_LABEL || t->columns[i].side == 0)
			continue;
		for (size_t k = 0; k < n; k++) {
			if (strcmp(labels[k], cells.at[i]) != 0)
				continue;
			snprintf(why, size, "two sides of it have the same name of a kernel");
			return false;
		}
		labels[n++] = cells.at[i];
	}
	return true;
}
