/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/rows.h"

#include <loadmix/plan.h>

#include "base/text.h"
#include "base/units.h"
#include "formats/row_cells.h"
#include "model/figures.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FIGURE_MAX 1e15 /* what is above it was not measured */

/* --- the column of names -------------------------------------------------------- */

/* "vanilla", "2.5.70-mm3", "4-way"; no "200.5s", "35%", "12:00:01" or date. */
static bool is_name(const char *cell)
{
	const char *dot = strchr(cell, '.'), *dash = strchr(cell, '-');

	if (isalpha((unsigned char)*cell))
		return !lm_cell_is_numeric(cell) && !lm_cell_is_missing(cell);
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

static bool is_called_like_a_kernel(const struct lm_column *column)
{
	static const char *const names[] = { "version",  "release", "patch",
					     "patchset", "config",  "tree" };

	return is_one_of(column->name, names, sizeof(names) / sizeof(names[0]));
}

/* Columns beside the tasks are whatever people measured, unless they are called like a kernel. */
static bool may_be_label(const struct lm_column *column, bool before_tasks)
{
	return column->type == LM_COLUMN_FACT && (before_tasks || is_called_like_a_kernel(column));
}

/* By such a name "6.1" is a kernel, too. */
static bool is_label(const struct lm_column *column, const char *cell)
{
	return is_called_like_a_kernel(column) ? !lm_cell_is_missing(cell) : is_name(cell);
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

	lm_cells_split(lm_mark_after(t, line), t->separator, &cells);
	extra = lm_label_extra(t, &cells);
	for (size_t i = 0; i < t->count && (i ? i + extra : 0) < cells.count; i++) {
		const char *cell = cells.at[i ? i + extra : 0];
		struct lm_column *column = &t->columns[i];

		before = before && column->type != LM_COLUMN_TASKS;
		if (!may_be_label(column, before))
			continue;
		if (t->named ? tells_apart(column, cell) : is_label(column, cell))
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

	if (lm_cell_is_missing(cell))
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
	if (!lm_date_parse(cell, row->figures.ended) && !lm_cell_is_missing(cell))
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
	const char *why = mark + strlen(LM_MARK);
	size_t length = (size_t)(mark - rest);

	while (length && strchr(LM_MARK_BRACKETS " \t", rest[length - 1]))
		length--;
	snprintf(before, size, "%.*s", (int)length, rest);
	row->invalid = true;
	why += strspn(why, LM_MARK_BEHIND);
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
	mark = lm_mark_find(rest);
	if (mark) {
		take_mark(row, rest, mark, before, sizeof(before));
		rest = before;
	}
	if (*rest == '\0' || lm_date_parse(rest, row->figures.ended))
		return 0;
	if (lm_cell_is_number(row->cells.at[end]))
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
	size_t extra = lm_label_extra(t, &row->cells);

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
		bool number = lm_cell_is_number(cell);

		if (column->type != LM_COLUMN_LABEL_MORE || lm_cell_is_missing(cell) ||
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

	if (!lm_has_long_label(t) || strstr(line, "  ") || strchr(line, '\t'))
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
	const char *row_line = lm_mark_after(t, line);
	char shown[100];
	size_t failure;

	lm_cells_split(row_line, t->separator, &row->cells);
	row->figures = (struct lm_record){ .iteration = 1, .unknown = unknown };
	row->label = row->workload = row->run = "";
	row->invalid = row_line != line;
	row->jti_below = false;
	row->rest[0] = row->fault[0] = row->started[0] = row->reason[0] = '\0';
	failure = t->separator == ' ' ? lm_failure_at(t, &row->cells) : 0;
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
	if (t->named && lm_cell_is_missing(row->label))
		return fault(row, "it has no name of a kernel");
	if (is_sentence(t, row_line, row->label))
		return fault(
			row, "'%s' reads like a sentence, not like a kernel",
			lm_text_quote(row->label, strlen(row->label), 40, shown, sizeof(shown)));
	name_row(t, row);
	return take_rest(row, t, row_line);
}
