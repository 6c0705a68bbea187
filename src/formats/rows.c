/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/rows.h"

#include <loadmix/plan.h>

#include "base/text.h"
#include "base/units.h"
#include "model/figures.h"

#include <ctype.h>
#include <limits.h>
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

/* Nothing but digits and the letters that people take for them. */
static bool is_misread(const char *cell)
{
	return strlen(cell) >= 2 && cell[strspn(cell, "0123456789OolI.,")] == '\0';
}

/* It was meant to be a number, whether it is one or not. */
static bool is_numeric(const char *cell)
{
	if (is_misread(cell))
		return true;
	cell += *cell == '-' || *cell == '+';
	cell += *cell == '.';
	return (*cell >= '0' && *cell <= '9') || strncasecmp(cell, "nan", 3) == 0 ||
	       strncasecmp(cell, "inf", 3) == 0;
}

static bool is_text(const struct lm_column *column)
{
	return column->type == LM_COLUMN_LABEL || column->type == LM_COLUMN_LABEL_MORE ||
	       column->type == LM_COLUMN_WORKLOAD || column->type == LM_COLUMN_DATE ||
	       column->type == LM_COLUMN_STARTED || column->type == LM_COLUMN_VALID;
}

/* --- which cell belongs to which column -------------------------------------- */

/* Do the cells fit the columns, when the label takes extra cells more than one? */
static bool fits(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	for (size_t i = 1; i < t->count; i++) {
		const char *cell = cells->at[i + extra];

		if (!is_text(&t->columns[i]) && !is_number(cell) && !is_missing(cell))
			return false;
	}
	return true;
}

static bool has_long_label(const struct lm_table *t)
{
	return t->separator == ' ' && t->columns[0].type == LM_COLUMN_LABEL;
}

/* How much the cells are like the columns: a number that was damaged mostly has a digit left. */
static int likeness(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	int sum = 0;

	for (size_t i = 1; i < t->count && i + extra < cells->count; i++) {
		const char *cell = cells->at[i + extra];

		if (is_text(&t->columns[i]))
			continue;
		if (is_numeric(cell) || is_missing(cell))
			sum += 2;
		else
			sum += strpbrk(cell, "0123456789") ? 1 : -1;
	}
	return sum;
}

/* Cells that a label of several words takes more than one. Where no number of them makes a good
 * row, the one that comes nearest to it. */
static size_t label_extra(const struct lm_table *t, const struct lm_cells *cells)
{
	size_t best = 0;
	int most = INT_MIN;

	if (!has_long_label(t))
		return 0;
	for (size_t extra = 0; t->count + extra <= cells->count; extra++)
		if (fits(t, cells, extra))
			return extra;
	for (size_t extra = 0; extra + 2 <= cells->count; extra++) {
		int now = likeness(t, cells, extra);

		if (now > most) {
			most = now;
			best = extra;
		}
	}
	return best;
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

/* Nothing but numbers where the table has numbers, in the cells that are there. Many sentences end
 * in one number. */
static bool all_numbers(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	for (size_t i = extra ? 1 : 0; i + extra < cells->count && i < t->count; i++)
		if (!is_text(&t->columns[i]) && !is_number(cells->at[i + extra]))
			return false;
	return cells->count >= extra + (extra ? 3 : 2);
}

static bool is_task_count(const char *cell)
{
	uint64_t value;

	return lm_parse_uint(cell, 1, LM_MAX_TASKS, &value);
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
		bool good = is_number(cell) || is_missing(cell);

		if (column->type == LM_COLUMN_TASKS && *cell)
			good = is_task_count(cell);
		else if (column->type == LM_COLUMN_LABEL && *cell)
			good = !is_number(cell);
		else if (is_text(column))
			good = true;
		else if (column->type == LM_COLUMN_FIGURE && column->figure == LM_FIG_JTI)
			good = is_missing(cell) || lm_parse_uint(cell, 0, 100, &value);
		if (!good)
			return false;
	}
	return true;
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
static const char *after_mark(const char *line)
{
	const char *at = find_mark(line);

	return at == line ? line + strlen(MARK) + strspn(line + strlen(MARK), BEHIND) : line;
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
		if (cells->at[i][strspn(cells->at[i], "-:")])
			return false;
	return true;
}

static size_t tasks_column(const struct lm_table *t)
{
	size_t i = 0;

	while (i + 1 < t->count && t->columns[i].type != LM_COLUMN_TASKS)
		i++;
	return i;
}

/* Where cells have separators, as many as columns are a row, whatever stands in them. */
static enum lm_row_shape separated_shape(const struct lm_table *t, const struct lm_cells *cells)
{
	size_t tasks = tasks_column(t);
	bool row = cells->count == t->count || 2 * count_numeric(t, cells, 0) > count_columns(t) ||
		   (tasks + 1 < cells->count && is_task_count(cells->at[tasks]));

	return row && !is_rule(cells) ? LM_ROW_WHOLE : LM_ROW_NONE;
}

/* What people write where a load has no figures. */
static bool is_failure(const char *cell)
{
	static const char *const words[] = { "fail",  "oops", "crash", "hung",   "hang",    "kill",
					     "died",  "dead", "panic", "error",  "timeout", "timed",
					     "abort", "oom",  "bug",   "broken", "livelock" };

	cell += strspn(cell, BRACKETS);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncasecmp(cell, words[i], strlen(words[i])) == 0)
			return true;
	return find_mark(cell) == cell;
}

/* A row that has nothing but a load and why it has no figures: "2.5.70 8 INVALID". The cell with
 * the reason; 0: it is none. A sentence has more words. */
static size_t failure_at(const struct lm_table *t, const struct lm_cells *cells)
{
	size_t at = tasks_column(t), last = has_long_label(t) ? at + 3 : at;
	bool named, one_word;

	while (at < last && at < cells->count && !is_task_count(cells->at[at]))
		at++;
	if (at + 1 >= cells->count || cells->count > at + 5 || !is_task_count(cells->at[at]))
		return 0;
	named = has_long_label(t) && isdigit((unsigned char)*cells->at[0]);
	one_word = cells->count == at + 2 && !strpbrk(cells->at[at + 1], "0123456789");
	return is_failure(cells->at[at + 1]) || (named && one_word) ? at + 1 : 0;
}

/* A row with more cells that cannot be read than others: a cell for each column, a load and one
 * more number. */
static bool is_ruined(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	size_t tasks = tasks_column(t) + extra;
	bool begins = has_long_label(t) ? strpbrk(cells->at[0], "0123456789") != NULL : tasks == 0;

	return begins && cells->count == t->count + extra && is_task_count(cells->at[tasks]) &&
	       count_numeric(t, cells, extra) >= 2;
}

enum lm_row_shape lm_row_shape(const struct lm_table *t, const char *line)
{
	const char *row = after_mark(line);
	struct lm_cells cells;
	size_t extra, end;

	lm_cells_split(row, t->separator, &cells);
	if (cells.count < 2)
		return row > line && cells.count && is_task_count(cells.at[0]) ? LM_ROW_WHOLE
									       : LM_ROW_NONE;
	if (t->separator != ' ')
		return separated_shape(t, &cells);
	if (failure_at(t, &cells))
		return LM_ROW_WHOLE;
	line = row;
	extra = label_extra(t, &cells);
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

	lm_cells_split(after_mark(line), t->separator, &cells);
	extra = label_extra(t, &cells);
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
		if (!is_number(cells.at[i]))
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
	end = t->count + label_extra(t, &cells);
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

/* --- the column of names --- */

/* "vanilla", "2.5.70-mm3", "4-way"; no "200.5s", "35%", "12:00:01" or date. */
static bool is_name(const char *cell)
{
	const char *dot = strchr(cell, '.'), *dash = strchr(cell, '-');

	if (isalpha((unsigned char)*cell))
		return !is_numeric(cell) && !is_missing(cell);
	if (isdigit((unsigned char)*cell) && dash && isalpha((unsigned char)dash[1]))
		return true;
	return isdigit((unsigned char)*cell) && dot && strchr(dot + 1, '.') &&
	       !strpbrk(cell, ":/%");
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name + strlen("posted."), names[i]) == 0)
			return true;
	return false;
}

bool lm_column_counts(const struct lm_column *column)
{
	static const char *const names[] = { "nr",  "no",   "n",    "num",    "row",  "id", "seq",
					     "try", "pass", "test", "sample", "time", "" };

	return is_one_of(column->name, names, sizeof(names) / sizeof(names[0]));
}

/* Columns beside the tasks are whatever people measured, unless they are called like a kernel. */
static bool may_be_label(const struct lm_column *column, bool before_tasks)
{
	static const char *const names[] = { "version",  "release", "patch",
					     "patchset", "config",  "tree" };

	return column->type == LM_COLUMN_FACT &&
	       (before_tasks || is_one_of(column->name, names, sizeof(names) / sizeof(names[0])));
}

/* What stands beside the kernel's name tells what it ran on, but for what counts the rows or tells
 * the time. */
static bool tells_apart(const struct lm_column *column, const char *cell)
{
	return !lm_column_counts(column) && !strpbrk(cell, ":%");
}

/* Where nothing is called so, the label is the first column that may be and that has names: rows of
 * several kernels are no repeats. Other such columns are part of it, for the same reason. */
void lm_table_name(struct lm_table *t, const char *line)
{
	struct lm_cells cells;
	bool before = true;
	size_t extra;

	lm_cells_split(after_mark(line), t->separator, &cells);
	extra = label_extra(t, &cells);
	for (size_t i = 0; i < t->count && (i ? i + extra : 0) < cells.count; i++) {
		const char *cell = cells.at[i ? i + extra : 0];
		struct lm_column *column = &t->columns[i];

		before = before && column->type != LM_COLUMN_TASKS;
		if (!may_be_label(column, before))
			continue;
		if (t->named ? tells_apart(column, cell) : is_name(cell))
			column->type = t->named ? LM_COLUMN_LABEL_MORE : LM_COLUMN_LABEL;
		t->named = t->named || column->type == LM_COLUMN_LABEL;
	}
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
	case LM_COLUMN_LABEL_MORE: /* joined when all are known */
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
	if (row->cells.count < t->count + extra ||
	    (t->separator != ' ' && row->cells.count > t->count))
		return fault(row, "it has %zu cells: expected %zu, as the table has columns",
			     row->cells.count - extra, t->count);
	return 0;
}

/* "2.6.0", "smp", and "3.3" of a column gcc: "2.6.0 smp gcc=3.3". */
static void name_row(const struct lm_table *t, struct lm_row *row)
{
	size_t used = (size_t)snprintf(row->name, sizeof(row->name), "%s", row->label);

	for (size_t i = 0; i < t->count; i++) {
		const struct lm_column *column = &t->columns[i];
		const char *cell = row->cells.at[row->start[i]];
		bool number = is_number(cell);

		if (column->type != LM_COLUMN_LABEL_MORE || is_missing(cell) ||
		    used >= sizeof(row->name))
			continue;
		used += (size_t)snprintf(row->name + used, sizeof(row->name) - used, " %s%s%s",
					 number ? column->name + strlen("posted.") : "",
					 number ? "=" : "", cell);
	}
	row->label = row->name;
}

/* Words that stand in sentences and in the name of no kernel: such a line is prose that ends in
 * numbers. A column that is padded is no prose. */
static bool is_sentence(const struct lm_table *t, const char *line, const char *label)
{
	static const char *const words[] = { "and",  "but",   "so",    "or",    "then",  "while",
					     "also", "we",    "it",    "this",  "that",  "these",
					     "is",   "was",   "were",  "are",   "gives", "gave",
					     "got",  "gets",  "had",   "has",   "have",  "shows",
					     "took", "takes", "makes", "means", "says",  "ran" };

	if (!has_long_label(t) || strstr(line, "  ") || strchr(line, '\t'))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *at = label;

		for (; (at = strcasestr(at, words[i])); at++) {
			char after = at[strlen(words[i])];

			if ((at == label || at[-1] == ' ') && (after == '\0' || after == ' '))
				return true;
		}
	}
	return false;
}

int lm_row_parse(const struct lm_table *t, const char *line, struct lm_row *row)
{
	const unsigned unknown = (1u << LM_FIGURES) - 1;
	const char *row_line = after_mark(line);
	char shown[100];
	size_t failure;

	lm_cells_split(row_line, t->separator, &row->cells);
	row->figures = (struct lm_record){ .iteration = 1, .unknown = unknown };
	row->label = row->workload = row->run = "";
	row->invalid = row_line != line;
	row->jti_below = false;
	row->rest[0] = row->fault[0] = row->started[0] = row->reason[0] = '\0';
	failure = t->separator == ' ' ? failure_at(t, &row->cells) : 0;
	if (failure)
		return fault(row, "it holds no figure, but '%s'",
			     lm_text_quote(row_line + row->cells.offset[failure],
					   strlen(row_line + row->cells.offset[failure]), 40, shown,
					   sizeof(shown)));
	if (place_cells(t, row) < 0)
		return -1;
	for (size_t i = 0; i < t->count; i++)
		if (take_cell(row, &t->columns[i], row->cells.at[row->start[i]]) < 0)
			return -1;
	if (row->figures.unknown == unknown)
		return fault(row, "it holds no figure");
	if (t->named && is_missing(row->label))
		return fault(row, "it has no name of a kernel");
	if (is_sentence(t, row_line, row->label))
		return fault(
			row, "'%s' reads like a sentence, not like a kernel",
			lm_text_quote(row->label, strlen(row->label), 40, shown, sizeof(shown)));
	name_row(t, row);
	return take_rest(row, t, row_line);
}
