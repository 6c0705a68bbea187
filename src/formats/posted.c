/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results as text, looked through line by line. A head names the columns, the rows below it are
 * load steps, and what stands between tables tells whose they are. What is told before a table is
 * taken up when its first row comes.
 */
#include "formats/readers.h"

#include <loadmix/plan.h>

#include "base/text.h"
#include "base/units.h"
#include "formats/headings.h"
#include "formats/posted_runs.h"
#include "formats/prose.h"
#include "formats/rows.h"
#include "model/runs.h"
#include "model/validity.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is above this was not written to be read, and would take memory without end. */
#define MAX_ROWS 200000

static int note_rows_missing(struct lm_posted *r)
{
	if (!r->in_table || r->table_rows)
		return 0;
	return lm_posted_note(r, r->table_line, "there is no row below the head of this table");
}

/* --- rows -------------------------------------------------------------------- */

/* Which kernels a table has side by side tells the line below its head, or the one above. */
static bool name_sides(struct lm_posted *r)
{
	struct lm_posted_context *next = &r->next_context;

	if (lm_sides_are_named(&r->table))
		return true;
	if (next->fresh && lm_sides_names(next->caption, r->table.sides, r->side_names)) {
		bool below = strcmp(next->caption, r->head_caption) != 0;

		strcpy(next->caption, below ? r->head_caption : next->before);
		return true;
	}
	return lm_sides_names(r->head_caption, r->table.sides, r->side_names);
}

static int begin_sides(struct lm_posted *r)
{
	if (name_sides(r))
		return 0;
	r->refused = true;
	return lm_posted_note(
		r, r->table_line,
		"this table has the figures of %u runs side by side, and no line next "
		"to its head names them: expected one such as '2.5.69    2.5.70'; the "
		"rows below it are not used",
		r->table.sides);
}

/* A row of one side, by the table of that side. */
static int take_side(struct lm_posted *r, unsigned side, const char *text, long line)
{
	lm_sides_table(&r->whole, side, &r->table);
	lm_sides_row(&r->whole, text, side, r->side_row);
	if (lm_row_parse(&r->table, r->side_row, &r->row) < 0)
		return lm_posted_note(r, line, "this row is not used: on side %u, %s", side,
				      r->row.fault);
	if (!r->table.named)
		r->row.label = r->side_names[side - 1];
	r->table.named = true;
	return lm_posted_keep_row(r, line);
}

static int take_sides(struct lm_posted *r, const char *text, long line)
{
	char why[200];
	int rc = 0;

	if (r->table_rows == 1 && begin_sides(r) < 0)
		return -1;
	if (r->refused)
		return 0;
	if (!lm_sides_check(&r->table, text, why, sizeof(why)))
		return lm_posted_note(r, line, "this row is not used: %s", why);
	r->whole = r->table;
	for (unsigned side = 1; side <= r->whole.sides && rc == 0; side++)
		rc = take_side(r, side, text, line);
	r->table = r->whole;
	return rc;
}

static int take_row(struct lm_posted *r, const char *text, long line)
{
	if (r->table_rows++ == 0 && r->table.sides <= 1)
		lm_table_name(&r->table, text);
	if (r->rows++ == MAX_ROWS)
		return lm_error_at(r->err, r->lines.source, line, 0,
				   "there are more than %d rows: " LM_POSTED_EXPECTED, MAX_ROWS);
	if (r->table.sides > 1)
		return take_sides(r, text, line);
	if (lm_row_parse(&r->table, text, &r->row) < 0)
		return lm_posted_note(r, line, "this row is not used: %s", r->row.fault);
	return lm_posted_keep_row(r, line);
}

static int release_held(struct lm_posted *r)
{
	if (r->held_shape == LM_ROW_NONE)
		return 0;
	r->held_shape = LM_ROW_NONE;
	return take_row(r, r->held, r->held_line);
}

static void hold_row(struct lm_posted *r, enum lm_row_shape shape)
{
	r->held_shape = shape;
	r->held_line = r->lines.line;
	strcpy(r->held, r->lines.text);
}

/* Add the line to the row that is held, if it is its end. 1: it was; 0: it was not. */
static int continue_row(struct lm_posted *r)
{
	const char *text = r->lines.text;
	size_t length = strlen(r->held);

	if (r->held_shape == LM_ROW_NONE || *text == '\0' ||
	    !lm_row_goes_on(&r->table, r->held, r->held_shape, text))
		return 0;
	snprintf(r->held + length, sizeof(r->held) - length, " %s", text);
	r->held_shape = lm_row_shape(&r->table, r->held);
	if (r->held_shape == LM_ROW_WHOLE)
		return release_held(r) < 0 ? -1 : 1;
	return 1;
}

/* --- lines that are no rows -------------------------------------------------- */

static struct lm_record *last_record(const struct lm_posted *r)
{
	struct lm_run *run;

	if (!r->has_last || !r->in_table)
		return NULL;
	run = &r->out->items[r->last_run];
	return &run->records[run->count - 1];
}

static void begin_run(struct lm_posted *r)
{
	r->new_block = true;
}

static int begin_table(struct lm_posted *r, const struct lm_table *table)
{
	if (note_rows_missing(r) < 0)
		return -1;
	r->table = *table;
	r->table_line = r->lines.line;
	r->table_rows = 0;
	r->in_table = r->headed = true;
	r->has_last = r->refused = false;
	r->iteration = 1;
	strcpy(r->head_caption, r->next_context.fresh ? r->next_context.caption : "");
	begin_run(r);
	return 0;
}

/* A name that is there twice, and not as often as others: which is which cannot be told. */
static int note_doubled(struct lm_posted *r)
{
	const struct lm_column *column = &r->table.columns[r->table.doubled];

	if (r->table.doubled == 0)
		return 0;
	return lm_posted_note(r, r->lines.line,
			      "the column '%s' is there more than once: the first is read, others "
			      "are kept as '%s'",
			      r->table.columns[column->twin].name, column->name);
}

static void take_heading(struct lm_posted *r, const struct lm_heading *heading)
{
	r->next_opening.heading = *heading;
	begin_run(r);
}

static void cut_heading(struct lm_posted *r, const char *bad_date)
{
	r->cut_line = r->lines.line;
	strcpy(r->cut, r->lines.text);
	snprintf(r->cut_date, sizeof(r->cut_date), "%s", bad_date);
}

/* No line came that has the date. */
static int release_cut(struct lm_posted *r)
{
	char shown[LM_PROSE_MAX];
	long line = r->cut_line;

	r->cut_line = 0;
	if (line == 0 || r->cut_date[0] == '\0')
		return 0;
	return lm_posted_note(
		r, line, "'%s' is no date: when the run began is not told",
		lm_text_quote(r->cut_date, strlen(r->cut_date), 200, shown, sizeof(shown)));
}

/* A frame of its own: its line is large, and stacks can be small. */
static __attribute__((noinline)) bool parse_joined(const struct lm_posted *r, char separator,
						   struct lm_heading *heading)
{
	char joined[LM_LINE_MAX + 1];
	int length = snprintf(joined, sizeof(joined), "%s%c%s", r->cut, separator, r->lines.text);

	return length <= LM_LINE_MAX && lm_heading_parse(joined, true, heading) && heading->date[0];
}

/* A heading is a long line, which mail programs wrap. 1: this line has the rest; 0: it has not. */
static int end_heading(struct lm_posted *r)
{
	struct lm_heading heading;

	if (r->cut_line + 1 == r->lines.line &&
	    (parse_joined(r, '\t', &heading) || parse_joined(r, ' ', &heading))) {
		r->cut_line = 0;
		take_heading(r, &heading);
		return 1;
	}
	return release_cut(r);
}

/* A date that was wrapped away from its row. */
static bool is_date_of_row(struct lm_posted *r)
{
	struct lm_record *record = last_record(r);

	return record && record->ended[0] == '\0' && r->last_line + 1 == r->lines.line &&
	       lm_date_parse(r->lines.text, record->ended);
}

/* The run that lines below a table speak of. */
static struct lm_facts *last_environment(const struct lm_posted *r)
{
	return last_record(r) && !r->new_block ? &r->out->items[r->last_run].environment : NULL;
}

static int take_problem(struct lm_posted *r, const char *text)
{
	struct lm_record *record = last_record(r);

	if (record && !record->valid)
		lm_record_problem(record, "%s", text);
	return 0;
}

static void take_iteration(struct lm_posted *r, const char *text)
{
	char digits[16];
	uint64_t value;

	snprintf(digits, sizeof(digits), "%.*s", (int)strspn(text, "0123456789"), text);
	if (lm_parse_uint(digits, 1, 1000000, &value))
		r->iteration = (unsigned)value;
}

static bool take_workload(struct lm_posted *r)
{
	char text[LM_PROSE_MAX];

	if (!lm_prose_workload(r->lines.text, text))
		return false;
	memcpy(r->next_context.workload, text, sizeof(text));
	r->next_context.fresh = true;
	return true;
}

/* 1: the line is what programs print around their tables; 0: it is not. */
static int take_chatter(struct lm_posted *r)
{
	char text[LM_PROSE_MAX];
	enum lm_chatter chatter = lm_chatter(r->lines.text, text);
	struct lm_facts *environment = last_environment(r);
	int rc = 0;

	switch (chatter) {
	case LM_CHATTER_NONE:
		return 0;
	case LM_CHATTER_NOTHING:
		take_workload(r);
		break;
	case LM_CHATTER_VARIANT:
		memcpy(r->next_opening.variant, text, sizeof(text));
		begin_run(r);
		break;
	case LM_CHATTER_BEGIN:
		begin_run(r);
		break;
	case LM_CHATTER_MAXIMUM:
		rc = environment ? lm_posted_fact(r, environment, "posted.max_jobs_per_min", text)
				 : 0;
		break;
	case LM_CHATTER_CROSSOVER:
		rc = environment
			     ? lm_posted_text_fact(r, environment, "posted.crossover", "achieved")
			     : 0;
		break;
	case LM_CHATTER_ITERATION:
		take_iteration(r, text);
		break;
	case LM_CHATTER_OWN:
		snprintf(r->own, sizeof(r->own), "loadmix %.*s", (int)strcspn(text, ":"), text);
		break;
	case LM_CHATTER_PROBLEM:
		rc = take_problem(r, text);
		break;
	}
	return rc < 0 ? -1 : 1;
}

/* Whoever put files together may have put a journal below a table. */
static bool is_of_journal(const char *text)
{
	static const char *const begins[] = { "{\"type\":\"run\"", "{\"type\":\"step\"" };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(text, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/* A line right below the head of a table, or below a row, may be the first part of a row. */
static void remember_above(struct lm_posted *r, bool workload)
{
	const char *text = r->lines.text;
	size_t length = strlen(text), used = strlen(r->above);
	bool goes_on = r->above_line && r->above_line + 1 == r->lines.line &&
		       isdigit((unsigned char)r->above[0]);
	bool beside = r->table_part + 1 == r->lines.line;

	if (!goes_on)
		used = 0;
	if (!r->in_table || workload || !(beside || goes_on) || !isalnum((unsigned char)*text) ||
	    strchr(":.!?", text[length - 1]) || used + length + 2 > LM_PROSE_MAX) {
		r->above_line = 0;
		return;
	}
	if (!goes_on)
		r->above_context = r->next_context;
	if (used)
		r->above[used++] = ' ';
	memcpy(r->above + used, text, length + 1);
	r->above_line = r->lines.line;
}

static int take_prose(struct lm_posted *r)
{
	char text[LM_PROSE_MAX];
	bool workload;

	if (is_of_journal(r->lines.text))
		return lm_posted_note(
			r, r->lines.line,
			"this line is a journal's, in a file that begins as none: not used; "
			"give the journal as a file of its own");
	r->prose_since = true;
	workload = take_workload(r);
	if (lm_prose_caption(r->lines.text, text)) {
		remember_above(r, workload);
		strcpy(r->next_context.before, r->next_context.caption);
		memcpy(r->next_context.caption, text, sizeof(text));
		if (r->lines.text[strlen(r->lines.text) - 1] == ':')
			memcpy(r->next_context.heading, text, sizeof(text));
		r->next_context.fresh = true;
	}
	return 0;
}

/* --- line by line ------------------------------------------------------------ */

/* 1: the line is part of the head of a table; 0: it is not. */
static int take_head(struct lm_posted *r)
{
	struct lm_table table;

	switch (lm_head_line(&r->head, r->lines.text, &table)) {
	case LM_HEAD_PART:
		return 1;
	case LM_HEAD_DONE:
		return begin_table(r, &table) < 0 || note_doubled(r) < 0 ? -1 : 1;
	case LM_HEAD_BROKEN:
		r->in_table = false;
		return lm_posted_note(
			r, r->lines.line,
			"the head of a table ends above this line and is not whole: the rows "
			"below it are not used");
	case LM_HEAD_NONE:
		break;
	}
	return 0;
}

/* 1: the line is of the head of a run; 0: it is not. */
static int take_run_head(struct lm_posted *r)
{
	const char *text = r->lines.text;
	bool expected = r->heading_next;
	struct lm_heading heading;

	r->heading_next = lm_is_heading_names(text);
	if (r->heading_next)
		return 1;
	if (lm_own_heading_parse(text, &heading)) {
		take_heading(r, &heading);
		return 1;
	}
	if (!lm_heading_parse(text, expected, &heading)) {
		if (expected || lm_is_heading(text))
			cut_heading(r, "");
		return 0;
	}
	take_heading(r, &heading);
	if (heading.bad_date[0])
		cut_heading(r, heading.bad_date);
	return 1;
}

/* --- rows that begin in the line above ----------------------------------------- */

/* "2.5.71", "v6.1-rc2", "linux-6.1". */
static bool has_version(const char *text, size_t length)
{
	for (size_t i = 1; i + 1 < length; i++)
		if (text[i] == '.' && isdigit((unsigned char)text[i - 1]) &&
		    isdigit((unsigned char)text[i + 1]))
			return true;
	return false;
}

static bool begins_as_kernel(const char *text)
{
	return has_version(text, strcspn(text, " \t"));
}

static bool is_label_of_table(const struct lm_posted *r, const char *label)
{
	for (size_t i = r->block_first; i < r->out->count && !r->new_block; i++)
		if (strcmp(r->out->items[i].label, label) == 0)
			return true;
	return false;
}

/* A whole row, whose kernel's name may be the end of a longer one. */
static bool has_part_of_label(struct lm_posted *r, enum lm_row_shape shape)
{
	const char *label;

	if (shape != LM_ROW_WHOLE || r->table.separator != ' ' || r->table.sides > 1 ||
	    r->table.columns[0].type != LM_COLUMN_LABEL ||
	    lm_row_parse(&r->table, r->lines.text, &r->row) < 0)
		return false;
	label = r->row.label;
	return !has_version(label, strlen(label)) && !is_label_of_table(r, label);
}

/* The rows of two kernels must not become those of one because both names end in the same word. */
static int join_above(struct lm_posted *r, enum lm_row_shape *shape)
{
	bool label = has_part_of_label(r, *shape), sure = begins_as_kernel(r->above);
	char shown[LM_PROSE_MAX];
	size_t length = strlen(r->above);

	if (!label && !lm_row_begins_above(&r->table, r->above, r->lines.text))
		return 0;
	if (length + 1 + strlen(r->lines.text) > LM_LINE_MAX)
		return 0;
	memmove(r->lines.text + length + 1, r->lines.text, strlen(r->lines.text) + 1);
	memcpy(r->lines.text, r->above, length);
	r->lines.text[length] = ' ';
	*shape = lm_row_shape(&r->table, r->lines.text);
	r->next_context = r->above_context;
	if (!label || sure)
		return 0;
	return lm_posted_note(r, r->lines.line,
			      "the name of this row's kernel is taken to begin in the line "
			      "above: '%s'",
			      lm_text_quote(r->above, length, 200, shown, sizeof(shown)));
}

/* A kernel of the table and a load, and nothing else that is of a row: "2.5.70 8 was not run". */
static bool has_kernel_and_load(struct lm_posted *r)
{
	const char *text = r->lines.text;
	char word[16];
	uint64_t value;

	if (!r->table.named || r->table.separator != ' ' ||
	    r->table.columns[0].type != LM_COLUMN_LABEL)
		return false;
	for (size_t i = r->block_first; i < r->out->count && r->looks < LM_POSTED_LOOKS; i++) {
		const char *label = r->out->items[i].label;
		size_t same = 0;

		r->looks++;
		while (label[same] && label[same] == text[same])
			same++;
		if (label[same] || !text[same] || !strchr(" \t", text[same]) ||
		    sscanf(text + same, "%15s", word) != 1)
			continue;
		if (lm_parse_uint(word, 1, LM_MAX_TASKS, &value))
			return true;
	}
	return false;
}

/* 1: the line is a row, or looks like one; 0: it does not. */
static int take_row_line(struct lm_posted *r)
{
	enum lm_row_shape shape;

	if (!r->in_table)
		return 0;
	if (is_date_of_row(r))
		return 1;
	shape = lm_row_shape(&r->table, r->lines.text);
	if (r->above_line && r->above_line + 1 == r->lines.line && join_above(r, &shape) < 0)
		return -1;
	if (shape == LM_ROW_NONE && !r->new_block && has_kernel_and_load(r))
		return lm_posted_note(r, r->lines.line,
				      "this line begins as a row, with a kernel and a load, and is "
				      "none: not used") < 0
			       ? -1
			       : 1;
	if (shape == LM_ROW_NONE)
		return r->table_rows == 0 && lm_table_extend(&r->table, r->lines.text);
	if (shape != LM_ROW_WHOLE)
		hold_row(r, shape);
	else if (take_row(r, r->lines.text, r->lines.line) < 0)
		return -1;
	return 1;
}

static int take_line(struct lm_posted *r)
{
	static int (*const takers[])(struct lm_posted *) = { take_head, take_run_head, take_chatter,
							     take_row_line };
	int taken = continue_row(r);

	if (taken > 0)
		r->table_part = r->lines.line;
	if (taken)
		return taken < 0 ? -1 : 0;
	if (release_held(r) < 0)
		return -1;
	if (r->lines.text[0] == '\0')
		return 0;
	r->blank = false;
	taken = r->cut_line ? end_heading(r) : 0;
	for (size_t i = 0; i < sizeof(takers) / sizeof(takers[0]) && !taken; i++)
		taken = takers[i](r);
	if (taken > 0)
		r->table_part = r->lines.line;
	if (!taken)
		taken = take_prose(r);
	return taken < 0 ? -1 : 0;
}

static int take_long_line(struct lm_posted *r)
{
	r->blank = false;
	if (release_held(r) < 0)
		return -1;
	if (is_of_journal(r->lines.text))
		return take_prose(r);
	if (!r->in_table)
		return 0;
	return lm_posted_note(r, r->lines.line, "this line is too long to be a row: not used");
}

static int read_lines(struct lm_posted *r)
{
	int more, rc = 0;

	while (rc == 0 && (more = lm_lines_next(&r->lines, r->err)) > 0)
		rc = r->lines.cut ? take_long_line(r) : take_line(r);
	return rc < 0 || more < 0 ? -1 : 0;
}

/* --- the end ----------------------------------------------------------------- */

static int note_end(struct lm_posted *r)
{
	if (release_cut(r) < 0)
		return -1;
	if (r->head.upper_count &&
	    lm_posted_note(r, r->lines.line, "the file ends within the head of a table") < 0)
		return -1;
	return note_rows_missing(r);
}

static int nothing_found(struct lm_posted *r)
{
	const struct lm_note *first;

	if (r->blank)
		return lm_error_at(r->err, r->lines.source, 0, 0, "is empty: " LM_POSTED_EXPECTED);
	if (r->out->note_count <= r->first_note)
		return lm_error_at(r->err, r->lines.source, 0, 0,
				   "holds no result: " LM_POSTED_EXPECTED);
	first = &r->out->notes[r->first_note];
	return lm_error_at(r->err, r->lines.source, first->line, 0,
			   "no row could be read; here, %s", first->text);
}

int lm_posted_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		   struct lm_error *err)
{
	struct lm_posted *r = calloc(1, sizeof(*r));
	size_t first = out->count;
	int rc;

	if (!r)
		return lm_error_sys(err, "a reader");
	r->lines = (struct lm_lines){ .get = get, .state = state, .source = source, .ahead = -1 };
	r->out = out;
	r->first_note = out->note_count;
	r->err = err;
	r->blank = true;
	r->iteration = 1;
	r->group_first = r->block_first = r->last_run = first;
	rc = read_lines(r) < 0 || release_held(r) < 0 || lm_posted_close_group(r) < 0 ||
			     note_end(r) < 0
		     ? -1
		     : 0;
	if (rc == 0 && out->count == first)
		rc = nothing_found(r);
	if (rc == 0)
		rc = lm_headings_tell_apart(out, first, err);
	for (size_t i = first; i < out->count; i++)
		lm_run_derive(&out->items[i]);
	free(r);
	return rc;
}
