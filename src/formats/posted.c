/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results as text, looked through line by line. A head names the columns, the rows below it are
 * load steps, and what stands between tables tells whose they are. What is told before a table is
 * taken up when its first row comes.
 */
#include "formats/readers.h"

#include "base/text.h"
#include "base/units.h"
#include "formats/prose.h"
#include "formats/rows.h"
#include "model/figures.h"
#include "model/metrics.h"
#include "model/runs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is above these was not written to be read, and would take memory without end. */
#define MAX_ROWS     200000
#define MAX_LABELS   1000 /* in one table */

#define RUN_NAME_MAX 32

#define EXPECTED                                                                                  \
	"expected a journal, suite7.ss, a table of multitask or reaim, reaim's csv or log, or a " \
	"table with a head such as 'kernel Tasks Jobs/Min Real CPU'"

/* What prose above a table tells; it holds for all tables up to the next such prose. */
struct context {
	bool fresh;
	char caption[LM_PROSE_MAX], workload[LM_PROSE_MAX];
};

/* What programs print above a table; it holds for that table. */
struct opening {
	struct lm_heading heading;
	char variant[LM_PROSE_MAX];
};

struct reader {
	struct lm_lines lines;
	struct lm_runs *out;
	struct lm_error *err;
	bool blank; /* nothing but blank lines so far */

	struct lm_head head;
	bool in_table;
	struct lm_table table;
	long table_line;
	bool headed;        /* no row of it was read */
	size_t table_rows;  /* lines below the head that are rows, read or not */
	size_t block_first; /* its first run */
	char run_names[MAX_LABELS][RUN_NAME_MAX]; /* of its runs, as a column for them has them */
	bool new_block;                           /* the next row begins a run */

	char own[LM_PROSE_MAX + 8]; /* loadmix's version, when it wrote the tables; "" */
	struct context context, next_context;
	struct opening opening, next_opening;
	bool heading_next; /* the next line has the fields of a heading */
	long cut_line;     /* of a heading without its date: the next line may have it; 0: none */
	char cut[LM_LINE_MAX + 1];
	char cut_date[LM_PROSE_MAX]; /* what stands for the date there; "" */
	size_t group_first;          /* first run of this context */

	bool has_last; /* a row was read, in this run and line: */
	size_t last_run;
	long last_line;
	bool prose_since; /* then came prose */
	unsigned iteration;

	enum lm_row_shape held_shape; /* LM_ROW_NONE: no row is held */
	long held_line;
	char held[LM_LINE_MAX + 1];

	struct lm_row row; /* as it was last taken apart */
	size_t rows;       /* in all, read or not */
	size_t first_note; /* what the runs had before */
};

/* --- notes ------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static int note(struct reader *r, long line, const char *fmt,
						      ...)
{
	char text[2 * LM_PROSE_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return lm_runs_note(r->out, r->lines.source, line, r->err, "%s", text);
}

static int note_rows_missing(struct reader *r)
{
	if (!r->in_table || r->table_rows)
		return 0;
	return note(r, r->table_line, "there is no row below the head of this table");
}

/* --- labels ------------------------------------------------------------------ */

/* A caption above one run names it; above several it needs the name of each, if there is one. */
static int label_run(struct reader *r, struct lm_run *run, bool several)
{
	const char *variant = lm_facts_text_of(&run->environment, "posted.variant", "");
	const char *caption = r->context.caption;
	const char *name = *caption ? caption : run->machine;
	bool both = *caption && several && *run->machine, bracket = *name && *variant;
	char *label = NULL;
	int rc;

	if (asprintf(&label, "%s%s%s%s%s%s", name, both ? ", " : "", both ? run->machine : "",
		     bracket ? " (" : "", variant, bracket ? ")" : "") < 0)
		return lm_error_sys(r->err, "a label");
	rc = lm_run_text(&run->label, label, r->err);
	free(label);
	return rc;
}

/* Name the runs below a caption, now that they are all known. */
static int close_group(struct reader *r)
{
	size_t unnamed = 0;

	for (size_t i = r->group_first; i < r->out->count; i++)
		unnamed += r->out->items[i].label[0] == '\0';
	for (size_t i = r->group_first; i < r->out->count; i++)
		if (r->out->items[i].label[0] == '\0' &&
		    label_run(r, &r->out->items[i], unnamed > 1) < 0)
			return -1;
	r->group_first = r->out->count;
	return 0;
}

/* --- runs -------------------------------------------------------------------- */

/* Begin to use what was told above the table. */
static int take_context(struct reader *r)
{
	if (!r->next_context.fresh)
		return 0;
	if (close_group(r) < 0)
		return -1;
	r->context = r->next_context;
	r->next_context = (struct context){ 0 };
	return 0;
}

static int add_fact(struct reader *r, struct lm_facts *facts, const char *key, const char *text)
{
	double number;
	int rc;

	if (lm_parse_number(text, &number))
		rc = lm_facts_number(facts, key, number);
	else
		rc = lm_facts_text(facts, key, *text && strcmp(text, "-") != 0 ? text : NULL);
	return rc < 0 ? lm_error_sys(r->err, "results that were read") : 0;
}

static int add_text_fact(struct reader *r, struct lm_facts *facts, const char *key,
			 const char *text)
{
	if (*text == '\0' || lm_facts_text(facts, key, text) == 0)
		return 0;
	return lm_error_sys(r->err, "results that were read");
}

static int describe_run(struct reader *r, struct lm_run *run)
{
	const struct lm_heading *h = &r->opening.heading;

	if (lm_run_text(&run->label, r->table.named ? r->row.label : h->label, r->err) < 0 ||
	    lm_run_text(&run->machine, h->machine, r->err) < 0 ||
	    lm_run_text(&run->version, *h->version ? h->version : r->own, r->err) < 0 ||
	    lm_run_text(&run->started, *h->date ? h->date : r->row.started, r->err) < 0)
		return -1;
	run->jobs_per_task = h->jobs_per_task;
	if (*run->label == '\0' && *h->kernel && lm_run_text(&run->label, h->kernel, r->err) < 0)
		return -1;
	if (add_text_fact(r, &run->environment, "kernel.release", h->kernel) < 0 ||
	    add_text_fact(r, &run->environment, "posted.caption", r->context.caption) < 0)
		return -1;
	return add_text_fact(r, &run->environment, "posted.variant", r->opening.variant);
}

static const char *workload_of(const struct reader *r)
{
	if (*r->row.workload)
		return r->row.workload;
	return *r->opening.heading.workload ? r->opening.heading.workload : r->context.workload;
}

static struct lm_run *add_run(struct reader *r)
{
	struct lm_run *run;

	if (r->out->count - r->block_first == MAX_LABELS) {
		lm_error_at(r->err, r->lines.source, r->lines.line, 0,
			    "there are more than %d kernels in one table: " EXPECTED, MAX_LABELS);
		return NULL;
	}
	run = lm_runs_add(r->out, r->lines.source, r->table_line, r->table.format, r->err);
	if (!run || describe_run(r, run) < 0 ||
	    lm_run_text(&run->workload, workload_of(r), r->err) < 0)
		return NULL;
	r->last_run = r->out->count - 1;
	snprintf(r->run_names[r->last_run - r->block_first], RUN_NAME_MAX, "%s", r->row.run);
	return run;
}

static bool is_run_of_row(const struct reader *r, const struct lm_run *run)
{
	if (strncmp(r->run_names[(size_t)(run - r->out->items) - r->block_first], r->row.run,
		    RUN_NAME_MAX - 1) != 0)
		return false;
	if (!r->table.named)
		return true;
	return strcmp(run->label, r->row.label) == 0 && strcmp(run->workload, workload_of(r)) == 0;
}

/* The run of this block that the row belongs to. Kernels come in the same order again and again,
 * so the one after the last is looked at first. NULL: none. */
static struct lm_run *find_run(struct reader *r)
{
	size_t n = r->out->count - r->block_first;

	for (size_t i = 1; i <= n; i++) {
		size_t at = r->block_first + (r->last_run - r->block_first + i) % n;

		if (is_run_of_row(r, &r->out->items[at])) {
			r->last_run = at;
			return &r->out->items[at];
		}
	}
	return NULL;
}

/* Does a row that has no head of its own begin another run all the same? */
static bool begins_block(const struct reader *r)
{
	const struct lm_run *last;

	if (r->new_block)
		return true;
	if (!r->prose_since)
		return false;
	if (r->table.named)
		return *r->next_context.workload &&
		       strcmp(r->next_context.workload, r->context.workload) != 0;
	last = &r->out->items[r->last_run];
	return r->row.figures.tasks <= last->records[last->count - 1].tasks;
}

static int begin_block(struct reader *r, long line)
{
	if (take_context(r) < 0)
		return -1;
	r->opening = r->next_opening;
	r->next_opening = (struct opening){ 0 };
	r->block_first = r->last_run = r->out->count;
	if (!r->headed)
		r->table_line = line;
	r->headed = r->new_block = false;
	return 0;
}

static struct lm_run *run_for_row(struct reader *r, long line)
{
	struct lm_run *run;

	if (begins_block(r) && begin_block(r, line) < 0)
		return NULL;
	run = find_run(r);
	return run ? run : add_run(r);
}

/* --- rows -------------------------------------------------------------------- */

static void copy_figures(struct lm_record *to, const struct lm_record *from)
{
	to->tasks = from->tasks;
	to->jobs_per_task = from->jobs_per_task;
	memcpy(to->ended, from->ended, sizeof(to->ended));
	for (enum lm_figure f = 0; f < LM_FIGURES; f++)
		if (lm_figure_known(from, f))
			lm_figure_set(to, f, lm_figure_value(from, f));
}

/* Steps that were not written, or cannot be read, leave gaps. */
static void number_step(const struct lm_run *run, struct lm_record *record, unsigned step)
{
	unsigned before = run->count > 1 ? record[-1].step : 0;

	record->step = step > before ? step : before + 1;
}

static int copy_facts(struct reader *r, struct lm_record *record)
{
	for (size_t i = 0; i < r->table.count; i++) {
		const struct lm_column *column = &r->table.columns[i];

		if (column->type == LM_COLUMN_FACT &&
		    add_fact(r, &record->system, column->name, r->row.cells.at[r->row.start[i]]) <
			    0)
			return -1;
	}
	return 0;
}

static int note_oddities(struct reader *r, long line)
{
	char shown[LM_PROSE_MAX];

	if (r->row.jti_below &&
	    note(r, line, "JTI is below 0, which AIM7 prints of a wide spread: read as 0") < 0)
		return -1;
	if (r->row.rest[0] == '\0')
		return 0;
	return note(r, line, "'%s' in this row is no date and no column: not used",
		    lm_text_quote(r->row.rest, strlen(r->row.rest), 200, shown, sizeof(shown)));
}

static int keep_row(struct reader *r, long line)
{
	struct lm_run *run;
	struct lm_record *record;

	run = run_for_row(r, line);
	record = run ? lm_run_step(run, line, r->err) : NULL;
	if (!record)
		return -1;
	copy_figures(record, &r->row.figures);
	number_step(run, record, r->row.figures.step);
	record->iteration = r->row.figures.iteration > 1 ? r->row.figures.iteration : r->iteration;
	if (r->row.invalid)
		lm_record_problem(record, "the file marks it as INVALID%s%s",
				  *r->row.reason ? ": " : "", r->row.reason);
	r->has_last = true;
	r->last_line = line;
	r->prose_since = false;
	return copy_facts(r, record) < 0 ? -1 : note_oddities(r, line);
}

static int take_row(struct reader *r, const char *text, long line)
{
	if (r->table_rows++ == 0)
		lm_table_name(&r->table, text);
	if (r->rows++ == MAX_ROWS)
		return lm_error_at(r->err, r->lines.source, line, 0,
				   "there are more than %d rows: " EXPECTED, MAX_ROWS);
	if (lm_row_parse(&r->table, text, &r->row) < 0)
		return note(r, line, "this row is not used: %s", r->row.fault);
	return keep_row(r, line);
}

static int release_held(struct reader *r)
{
	if (r->held_shape == LM_ROW_NONE)
		return 0;
	r->held_shape = LM_ROW_NONE;
	return take_row(r, r->held, r->held_line);
}

static void hold_row(struct reader *r, enum lm_row_shape shape)
{
	r->held_shape = shape;
	r->held_line = r->lines.line;
	strcpy(r->held, r->lines.text);
}

/* Add the line to the row that is held, if it is its end. 1: it was; 0: it was not. */
static int continue_row(struct reader *r)
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

static struct lm_record *last_record(const struct reader *r)
{
	struct lm_run *run;

	if (!r->has_last || !r->in_table)
		return NULL;
	run = &r->out->items[r->last_run];
	return &run->records[run->count - 1];
}

static void begin_run(struct reader *r)
{
	r->new_block = true;
}

static int begin_table(struct reader *r, const struct lm_table *table)
{
	if (note_rows_missing(r) < 0)
		return -1;
	r->table = *table;
	r->table_line = r->lines.line;
	r->table_rows = 0;
	r->in_table = r->headed = true;
	r->has_last = false;
	r->iteration = 1;
	begin_run(r);
	return 0;
}

static void take_heading(struct reader *r, const struct lm_heading *heading)
{
	r->next_opening.heading = *heading;
	begin_run(r);
}

static void cut_heading(struct reader *r, const char *bad_date)
{
	r->cut_line = r->lines.line;
	strcpy(r->cut, r->lines.text);
	snprintf(r->cut_date, sizeof(r->cut_date), "%s", bad_date);
}

/* No line came that has the date. */
static int release_cut(struct reader *r)
{
	char shown[LM_PROSE_MAX];
	long line = r->cut_line;

	r->cut_line = 0;
	if (line == 0 || r->cut_date[0] == '\0')
		return 0;
	return note(r, line, "'%s' is no date: when the run began is not told",
		    lm_text_quote(r->cut_date, strlen(r->cut_date), 200, shown, sizeof(shown)));
}

/* A heading is a long line, which mail programs wrap. 1: this line has the rest; 0: it has not. */
static int end_heading(struct reader *r)
{
	static const char separators[] = { '\t', ' ' };
	char joined[LM_LINE_MAX + 1];
	struct lm_heading heading;

	for (size_t i = 0; i < sizeof(separators) && r->cut_line + 1 == r->lines.line; i++) {
		int length = snprintf(joined, sizeof(joined), "%s%c%s", r->cut, separators[i],
				      r->lines.text);

		if (length > LM_LINE_MAX || !lm_heading_parse(joined, true, &heading) ||
		    heading.date[0] == '\0')
			continue;
		r->cut_line = 0;
		take_heading(r, &heading);
		return 1;
	}
	return release_cut(r);
}

/* A date that was wrapped away from its row. */
static bool is_date_of_row(struct reader *r)
{
	struct lm_record *record = last_record(r);

	return record && record->ended[0] == '\0' && r->last_line + 1 == r->lines.line &&
	       lm_date_parse(r->lines.text, record->ended);
}

/* The run that lines below a table speak of. */
static struct lm_facts *last_environment(const struct reader *r)
{
	return last_record(r) && !r->new_block ? &r->out->items[r->last_run].environment : NULL;
}

static int take_problem(struct reader *r, const char *text)
{
	struct lm_record *record = last_record(r);

	if (record && !record->valid)
		lm_record_problem(record, "%s", text);
	return 0;
}

static void take_iteration(struct reader *r, const char *text)
{
	char digits[16];
	uint64_t value;

	snprintf(digits, sizeof(digits), "%.*s", (int)strspn(text, "0123456789"), text);
	if (lm_parse_uint(digits, 1, 1000000, &value))
		r->iteration = (unsigned)value;
}

static void take_workload(struct reader *r)
{
	char text[LM_PROSE_MAX];

	if (!lm_prose_workload(r->lines.text, text))
		return;
	memcpy(r->next_context.workload, text, sizeof(text));
	r->next_context.fresh = true;
}

/* 1: the line is what programs print around their tables; 0: it is not. */
static int take_chatter(struct reader *r)
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
		rc = environment ? add_fact(r, environment, "posted.max_jobs_per_min", text) : 0;
		break;
	case LM_CHATTER_CROSSOVER:
		rc = environment ? add_text_fact(r, environment, "posted.crossover", "achieved")
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

static int take_prose(struct reader *r)
{
	char text[LM_PROSE_MAX];

	if (is_of_journal(r->lines.text))
		return note(r, r->lines.line,
			    "this line is a journal's, in a file that begins as none: not used; "
			    "give the journal as a file of its own");
	r->prose_since = true;
	take_workload(r);
	if (lm_prose_caption(r->lines.text, text)) {
		memcpy(r->next_context.caption, text, sizeof(text));
		r->next_context.fresh = true;
	}
	return 0;
}

/* --- line by line ------------------------------------------------------------ */

/* 1: the line is part of the head of a table; 0: it is not. */
static int take_head(struct reader *r)
{
	struct lm_table table;

	switch (lm_head_line(&r->head, r->lines.text, &table)) {
	case LM_HEAD_PART:
		return 1;
	case LM_HEAD_DONE:
		return begin_table(r, &table) < 0 ? -1 : 1;
	case LM_HEAD_BROKEN:
		r->in_table = false;
		return note(r, r->lines.line,
			    "the head of a table ends above this line and is not whole: the rows "
			    "below it are not used");
	case LM_HEAD_NONE:
		break;
	}
	return 0;
}

/* 1: the line is of the head of a run; 0: it is not. */
static int take_run_head(struct reader *r)
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

/* 1: the line is a row, or looks like one; 0: it does not. */
static int take_row_line(struct reader *r)
{
	enum lm_row_shape shape;

	if (!r->in_table)
		return 0;
	if (is_date_of_row(r))
		return 1;
	shape = lm_row_shape(&r->table, r->lines.text);
	if (shape == LM_ROW_NONE)
		return r->table_rows == 0 && lm_table_extend(&r->table, r->lines.text);
	if (shape != LM_ROW_WHOLE)
		hold_row(r, shape);
	else if (take_row(r, r->lines.text, r->lines.line) < 0)
		return -1;
	return 1;
}

static int take_line(struct reader *r)
{
	static int (*const takers[])(struct reader *) = { take_head, take_run_head, take_chatter,
							  take_row_line };
	int taken = continue_row(r);

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
	if (!taken)
		taken = take_prose(r);
	return taken < 0 ? -1 : 0;
}

static int take_long_line(struct reader *r)
{
	r->blank = false;
	if (release_held(r) < 0)
		return -1;
	if (is_of_journal(r->lines.text))
		return take_prose(r);
	if (!r->in_table)
		return 0;
	return note(r, r->lines.line, "this line is too long to be a row: not used");
}

static int read_lines(struct reader *r)
{
	int more, rc = 0;

	while (rc == 0 && (more = lm_lines_next(&r->lines, r->err)) > 0)
		rc = r->lines.cut ? take_long_line(r) : take_line(r);
	return rc < 0 || more < 0 ? -1 : 0;
}

/* --- the end ----------------------------------------------------------------- */

static int note_end(struct reader *r)
{
	if (release_cut(r) < 0)
		return -1;
	if (r->head.upper_count &&
	    note(r, r->lines.line, "the file ends within the head of a table") < 0)
		return -1;
	return note_rows_missing(r);
}

static int nothing_found(struct reader *r)
{
	const struct lm_note *first;

	if (r->blank)
		return lm_error_at(r->err, r->lines.source, 0, 0, "is empty: " EXPECTED);
	if (r->out->note_count <= r->first_note)
		return lm_error_at(r->err, r->lines.source, 0, 0, "holds no result: " EXPECTED);
	first = &r->out->notes[r->first_note];
	return lm_error_at(r->err, r->lines.source, first->line, 0,
			   "no row could be read; here, %s", first->text);
}

int lm_posted_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		   struct lm_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
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
	rc = read_lines(r) < 0 || release_held(r) < 0 || close_group(r) < 0 || note_end(r) < 0 ? -1
											       : 0;
	if (rc == 0 && out->count == first)
		rc = nothing_found(r);
	for (size_t i = first; i < out->count; i++)
		lm_run_derive(&out->items[i]);
	free(r);
	return rc;
}
