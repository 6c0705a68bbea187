/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/posted_runs.h"

#include "base/text.h"
#include "base/units.h"
#include "model/figures.h"
#include "model/validity.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) int lm_posted_note(struct lm_posted *r, long line,
							 const char *fmt, ...)
{
	char text[2 * LM_PROSE_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return lm_runs_note(r->out, r->lines.source, line, r->err, "%s", text);
}

/* --- labels ------------------------------------------------------------------ */

/* A caption above one run names it; above several it needs the name of each, if there is one. */
static int label_run(struct lm_posted *r, struct lm_run *run, bool several)
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
int lm_posted_close_group(struct lm_posted *r)
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
static int take_context(struct lm_posted *r)
{
	if (!r->next_context.fresh)
		return 0;
	if (lm_posted_close_group(r) < 0)
		return -1;
	r->context = r->next_context;
	r->next_context = (struct lm_posted_context){ 0 };
	return 0;
}

int lm_posted_fact(struct lm_posted *r, struct lm_facts *facts, const char *key, const char *text)
{
	double number;
	int rc;

	if (lm_parse_number(text, &number))
		rc = lm_facts_number(facts, key, number);
	else
		rc = lm_facts_text(facts, key, *text && strcmp(text, "-") != 0 ? text : NULL);
	return rc < 0 ? lm_error_sys(r->err, "results that were read") : 0;
}

int lm_posted_text_fact(struct lm_posted *r, struct lm_facts *facts, const char *key,
			const char *text)
{
	if (*text == '\0' || lm_facts_text(facts, key, text) == 0)
		return 0;
	return lm_error_sys(r->err, "results that were read");
}

static int describe_run(struct lm_posted *r, struct lm_run *run)
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
	if (lm_posted_text_fact(r, &run->environment, "kernel.release", h->kernel) < 0 ||
	    lm_posted_text_fact(r, &run->environment, "posted.caption", r->context.caption) < 0)
		return -1;
	if (strcmp(r->context.heading, r->context.caption) != 0 &&
	    lm_posted_text_fact(r, &run->environment, "posted.heading", r->context.heading) < 0)
		return -1;
	return lm_posted_text_fact(r, &run->environment, "posted.variant", r->opening.variant);
}

static const char *workload_of(const struct lm_posted *r)
{
	if (*r->row.workload)
		return r->row.workload;
	return *r->opening.heading.workload ? r->opening.heading.workload : r->context.workload;
}

static struct lm_run *add_run(struct lm_posted *r)
{
	struct lm_run *run;

	if (r->out->count - r->block_first == LM_POSTED_LABELS) {
		lm_error_at(r->err, r->lines.source, r->lines.line, 0,
			    "there are more than %d kernels in one table: " LM_POSTED_EXPECTED,
			    LM_POSTED_LABELS);
		return NULL;
	}
	run = lm_runs_add(r->out, r->lines.source, r->table_line, r->table.format, r->err);
	if (!run || describe_run(r, run) < 0 ||
	    lm_run_text(&run->workload, workload_of(r), r->err) < 0)
		return NULL;
	r->last_run = r->out->count - 1;
	snprintf(r->run_names[r->last_run - r->block_first], LM_POSTED_NAME_MAX, "%s", r->row.run);
	return run;
}

static bool is_run_of_row(const struct lm_posted *r, const struct lm_run *run)
{
	if (strncmp(r->run_names[(size_t)(run - r->out->items) - r->block_first], r->row.run,
		    LM_POSTED_NAME_MAX - 1) != 0)
		return false;
	if (!r->table.named)
		return true;
	return strcmp(run->label, r->row.label) == 0 && strcmp(run->workload, workload_of(r)) == 0;
}

/* The run of this block that the row belongs to. Kernels come in the same order again and again,
 * so the one after the last is looked at first. NULL: none. */
static struct lm_run *find_run(struct lm_posted *r)
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

/* The table has this kernel and load already. */
static bool comes_again(struct lm_posted *r)
{
	for (size_t i = r->block_first; i < r->out->count; i++) {
		const struct lm_run *run = &r->out->items[i];

		r->looks++;
		if (!is_run_of_row(r, run))
			continue;
		r->looks += run->count;
		for (size_t k = 0; k < run->count; k++)
			if (run->records[k].tasks == r->row.figures.tasks)
				return true;
	}
	return r->looks > LM_POSTED_LOOKS;
}

/* In a table of kernels: prose is a heading of the rows below it if it says so, or if they would be
 * repeats of those above it. */
static bool begins_below_heading(struct lm_posted *r)
{
	const struct lm_posted_context *next = &r->next_context;

	if (!next->fresh)
		return false;
	if (*next->workload && strcmp(next->workload, r->context.workload) != 0)
		return true;
	return *next->caption && (*next->heading || r->looks > LM_POSTED_LOOKS || comes_again(r));
}

/* Does a row that has no head of its own begin another run all the same? */
static bool begins_block(struct lm_posted *r)
{
	const struct lm_run *last;

	if (r->new_block)
		return true;
	if (r->table.named)
		return begins_below_heading(r);
	if (!r->prose_since)
		return false;
	last = &r->out->items[r->last_run];
	return r->row.figures.tasks <= last->records[last->count - 1].tasks;
}

static int begin_block(struct lm_posted *r, long line)
{
	if (take_context(r) < 0)
		return -1;
	r->opening = r->next_opening;
	r->next_opening = (struct lm_posted_opening){ 0 };
	r->block_first = r->last_run = r->out->count;
	if (!r->headed)
		r->table_line = line;
	r->headed = r->new_block = false;
	return 0;
}

static struct lm_run *run_for_row(struct lm_posted *r, long line)
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

static int copy_facts(struct lm_posted *r, struct lm_record *record)
{
	for (size_t i = 0; i < r->table.count; i++) {
		const struct lm_column *column = &r->table.columns[i];

		if (column->type == LM_COLUMN_FACT &&
		    lm_posted_fact(r, &record->system, column->name,
				   r->row.cells.at[r->row.start[i]]) < 0)
			return -1;
	}
	return 0;
}

/* The step of a run with the same load that came before; NULL: there is none. */
static const struct lm_record *step_before(struct lm_posted *r, const struct lm_run *run,
					   const struct lm_record *record)
{
	for (size_t i = 0; &run->records[i] < record && r->looks < LM_POSTED_LOOKS; i++, r->looks++)
		if (run->records[i].tasks == record->tasks)
			return &run->records[i];
	return NULL;
}

static bool same_fact(const struct lm_fact *a, const struct lm_fact *b)
{
	return a->type == b->type && a->number == b->number &&
	       (a->type != LM_FACT_TEXT || strcmp(a->text, b->text) == 0);
}

/* What stands beside the figures may be what was measured, or tell what was: "cpus", "fs". Numbers
 * right of the tasks were measured. */
static const struct lm_column *
differing_column(const struct lm_posted *r, const struct lm_record *a, const struct lm_record *b)
{
	bool left = true;

	for (size_t i = 0; i < r->table.count; i++) {
		const struct lm_column *column = &r->table.columns[i];
		const struct lm_fact *of_a, *of_b;

		left = left && column->type != LM_COLUMN_TASKS;
		if (column->type != LM_COLUMN_FACT || lm_column_counts(column))
			continue;
		of_a = lm_facts_find(&a->system, column->name);
		of_b = lm_facts_find(&b->system, column->name);
		if (of_a && of_b && (left || of_a->type == LM_FACT_TEXT) && !same_fact(of_a, of_b))
			return column;
	}
	return NULL;
}

static int note_apart(struct lm_posted *r, const struct lm_run *run, const struct lm_record *record,
		      long line)
{
	const struct lm_record *before = record->system.count ? step_before(r, run, record) : NULL;
	const struct lm_column *column = before ? differing_column(r, before, record) : NULL;

	/* steps of other kinds are no repeats */
	if (!column || strcmp(lm_run_kind(run, before), lm_run_kind(run, record)) != 0)
		return 0;
	return lm_posted_note(r, line,
			      "'%s' is not as in line %ld, with the same load: they are read as "
			      "repeats",
			      column->name + strlen("posted."), before->line);
}

static int note_oddities(struct lm_posted *r, long line)
{
	char shown[LM_PROSE_MAX];

	if (r->row.jti_below &&
	    lm_posted_note(r, line,
			   "JTI is below 0, which AIM7 prints of a wide spread: read as 0") < 0)
		return -1;
	if (r->row.rest[0] == '\0')
		return 0;
	return lm_posted_note(
		r, line, "'%s' in this row is no date and no column: not used",
		lm_text_quote(r->row.rest, strlen(r->row.rest), 200, shown, sizeof(shown)));
}

int lm_posted_keep_row(struct lm_posted *r, long line)
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
	if (copy_facts(r, record) < 0 || note_apart(r, run, record, line) < 0)
		return -1;
	return note_oddities(r, line);
}
