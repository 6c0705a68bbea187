/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/posted_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/studies.h"
#include "model/figures.h"
#include "model/runs.h"

#define LABEL_MOST 300

/* A valid step. */
struct item {
	const struct lm_record *record;
	const char *workload;
	const char *kind; /* "" but in single mode */
	size_t block;     /* where its workload and kind came first */
	size_t set, place;
};

/* Items that follow one another in a sorted list. */
struct span {
	const struct item *items;
	size_t count;
};

/* What is printed for each set at a task count. */
struct form {
	const struct lm_set *sets;
	size_t count;
	int width; /* of the label column */
	bool spread;
	enum lm_figure figure; /* with spread */
	struct item *items;    /* by block, task count, set */
	size_t item_count;
	double *values; /* room for all steps */
	FILE *out;
};

/* --- the steps in order -----------------------------------------------------------------------
 */

static int compare_sizes(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int by_name(const struct item *a, const struct item *b)
{
	int order = strcmp(a->workload, b->workload);

	return order ? order : strcmp(a->kind, b->kind);
}

static int by_name_and_place(const void *a, const void *b)
{
	const struct item *p = a, *q = b;
	int order = by_name(p, q);

	return order ? order : compare_sizes(p->place, q->place);
}

static int by_row(const struct item *a, const struct item *b)
{
	int order = compare_sizes(a->block, b->block);

	if (order == 0)
		order = compare_sizes(a->record->tasks, b->record->tasks);
	return order ? order : compare_sizes(a->set, b->set);
}

static int by_row_and_place(const void *a, const void *b)
{
	const struct item *p = a, *q = b;
	int order = by_row(p, q);

	return order ? order : compare_sizes(p->place, q->place);
}

static void add_run(struct form *f, size_t set, const struct lm_run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct lm_record *r = &run->records[i];

		if (!r->valid)
			continue;
		f->items[f->item_count] = (struct item){ .record = r,
							 .workload = run->workload,
							 .kind = lm_run_kind(run, r),
							 .set = set,
							 .place = f->item_count };
		f->item_count++;
	}
}

/* Blocks come in the order of the first run that has them. */
static void sort(struct form *f)
{
	qsort(f->items, f->item_count, sizeof(*f->items), by_name_and_place);
	for (size_t i = 0; i < f->item_count; i++) {
		struct item *item = &f->items[i];

		item->block = i && by_name(item - 1, item) == 0 ? item[-1].block : item->place;
	}
	qsort(f->items, f->item_count, sizeof(*f->items), by_row_and_place);
}

static struct lm_stat stat_of(const struct form *f, struct span row, enum lm_figure figure)
{
	size_t n = 0;

	for (size_t i = 0; i < row.count; i++)
		if (lm_figure_known(row.items[i].record, figure))
			f->values[n++] = lm_figure_value(row.items[i].record, figure);
	return lm_stat_of(f->values, n);
}

/* --- rows --------------------------------------------------------------------------------------
 */

static void mean_field(const struct form *f, const struct lm_stat *s, int width)
{
	if (s->n == 0)
		fprintf(f->out, " %*s", width, "-");
	else
		fprintf(f->out, " %*.1f", width, s->mean);
}

static void mean_row(const struct form *f, const char *label, struct span row)
{
	struct lm_stat jobs = stat_of(f, row, LM_FIG_JOBS_PER_MIN);
	struct lm_stat real = stat_of(f, row, LM_FIG_REAL);
	struct lm_stat cpu = stat_of(f, row, LM_FIG_CPU);

	if (jobs.n + real.n + cpu.n == 0)
		return;
	fprintf(f->out, "%s%*s %6u", label, lm_text_fill(label, f->width), "",
		row.items[0].record->tasks);
	mean_field(f, &jobs, 11);
	mean_field(f, &real, 10);
	mean_field(f, &cpu, 9);
	fputc('\n', f->out);
}

static void spread_row(const struct form *f, const char *label, struct span row)
{
	struct lm_stat s = stat_of(f, row, f->figure);

	if (s.n == 0)
		return;
	fprintf(f->out, "%s%*s %6u %10.3f %10.3f %10.3f %9.3f\n", label,
		lm_text_fill(label, f->width), "", row.items[0].record->tasks, s.min, s.mean, s.max,
		s.stddev);
}

static void print_row(const struct form *f, struct span row)
{
	char label[4 * LABEL_MOST + 8];

	lm_study_text_of(f->sets[row.items[0].set].label, LABEL_MOST, label, sizeof(label));
	if (f->spread)
		spread_row(f, label, row);
	else
		mean_row(f, label, row);
}

static void head(const struct form *f, const struct item *first)
{
	char name[4 * LABEL_MOST + 8], kind[4 * LABEL_MOST + 8];

	if (first->workload[0] || first->kind[0])
		fprintf(f->out, "%s%s%s workload\n",
			lm_study_text_of(first->workload, LABEL_MOST, name, sizeof(name)),
			first->workload[0] && first->kind[0] ? ", " : "",
			lm_study_text_of(first->kind, LABEL_MOST, kind, sizeof(kind)));
	if (f->spread)
		fprintf(f->out, "%-*s %6s %10s %10s %10s %9s   (%s)\n", f->width, "kernel", "Tasks",
			"MIN", "AVG", "MAX", "Dev", lm_figure_info(f->figure)->title);
	else
		fprintf(f->out, "%-*s %6s %11s %10s %9s\n", f->width, "kernel", "Tasks", "Jobs/Min",
			"Real", "CPU");
}

static bool has_rows(const struct form *f)
{
	struct span all = { f->items, f->item_count };

	return !f->spread || stat_of(f, all, f->figure).n > 0;
}

static void print_items(const struct form *f)
{
	if (!has_rows(f))
		return;
	for (size_t i = 0, n; i < f->item_count; i += n) {
		const struct item *item = &f->items[i];

		for (n = 1; i + n < f->item_count && by_row(item, &item[n]) == 0; n++)
			;
		if (i == 0 || item[-1].block != item->block)
			head(f, item);
		print_row(f, (struct span){ item, n });
		if (i + n == f->item_count || item[n].block != item->block ||
		    item[n].record->tasks != item->record->tasks)
			fputc('\n', f->out);
	}
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static int prepare(struct form *f)
{
	size_t steps = 1;

	f->width = 24;
	for (size_t i = 0; i < f->count; i++) {
		size_t length = lm_text_width(f->sets[i].label);

		for (size_t k = 0; k < f->sets[i].count; k++)
			steps += f->sets[i].runs[k]->count;
		if (length > (size_t)f->width)
			f->width = length < LABEL_MOST ? (int)length : LABEL_MOST;
	}
	f->items = calloc(steps, sizeof(*f->items));
	f->values = calloc(steps, sizeof(*f->values));
	return f->items && f->values ? 0 : -1;
}

static int print(struct form *f)
{
	int rc = prepare(f);

	if (rc == 0) {
		for (size_t i = 0; i < f->count; i++)
			for (size_t k = 0; k < f->sets[i].count; k++)
				add_run(f, i, f->sets[i].runs[k]);
		sort(f);
		print_items(f);
	}
	free(f->items);
	free(f->values);
	return rc;
}

int lm_posted_table(const struct lm_set *sets, size_t count, FILE *out)
{
	struct form f = { .sets = sets, .count = count, .out = out };

	return print(&f);
}

int lm_posted_spread(const struct lm_set *sets, size_t count, enum lm_figure figure, FILE *out)
{
	struct form f = {
		.sets = sets, .count = count, .spread = true, .figure = figure, .out = out
	};

	return print(&f);
}
