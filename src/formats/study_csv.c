/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison for spreadsheets: a line a figure. */
#include <math.h>

#include "formats/csv.h"
#include "formats/studies.h"
#include "model/figures.h"

static void stat_fields(FILE *out, const struct lm_stat *s)
{
	fprintf(out, ",%zu,", s->n);
	lm_csv_number(out, s->mean);
	fputc(',', out);
	lm_csv_number(out, s->n > 1 ? s->stddev : NAN);
	fputc(',', out);
	lm_csv_number(out, s->min);
	fputc(',', out);
	lm_csv_number(out, s->max);
}

static void change_line(FILE *out, const struct lm_comparison *c, const struct lm_cell *cell,
			enum lm_figure figure)
{
	const struct lm_change *change = &cell->figures[figure];
	const double numbers[] = { change->percent, change->low, change->high, change->p,
				   change->mde };

	lm_csv_text(out, c->workload);
	fputc(',', out);
	lm_csv_text(out, c->base->label);
	fputc(',', out);
	lm_csv_text(out, c->now->label);
	fprintf(out, ",%u,%s", cell->tasks, lm_figure_info(figure)->name);
	stat_fields(out, &change->base);
	stat_fields(out, &change->now);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		fputc(',', out);
		lm_csv_number(out, numbers[i]);
	}
	fprintf(out, ",%s,%s,%u,%u,", change->significant ? "yes" : "no",
		change->worse ? "yes" : "no", cell->base_invalid, cell->now_invalid);
	lm_csv_text(out, c->kind ? c->kind : "");
	fprintf(out, ",%s\n", c->jobs_differ ? "yes" : "no");
}

static void comparison_lines(const struct lm_study *study, const struct lm_comparison *c, FILE *out)
{
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < study->figure_count; k++)
			if (lm_cell_knows(&c->cells[i], study->figures[k]))
				change_line(out, c, &c->cells[i], study->figures[k]);
}

static int write_csv(const struct lm_study *study, FILE *out)
{
	fputs("workload,base,new,tasks,figure,base_n,base_mean,base_stddev,base_min,base_max,"
	      "new_n,new_mean,new_stddev,new_min,new_max,change_percent,low_percent,high_percent,"
	      "p,visible_percent,significant,worse,base_invalid,new_invalid,kind,jobs_differ\n",
	      out);
	for (size_t i = 0; i + 1 < study->set_count; i++)
		for (size_t k = 0; k < study->contrasts[i].comparisons.count; k++)
			comparison_lines(study, &study->contrasts[i].comparisons.items[k], out);
	return 0;
}

const struct lm_study_format lm_study_csv = {
	.name = "csv",
	.summary = "a line a figure, for spreadsheets",
	.write = write_csv,
};
