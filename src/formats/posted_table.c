/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/posted_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/studies.h"
#include "model/figures.h"

#define LABEL_MOST 300

/* What is printed for each set at a task count. */
struct form {
	const struct lm_set *sets;
	size_t count;
	int width; /* of the label column */
	bool spread;
	enum lm_figure figure; /* with spread */
	double *values;        /* room for all steps of a set */
	FILE *out;
};

/* --- what there is -----------------------------------------------------------------------------
 */

static bool told_before(const struct form *f, size_t set, size_t run)
{
	const char *workload = f->sets[set].runs[run]->workload;

	for (size_t i = 0; i <= set; i++)
		for (size_t k = 0; k < (i < set ? f->sets[i].count : run); k++)
			if (strcmp(f->sets[i].runs[k]->workload, workload) == 0)
				return true;
	return false;
}

/* The smallest task count above last, 0 when there is none. */
static unsigned next_tasks(const struct form *f, const char *workload, unsigned last)
{
	unsigned next = 0;

	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->sets[i].count; k++) {
			const struct lm_run *run = f->sets[i].runs[k];

			for (size_t n = 0; n < run->count && !strcmp(run->workload, workload);
			     n++) {
				unsigned tasks = run->records[n].tasks;

				if (run->records[n].valid && tasks > last &&
				    (!next || tasks < next))
					next = tasks;
			}
		}
	return next;
}

static struct lm_stat stat_at(const struct form *f, const struct lm_set *set, const char *workload,
			      unsigned tasks, enum lm_figure figure)
{
	size_t n = 0;

	for (size_t k = 0; k < set->count; k++) {
		const struct lm_run *run = set->runs[k];

		for (size_t i = 0; i < run->count && !strcmp(run->workload, workload); i++)
			if (run->records[i].valid && run->records[i].tasks == tasks &&
			    lm_figure_known(&run->records[i], figure))
				f->values[n++] = lm_figure_value(&run->records[i], figure);
	}
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

static void row(const struct form *f, const struct lm_set *set, const char *workload,
		unsigned tasks)
{
	struct lm_stat jobs = stat_at(f, set, workload, tasks, LM_FIG_JOBS_PER_MIN);
	struct lm_stat real = stat_at(f, set, workload, tasks, LM_FIG_REAL);
	struct lm_stat cpu = stat_at(f, set, workload, tasks, LM_FIG_CPU);
	char label[4 * LABEL_MOST + 8];

	if (jobs.n + real.n + cpu.n == 0)
		return;
	fprintf(f->out, "%-*s %6u", f->width,
		lm_study_text_of(set->label, LABEL_MOST, label, sizeof(label)), tasks);
	mean_field(f, &jobs, 11);
	mean_field(f, &real, 10);
	mean_field(f, &cpu, 9);
	fputc('\n', f->out);
}

static void spread_row(const struct form *f, const struct lm_set *set, const char *workload,
		       unsigned tasks)
{
	struct lm_stat s = stat_at(f, set, workload, tasks, f->figure);
	char label[4 * LABEL_MOST + 8];

	if (s.n == 0)
		return;
	fprintf(f->out, "%-*s %6u %10.3f %10.3f %10.3f %9.3f\n", f->width,
		lm_study_text_of(set->label, LABEL_MOST, label, sizeof(label)), tasks, s.min,
		s.mean, s.max, s.stddev);
}

static void block(const struct form *f, const char *workload)
{
	char name[4 * LABEL_MOST + 8];
	unsigned tasks = 0;

	if (workload[0])
		fprintf(f->out, "%s workload\n",
			lm_study_text_of(workload, LABEL_MOST, name, sizeof(name)));
	if (f->spread)
		fprintf(f->out, "%-*s %6s %10s %10s %10s %9s   (%s)\n", f->width, "kernel", "Tasks",
			"MIN", "AVG", "MAX", "Dev", lm_figure_info(f->figure)->title);
	else
		fprintf(f->out, "%-*s %6s %11s %10s %9s\n", f->width, "kernel", "Tasks", "Jobs/Min",
			"Real", "CPU");
	while ((tasks = next_tasks(f, workload, tasks)) != 0) {
		for (size_t i = 0; i < f->count; i++) {
			if (f->spread)
				spread_row(f, &f->sets[i], workload, tasks);
			else
				row(f, &f->sets[i], workload, tasks);
		}
		fputc('\n', f->out);
	}
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static int prepare(struct form *f)
{
	size_t most = 1;

	f->width = 24;
	for (size_t i = 0; i < f->count; i++) {
		size_t steps = 0, length = strlen(f->sets[i].label);

		for (size_t k = 0; k < f->sets[i].count; k++)
			steps += f->sets[i].runs[k]->count;
		most = steps > most ? steps : most;
		if (length > (size_t)f->width)
			f->width = length < LABEL_MOST ? (int)length : LABEL_MOST;
	}
	f->values = calloc(most, sizeof(*f->values));
	return f->values ? 0 : -1;
}

static int print(struct form *f)
{
	if (prepare(f) < 0)
		return -1;
	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->sets[i].count; k++)
			if (!told_before(f, i, k))
				block(f, f->sets[i].runs[k]->workload);
	free(f->values);
	return 0;
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
