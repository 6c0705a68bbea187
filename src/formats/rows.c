/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/rows.h"

#include <loadmix/plan.h>

#include "base/text.h"
#include "base/units.h"
#include "model/figures.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FIGURE_MAX 1e15 /* what is above it was not measured */

/* --- cells ------------------------------------------------------------------- */

/* How people write that there is no figure. */
static bool is_missing(const char *cell)
{
	static const char *const marks[] = { "", "-", "--", "?", "n/a", "na" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strcasecmp(cell, marks[i]) == 0)
			return true;
	return false;
}

static bool is_number(const char *cell)
{
	double value;

	return lm_parse_number(cell, &value);
}

/* It was meant to be a number, whether it is one or not. */
static bool is_numeric(const char *cell)
{
	cell += *cell == '-' || *cell == '+';
	cell += *cell == '.';
	return (*cell >= '0' && *cell <= '9') || strncasecmp(cell, "nan", 3) == 0 ||
	       strncasecmp(cell, "inf", 3) == 0;
}

static bool is_text(const struct lm_column *column)
{
	return column->type == LM_COLUMN_LABEL || column->type == LM_COLUMN_PART ||
	       column->type == LM_COLUMN_WORKLOAD || column->type == LM_COLUMN_DATE ||
	       column->type == LM_COLUMN_STARTED || column->type == LM_COLUMN_VALID;
}

/* --- which cell belongs to which column -------------------------------------- */

/* Do the cells fit the columns, when the label takes extra cells more than one? */
static bool fits(const struct lm_table *t, const struct lm_cells *cells, size_t extra,
		 bool (*is_good)(const char *cell))
{
	for (size_t i = 1; i < t->count; i++) {
		const char *cell = cells->at[i + extra];

		if (!is_text(&t->columns[i]) && !is_good(cell) && !is_missing(cell))
			return false;
	}
	return true;
}

/* Cells that a label of several words takes more than one. */
static size_t label_extra(const struct lm_table *t, const struct lm_cells *cells)
{
	if (t->separator != ' ' || t->columns[0].type != LM_COLUMN_LABEL)
		return 0;
	for (size_t extra = 0; t->count + extra <= cells->count; extra++)
		if (fits(t, cells, extra, is_number))
			return extra;
	/* a number that is damaged is no word of the label */
	for (size_t extra = 0; t->count + extra <= cells->count; extra++)
		if (fits(t, cells, extra, is_numeric))
			return extra;
	return 0;
}

/* Cells that are numbers where the table has numbers. */
static size_t count_numeric(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		size_t at = i ? i + extra : 0;

		n += at < cells->count && !is_text(&t->columns[i]) &&
		     (is_numeric(cells->at[at]) || is_missing(cells->at[at]));
	}
	return n;
}

static size_t count_columns(const struct lm_table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++)
		n += !is_text(&t->columns[i]);
	return n;
}

/* Nothing but numbers where the table has numbers, in the cells that are there. */
static bool all_numbers(const struct lm_table *t, const struct lm_cells *cells)
{
	for (size_t i = 0; i < cells->count && i < t->count; i++)
		if (!is_text(&t->columns[i]) && !is_number(cells->at[i]))
			return false;
	return cells->count >= 2;
}

/* --- shape ------------------------------------------------------------------- */

#define MARK     "INVALID"
#define BRACKETS "([{<*!"
#define BEHIND   ")]}>*!:,;. \t"

/* The word that marks a row, in whatever letters; NULL: there is none. */
static const char *find_mark(const char *text)
{
	for (const char *at = text; (at = strcasestr(at, MARK)); at += strlen(MARK)) {
		bool begins = at == text || strchr(BRACKETS " \t", at[-1]);
		char next = at[strlen(MARK)];

		if (begins && (next == '\0' || strchr(BEHIND, next)))
			return at;
	}
	return NULL;
}

/* Some programs put the mark before the row, so that nothing else takes it for one. */
static const char *after_mark(const struct lm_table *t, const char *line)
{
	const char *at = find_mark(line), *end = line + strlen(MARK);

	/* where a separator follows it is a cell of its own */
	if (at != line || (t->separator != ' ' && *end == t->separator))
		return line;
	return end + strspn(end, BEHIND);
}

static bool is_good_rest(const char *rest)
{
	char date[LM_DATE_SIZE];

	return *rest == '\0' || find_mark(rest) || lm_date_parse(rest, date);
}

/* The line of dashes below the head of a table of Markdown. */
static bool is_rule(const struct lm_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->at[i][strspn(cells->at[i], "-:+")])
			return false;
	return true;
}

/* Where cells have separators, as many as columns are a row, whatever stands in them. */
static enum lm_row_shape separated_shape(const struct lm_table *t, const struct lm_cells *cells)
{
	bool row = cells->count == t->count || 2 * count_numeric(t, cells, 0) > count_columns(t);

	return row && !is_rule(cells) ? LM_ROW_WHOLE : LM_ROW_NONE;
}

enum lm_row_shape lm_row_shape(const struct lm_table *t, const char *line)
{
	struct lm_cells cells;
	size_t extra, end;

	line = after_mark(t, line);
	lm_cells_split(line, t->separator, &cells);
	if (cells.count < 2)
		return LM_ROW_NONE;
	if (t->separator != ' ')
		return separated_shape(t, &cells);
	extra = label_extra(t, &cells);
	end = t->count + extra;
	if (2 * count_numeric(t, &cells, extra) <= count_columns(t) && !all_numbers(t, &cells))
		return LM_ROW_NONE;
	if (cells.count < end)
		return LM_ROW_SHORT;
	if (cells.count == end || is_good_rest(line + cells.offset[end]))
		return LM_ROW_WHOLE;
	return LM_ROW_LONG;
}

/* A line that was cut leaves less than it began with; two rows that lack the same cells are not
 * one row. */
static bool is_tail(const struct lm_table *t, size_t first, const char *second)
{
	struct lm_cells cells;

	lm_cells_split(second, t->separator, &cells);
	if (cells.count >= first)
		return false;
	for (size_t i = 0; i < cells.count && first + i < t->count; i++)
		if (!is_number(cells.at[i]))
			return false;
	return true;
}

/* A frame of its own, as the next one: their lines are large, and stacks can be small. */
static __attribute__((noinline)) enum lm_row_shape
joined_shape(const struct lm_table *t, const char *first, const char *second)
{
	char joined[LM_LINE_MAX + 1];

	if (snprintf(joined, sizeof(joined), "%s %s", first, second) > LM_LINE_MAX)
		return LM_ROW_NONE;
	return lm_row_shape(t, joined);
}

static __attribute__((noinline)) size_t count_cells(const struct lm_table *t, const char *line)
{
	struct lm_cells cells;

	lm_cells_split(line, t->separator, &cells);
	return cells.count;
}

/* --- what was meant as a row --- */

static bool has_whole_number(const struct lm_cells *cells)
{
	uint64_t value;

	for (size_t i = 0; i < cells->count; i++)
		if (lm_parse_uint(cells->at[i], 1, LM_MAX_TASKS, &value))
			return true;
	return false;
}

static bool same_first_word(const char *a, const char *b)
{
	size_t length = strcspn(a, " \t");

	return length > 0 && length == strcspn(b, " \t") && strncmp(a, b, length) == 0;
}

bool lm_row_resembles(const struct lm_table *t, const char *line, const char *label)
{
	struct lm_cells cells;
	size_t n, tasks = 0;
	uint64_t value;

	lm_cells_split(line, t->separator, &cells);
	n = cells.count;
	if (t->separator != ' ' || n < 2)
		return false;
	if (n >= 3 && is_numeric(cells.at[n - 1]) && is_numeric(cells.at[n - 2]))
		return true;
	if (t->named)
		return has_whole_number(&cells) &&
		       (find_mark(line) || same_first_word(line, label));
	while (tasks < t->count && t->columns[tasks].type != LM_COLUMN_TASKS)
		tasks++;
	return n <= t->count && tasks < n &&
	       lm_parse_uint(cells.at[tasks], 1, LM_MAX_TASKS, &value) &&
	       (n == 2 || find_mark(line) || count_numeric(t, &cells, 0) > 1);
}

#define LABEL_WORDS 6 /* that begin a label which goes on in the next line */

bool lm_row_may_begin(const struct lm_table *t, const char *line)
{
	struct lm_cells cells;

	if (t->separator != ' ' || t->columns[0].type != LM_COLUMN_LABEL)
		return false;
	lm_cells_split(line, ' ', &cells);
	if (cells.count == 0 || cells.count > LABEL_WORDS || line[strlen(line) - 1] == ':' ||
	    !isdigit((unsigned char)*line) || !strchr(cells.at[0], '.') || is_number(cells.at[0]))
		return false;
	for (size_t i = 1; i < cells.count; i++)
		if (is_numeric(cells.at[i]))
			return false;
	return true;
}

static bool all_numbers_of(const struct lm_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (!is_number(cells->at[i]) && !is_missing(cells->at[i]))
			return false;
	return true;
}

static __attribute__((noinline)) bool ends_label(const struct lm_table *t, const char *line)
{
	struct lm_cells cells;

	lm_cells_split(line, t->separator, &cells);
	return lm_row_shape(t, line) == LM_ROW_WHOLE || all_numbers_of(&cells);
}

bool lm_row_goes_on(const struct lm_table *t, const char *first, enum lm_row_shape shape,
		    const char *second)
{
	enum lm_row_shape whole = joined_shape(t, first, second);

	if (shape == LM_ROW_NAME)
		return whole == LM_ROW_WHOLE && ends_label(t, second);
	/* a label takes many words, and so could the row that comes next make this one its label */
	if (shape == LM_ROW_LONG)
		return whole == LM_ROW_WHOLE && lm_row_shape(t, second) != LM_ROW_WHOLE;
	return (whole == LM_ROW_WHOLE || whole == LM_ROW_SHORT) &&
	       is_tail(t, count_cells(t, first), second);
}

/* --- the column of names --- */

/* "vanilla", "2.5.70-mm3"; no "200.5s", "35%", "12:00:01" or date. */
static bool is_name(const char *cell)
{
	const char *dot = strchr(cell, '.');

	if (isalpha((unsigned char)*cell))
		return !is_numeric(cell) && !is_missing(cell);
	return isdigit((unsigned char)*cell) && dot && strchr(dot + 1, '.') &&
	       !strpbrk(cell, ":/%");
}

/* A column that nobody knows by its name. */
static bool is_called(const struct lm_column *column, const char *name)
{
	return strcmp(column->name + strlen("posted."), name) == 0;
}

/* Columns beside the tasks are whatever people measured, unless they are called like a kernel: then
 * "6.1" is a name, too. */
static bool is_label(const struct lm_column *column, const char *cell, bool before_tasks)
{
	static const char *const names[] = { "version",  "release", "patch",
					     "patchset", "config",  "tree" };

	if (column->type != LM_COLUMN_FACT)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_called(column, names[i]))
			return !is_missing(cell);
	return before_tasks && is_name(cell);
}

/* Words between the label and the tasks tell rows of one kernel apart. */
static bool is_part(const struct lm_column *column, const char *cell)
{
	return column->type == LM_COLUMN_FACT && isalpha((unsigned char)*cell) && is_name(cell);
}

static void name_parts(struct lm_table *t, const struct lm_cells *cells)
{
	size_t label = 0, tasks = 0;

	while (label < t->count && t->columns[label].type != LM_COLUMN_LABEL)
		label++;
	while (tasks < t->count && t->columns[tasks].type != LM_COLUMN_TASKS)
		tasks++;
	for (size_t i = label + 1; i < tasks && i < cells->count; i++)
		if (is_part(&t->columns[i], cells->at[i]))
			t->columns[i].type = LM_COLUMN_PART;
}

/* Where nothing is called so, the label is the first column that may be and that has names: rows of
 * several kernels are no repeats. */
void lm_table_name(struct lm_table *t, const char *line)
{
	struct lm_cells cells;
	bool before = true;

	lm_cells_split(after_mark(t, line), t->separator, &cells);
	for (size_t i = 0; i < t->count && i < cells.count && !t->named; i++) {
		before = before && t->columns[i].type != LM_COLUMN_TASKS;
		if (!is_label(&t->columns[i], cells.at[i], before))
			continue;
		t->columns[i].type = LM_COLUMN_LABEL;
		t->named = true;
	}
	name_parts(t, &cells);
}

/* --- taking it apart --------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static int fault(struct lm_row *row, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(row->fault, sizeof(row->fault), fmt, ap);
	va_end(ap);
	return -1;
}

static int bad_cell(struct lm_row *row, const struct lm_column *column, const char *cell,
		    const char *expected)
{
	char shown[100];

	return fault(row, "its %s is '%s': expected %s", column->name,
		     lm_text_quote(cell, strlen(cell), 40, shown, sizeof(shown)), expected);
}

static int take_whole(struct lm_row *row, const struct lm_column *column, const char *cell,
		      unsigned *out)
{
	uint64_t value;

	if (!lm_parse_uint(cell, 1, LM_MAX_TASKS, &value))
		return bad_cell(row, column, cell, "a whole number from 1 to 1000000");
	*out = (unsigned)value;
	return 0;
}

/* What nothing hangs on, 0: not told. */
static void take_optional(const char *cell, unsigned *out)
{
	uint64_t value;

	if (lm_parse_uint(cell, 1, LM_MAX_TASKS, &value))
		*out = (unsigned)value;
}

static int take_jti(struct lm_row *row, const struct lm_column *column, const char *cell)
{
	bool below = *cell == '-';
	uint64_t value;

	if (!lm_parse_uint(cell + below, 0, 100, &value))
		return bad_cell(row, column, cell, "a whole number up to 100");
	row->jti_below = below && value;
	lm_figure_set(&row->figures, LM_FIG_JTI, below ? 0 : (double)value);
	return 0;
}

static int take_figure(struct lm_row *row, const struct lm_column *column, const char *cell)
{
	double value;

	if (is_missing(cell))
		return 0;
	if (column->figure == LM_FIG_JTI)
		return take_jti(row, column, cell);
	if (!lm_parse_number(cell, &value) || value < 0 || value > FIGURE_MAX)
		return bad_cell(row, column, cell, "a number of 0 or more");
	lm_figure_set(&row->figures, column->figure, value);
	return 0;
}

static int take_valid(struct lm_row *row, const struct lm_column *column, const char *cell)
{
	static const char *const no[] = { "false", "0", "no", "INVALID" };
	static const char *const yes[] = { "true", "1", "yes", "valid", "" };

	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (strcasecmp(cell, no[i]) == 0)
			row->invalid = true;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (strcasecmp(cell, yes[i]) == 0)
			return 0;
	return row->invalid ? 0 : bad_cell(row, column, cell, "true or false");
}

static void take_date(struct lm_row *row, const char *cell)
{
	if (!lm_date_parse(cell, row->figures.ended) && !is_missing(cell))
		snprintf(row->rest, sizeof(row->rest), "%s", cell);
}

static void add_part(struct lm_row *row, const char *cell)
{
	size_t used = strlen(row->label);

	if (row->label != row->joined)
		used = (size_t)snprintf(row->joined, sizeof(row->joined), "%s", row->label);
	if (used + 1 < sizeof(row->joined))
		snprintf(row->joined + used, sizeof(row->joined) - used, " %s", cell);
	row->label = row->joined;
}

static int take_cell(struct lm_row *row, const struct lm_column *column, const char *cell)
{
	switch (column->type) {
	case LM_COLUMN_TASKS:
		return take_whole(row, column, cell, &row->figures.tasks);
	case LM_COLUMN_ITERATION:
		return take_whole(row, column, cell, &row->figures.iteration);
	case LM_COLUMN_FIGURE:
		return take_figure(row, column, cell);
	case LM_COLUMN_VALID:
		return take_valid(row, column, cell);
	case LM_COLUMN_DATE:
		take_date(row, cell);
		break;
	case LM_COLUMN_LABEL:
		row->label = cell;
		break;
	case LM_COLUMN_PART:
		if (!is_missing(cell))
			add_part(row, cell);
		break;
	case LM_COLUMN_WORKLOAD:
		row->workload = cell;
		break;
	case LM_COLUMN_RUN:
		row->run = cell;
		break;
	case LM_COLUMN_STARTED:
		lm_date_parse(cell, row->started);
		break;
	case LM_COLUMN_STEP:
		take_optional(cell, &row->figures.step);
		break;
	case LM_COLUMN_JOBS:
		take_optional(cell, &row->figures.jobs_per_task);
		break;
	case LM_COLUMN_FACT: /* taken by whoever has a record for it */
		break;
	}
	return 0;
}

/* The date before the mark, if there is one, and the reason behind it. */
static void take_mark(struct lm_row *row, const char *rest, const char *mark, char *before,
		      size_t size)
{
	const char *why = mark + strlen(MARK);
	size_t length = (size_t)(mark - rest);

	while (length && strchr(BRACKETS " \t", rest[length - 1]))
		length--;
	snprintf(before, size, "%.*s", (int)length, rest);
	row->invalid = true;
	why += strspn(why, BEHIND);
	if (!lm_date_parse(why, row->figures.ended))
		snprintf(row->reason, sizeof(row->reason), "%s", why);
}

/* What stands after the last column. */
static int take_rest(struct lm_row *row, const struct lm_table *t, const char *line)
{
	size_t end = row->start[t->count];
	const char *rest, *mark;
	char before[LM_LINE_MAX + 1];

	if (end >= row->cells.count)
		return 0;
	rest = line + row->cells.offset[end];
	mark = find_mark(rest);
	if (mark) {
		take_mark(row, rest, mark, before, sizeof(before));
		rest = before;
	}
	if (*rest == '\0' || lm_date_parse(rest, row->figures.ended))
		return 0;
	if (is_number(row->cells.at[end]))
		return fault(row, "it has more numbers than the table has columns (%zu)", t->count);
	snprintf(row->rest, sizeof(row->rest), "%s", rest);
	return 0;
}

/* The words of a label are one cell again. */
static void join_label(struct lm_row *row, size_t extra)
{
	for (size_t i = 0; i < extra; i++)
		row->cells.at[i][strlen(row->cells.at[i])] = ' ';
}

static int place_cells(const struct lm_table *t, struct lm_row *row)
{
	size_t extra = label_extra(t, &row->cells);

	for (size_t i = 0; i <= t->count; i++)
		row->start[i] = i ? i + extra : 0;
	join_label(row, extra);
	if (row->cells.count < t->count || (t->separator != ' ' && row->cells.count > t->count))
		return fault(row, "it has %zu cells: expected %zu, as the table has columns",
			     row->cells.count, t->count);
	return 0;
}

int lm_row_parse(const struct lm_table *t, const char *line, struct lm_row *row)
{
	const unsigned unknown = (1u << LM_FIGURES) - 1;
	const char *row_line = after_mark(t, line);

	lm_cells_split(row_line, t->separator, &row->cells);
	row->figures = (struct lm_record){ .iteration = 1, .unknown = unknown };
	row->label = row->workload = row->run = "";
	row->invalid = row_line != line;
	row->jti_below = false;
	row->rest[0] = row->fault[0] = row->started[0] = row->reason[0] = '\0';
	if (place_cells(t, row) < 0)
		return -1;
	for (size_t i = 0; i < t->count; i++)
		if (take_cell(row, &t->columns[i], row->cells.at[row->start[i]]) < 0)
			return -1;
	if (row->figures.unknown == unknown)
		return fault(row, "it holds no figure");
	if (t->named && is_missing(row->label))
		return fault(row, "it has no name of a kernel");
	return take_rest(row, t, row_line);
}
