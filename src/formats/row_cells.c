/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/row_cells.h"

#include <loadmix/plan.h>

#include "base/units.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* --- cells ---------------------------------------------------------------------- */

/* How people write that there is no figure. */
bool lm_cell_is_missing(const char *cell)
{
	static const char *const marks[] = { "", "-", "--", "?", "n/a", "na" };

	if (strnlen(cell, 4) > 3)
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strcasecmp(cell, marks[i]) == 0)
			return true;
	return false;
}

bool lm_cell_is_number(const char *cell)
{
	double value;

	return lm_parse_number(cell, &value);
}

/* Nothing but digits and the letters that people take for them. */
static bool is_misread(const char *cell)
{
	size_t i = 0;

	/* files of prose are long, and this stops at the first letter of most words */
	while (cell[i] && strchr("0123456789OolI.,", cell[i]))
		i++;
	return i >= 2 && cell[i] == '\0';
}

/* It was meant to be a number, whether it is one or not. */
bool lm_cell_is_numeric(const char *cell)
{
	if (is_misread(cell))
		return true;
	cell += *cell == '-' || *cell == '+';
	cell += *cell == '.';
	if ((*cell | 0x20) == 'n' || (*cell | 0x20) == 'i')
		return strncasecmp(cell, "nan", 3) == 0 || strncasecmp(cell, "inf", 3) == 0;
	return *cell >= '0' && *cell <= '9';
}

bool lm_cell_is_tasks(const char *cell)
{
	uint64_t value;

	return lm_parse_uint(cell, 1, LM_MAX_TASKS, &value);
}

bool lm_column_is_text(const struct lm_column *column)
{
	return column->type == LM_COLUMN_LABEL || column->type == LM_COLUMN_LABEL_MORE ||
	       column->type == LM_COLUMN_WORKLOAD || column->type == LM_COLUMN_DATE ||
	       column->type == LM_COLUMN_STARTED || column->type == LM_COLUMN_VALID;
}

/* --- which cell belongs to which column ----------------------------------------- */

/* Do the cells fit the columns, when the label takes extra cells more than one? */
static bool fits(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	for (size_t i = 1; i < t->count; i++) {
		const char *cell = cells->at[i + extra];

		if (!lm_column_is_text(&t->columns[i]) && !lm_cell_is_number(cell) &&
		    !lm_cell_is_missing(cell))
			return false;
	}
	return true;
}

bool lm_has_long_label(const struct lm_table *t)
{
	return t->separator == ' ' && t->columns[0].type == LM_COLUMN_LABEL;
}

size_t lm_tasks_column(const struct lm_table *t)
{
	size_t i = 0;

	while (i + 1 < t->count && t->columns[i].type != LM_COLUMN_TASKS)
		i++;
	return i;
}

/* How much the cells are like the columns: a number that was damaged mostly has a digit left. */
static int likeness(const struct lm_table *t, const struct lm_cells *cells, size_t extra)
{
	int sum = 0;

	for (size_t i = 1; i < t->count && i + extra < cells->count; i++) {
		const char *cell = cells->at[i + extra];

		if (lm_column_is_text(&t->columns[i]))
			continue;
		if (lm_cell_is_numeric(cell) || lm_cell_is_missing(cell))
			sum += 2;
		else
			sum += strpbrk(cell, "0123456789") ? 1 : -1;
	}
	return sum;
}

/* Cells that a label of several words takes more than one. Where no number of them makes a good
 * row, the one that comes nearest to it. */
size_t lm_label_extra(const struct lm_table *t, const struct lm_cells *cells)
{
	size_t best = 0;
	int most = INT_MIN;

	if (!lm_has_long_label(t))
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

/* --- marks ---------------------------------------------------------------------- */

/* The word that marks a row, in whatever letters; NULL: there is none. */
const char *lm_mark_find(const char *text)
{
	for (const char *at = text; (at = strcasestr(at, LM_MARK)); at += strlen(LM_MARK)) {
		bool begins = at == text || strchr(LM_MARK_BRACKETS " \t", at[-1]);
		char next = at[strlen(LM_MARK)];

		if (begins && (next == '\0' || strchr(LM_MARK_BEHIND, next)))
			return at;
	}
	return NULL;
}

/* Some programs put the mark before the row, so that nothing else takes it for one. */
const char *lm_mark_after(const struct lm_table *t, const char *line)
{
	const char *at = lm_mark_find(line), *end = line + strlen(LM_MARK);

	if (at != line || (t->separator != ' ' && *end == t->separator))
		return line;
	return end + strspn(end, LM_MARK_BEHIND);
}

/* What people write where a load has no figures. */
static bool is_failure(const char *cell)
{
	static const char *const words[] = { "fail",  "oops", "crash", "hung",   "hang",    "kill",
					     "died",  "dead", "panic", "error",  "timeout", "timed",
					     "abort", "oom",  "bug",   "broken", "livelock" };

	cell += strspn(cell, LM_MARK_BRACKETS);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if ((*cell | 0x20) == *words[i] &&
		    strncasecmp(cell, words[i], strlen(words[i])) == 0)
			return true;
	return lm_mark_find(cell) == cell;
}

/* A row that has nothing but a load and why it has no figures: "2.5.70 8 INVALID". The cell with
 * the reason; 0: it is none. A sentence has more words. */
size_t lm_failure_at(const struct lm_table *t, const struct lm_cells *cells)
{
	size_t at = lm_tasks_column(t), last = lm_has_long_label(t) ? at + 3 : at;
	bool named, one_word;

	while (at < last && at < cells->count && !lm_cell_is_tasks(cells->at[at]))
		at++;
	if (at + 1 >= cells->count || cells->count > at + 5 || !lm_cell_is_tasks(cells->at[at]))
		return 0;
	named = lm_has_long_label(t) && isdigit((unsigned char)*cells->at[0]);
	one_word = cells->count == at + 2 && !strpbrk(cells->at[at + 1], "0123456789");
	return is_failure(cells->at[at + 1]) || (named && one_word) ? at + 1 : 0;
}
