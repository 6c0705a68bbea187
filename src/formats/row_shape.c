/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/rows.h"

#include "base/units.h"
#include "formats/row_cells.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* --- shape ---------------------------------------------------------------------- */

/* Cells that are numbers where the table has numbers. */
static size_t count_numeric(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		size_t at = i ? i + extra : 0;

		n += at < cells->count && !lm_column_is_text(&t->columns[i]) &&
		     (lm_cell_is_numeric(cells->at[at]) || lm_cell_is_missing(cells->at[at]));
	}
	return n;
}

static size_t count_columns(const struct lm_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++)
		n += !lm_column_is_text(&t->columns[i]);
	return n;
}

/* Nothing but numbers where the table has numbers, in the cells that are there. Many sentences end
 * in one number. */
static bool all_numbers(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	for (size_t i = extra ? 1 : 0; i + extra < cells->count && i < t->count; i++)
		if (!lm_column_is_text(&t->columns[i]) && !lm_cell_is_number(cells->at[i + extra]))
			return false;
	return cells->count >= extra + (extra ? 3 : 2);
}

/* Could a row be so, as far as the cells go? Stricter than fits(): a line that goes on with a row
 * is mostly none by itself. */
static bool fits_strictly(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	for (size_t i = 0; i < t->count; i++) {
		size_t at = i ? i + extra : 0;
		const struct lm_column *column = &t->columns[i];
		const char *cell = at < cells->count ? cells->at[at] : "";
		uint64_t value;
		bool good = lm_cell_is_number(cell) || lm_cell_is_missing(cell);

		if (column->type == LM_COLUMN_TASKS && *cell)
			good = lm_cell_is_tasks(cell);
		else if (column->type == LM_COLUMN_LABEL && *cell)
			good = !lm_cell_is_number(cell);
		else if (lm_column_is_text(column))
			good = true;
		else if (column->type == LM_COLUMN_FIGURE && column->figure == LM_FIG_JTI)
			good = lm_cell_is_missing(cell) || lm_parse_uint(cell, 0, 100, &value);
		if (!good)
			return false;
	}
	return true;
}

static bool is_good_rest(const char *rest)
{
	char date[LM_DATE_SIZE];

	return *rest == '\0' || lm_mark_find(rest) || lm_date_parse(rest, date);
}

/* The line of dashes below the head of a table of Markdown. */
static bool is_rule(const struct lm_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->at[i][strspn(cells->at[i], "-:")])
			return false;
	return true;
}

/* Where cells have separators, as many as columns are a row, whatever stands in them. */
static enum lm_row_shape separated_shape(const struct lm_table *t, const struct lm_cells *cells)
{
	size_t tasks = lm_tasks_column(t);
	bool row = cells->count == t->count || 2 * count_numeric(t, cells, 0) > count_columns(t) ||
		   (tasks < cells->count && lm_cell_is_tasks(cells->at[tasks]));

	return row && !is_rule(cells) ? LM_ROW_WHOLE : LM_ROW_NONE;
}

/* A row with more cells that cannot be read than others: a cell for each column, a load and one
 * more number. */
static bool is_ruined(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	size_t tasks = lm_tasks_column(t) + extra;
	bool begins =
		lm_has_long_label(t) ? strpbrk(cells->at[0], "0123456789") != NULL : tasks == 0;

	return begins && cells->count == t->count + extra && lm_cell_is_tasks(cells->at[tasks]) &&
	       count_numeric(t, cells, extra) >= 2;
}

enum lm_row_shape lm_row_shape(const struct lm_table *t, const char *line)
{
	const char *row = lm_mark_after(t, line);
	struct lm_cells cells;
	size_t extra, end;

	lm_cells_split(row, t->separator, &cells);
	if (cells.count < 2)
		return row > line && cells.count && lm_cell_is_tasks(cells.at[0]) ? LM_ROW_WHOLE
										  : LM_ROW_NONE;
	if (t->separator != ' ')
		return separated_shape(t, &cells);
	if (lm_failure_at(t, &cells))
		return LM_ROW_WHOLE;
	line = row;
	extra = lm_label_extra(t, &cells);
	end = t->count + extra;
	if (2 * count_numeric(t, &cells, extra) <= count_columns(t) &&
	    !all_numbers(t, &cells, extra) && !is_ruined(t, &cells, extra))
		return LM_ROW_NONE;
	if (cells.count < end)
		return LM_ROW_SHORT;
	if (cells.count == end || is_good_rest(line + cells.offset[end]))
		return LM_ROW_WHOLE;
	return LM_ROW_LONG;
}

/* --- rows of two lines ---------------------------------------------------------- */

/* A frame of its own, as the next one: their lines are large, and stacks can be small. */
static __attribute__((noinline)) enum lm_row_shape
joined_shape(const struct lm_table *t, const char *first, const char *second)
{
	char joined[LM_LINE_MAX + 1];

	if (snprintf(joined, sizeof(joined), "%s %s", first, second) > LM_LINE_MAX)
		return LM_ROW_NONE;
	return lm_row_shape(t, joined);
}

struct place {
	size_t extra, filled; /* columns that have a cell */
};

static __attribute__((noinline)) struct place place_of(const struct lm_table *t, const char *line)
{
	struct lm_cells cells;
	size_t extra;

	lm_cells_split(lm_mark_after(t, line), t->separator, &cells);
	extra = lm_label_extra(t, &cells);
	return (struct place){ extra, cells.count - (cells.count ? extra : 0) };
}

/* The label of a row does not grow by what stands in the next line. */
static __attribute__((noinline)) bool keeps_label(const struct lm_table *t, const char *first,
						  const char *second, size_t extra)
{
	char joined[LM_LINE_MAX + 1];

	snprintf(joined, sizeof(joined), "%s %s", first, second);
	return place_of(t, joined).extra == extra;
}

/* A line that was cut mostly leaves less than it began with. Two rows that lack cells are not one
 * row: what is not less must be no beginning of a row. */
static __attribute__((noinline)) bool is_tail(const struct lm_table *t, size_t first,
					      const char *second)
{
	struct lm_cells cells;

	lm_cells_split(second, t->separator, &cells);
	for (size_t i = 0; i < cells.count && first + i < t->count; i++)
		if (!lm_cell_is_number(cells.at[i]))
			return false;
	return cells.count < first || !fits_strictly(t, &cells, 0);
}

bool lm_row_goes_on(const struct lm_table *t, const char *first, enum lm_row_shape shape,
		    const char *second)
{
	enum lm_row_shape whole = joined_shape(t, first, second);
	struct place place;

	/* a label takes many words, and so could the row that comes next make this one its label */
	if (shape == LM_ROW_LONG)
		return whole == LM_ROW_WHOLE && lm_row_shape(t, second) != LM_ROW_WHOLE;
	place = place_of(t, first);
	return (whole == LM_ROW_WHOLE || whole == LM_ROW_SHORT) &&
	       is_tail(t, place.filled, second) && keeps_label(t, first, second, place.extra);
}

static __attribute__((noinline)) bool is_good_row(const struct lm_table *t, const char *line)
{
	struct lm_cells cells;
	size_t end;

	lm_cells_split(line, t->separator, &cells);
	end = t->count + lm_label_extra(t, &cells);
	return cells.count >= end && fits_strictly(t, &cells, end - t->count) &&
	       (cells.count == end || is_good_rest(line + cells.offset[end]));
}

/* Joined they are a good row, to its last cell. */
static __attribute__((noinline)) bool is_good_pair(const struct lm_table *t, const char *first,
						   const char *second)
{
	char joined[LM_LINE_MAX + 1];

	return snprintf(joined, sizeof(joined), "%s %s", first, second) <= LM_LINE_MAX &&
	       is_good_row(t, joined);
}

bool lm_row_begins_above(const struct lm_table *t, const char *above, const char *line)
{
	struct place place = place_of(t, above);

	return t->separator == ' ' && lm_row_shape(t, line) == LM_ROW_SHORT &&
	       is_tail(t, place.filled, line) && is_good_pair(t, above, line);
}
