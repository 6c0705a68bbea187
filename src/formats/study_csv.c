/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison for spreadsheets: a line a figure. */
#include <math.h>
#include <stdlib.h>

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
			enum lm_figure figure, const char *doubts)
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
	fprintf(out, ",%s,", c->jobs_differ ? "yes" : "no");
	lm_csv_text(out, doubts);
	fputc('\n', out);
}

/* All of a comparison in one cell. NULL when memory ran out. */
static char *join(const struct lm_doubts *doubts)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < doubts->count; i++)
		fprintf(out, "%s%.*s", i ? " " : "", LM_STUDY_SENTENCE, doubts->texts[i]);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static void comparison_lines(const struct lm_study *study, const struct lm_comparison *c,
			     const char *doubts, FILE *out)
{
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < study->figure_count; k++)
			if (lm_cell_knows(&c->cells[i], study->figures[k]))
				change_line(out, c, &c->cells[i], study->figures[k], doubts);
}

static int contrast_lines(const struct lm_study *study, const struct lm_contrast *contrast,
			  FILE *out)
{
	for (size_t i = 0; i < contrast->comparisons.count; i++) {
		char *doubts = join(&contrast->doubts[i]);

		if (!doubts)
			return -1;
		comparison_lines(study, &contrast->comparisons.items[i], doubts, out);
		free(doubts);
	}
	return 0;
}

static int write_csv(const struct lm_study *study, FILE *out)
{
	fputs("workload,base,new,tasks,figure,base_n,base_mean,base_stddev,base_min,base_max,"
	      "new_n,new_mean,new_stddev,new_min,new_max,change_percent,low_percent,high_percent,"
	      "p,visible_percent,significant,worse,base_invalid,new_invalid,kind,jobs_differ,"
	      "doubts\n",
	      out);
	for (size_t i = 0; i + 1 < study->set_count; i++)
		if (contrast_lines(study, &study->contrasts[i], out) < 0)
			return -1;
	return 0;
}

const struct lm_study_format lm_study_csv = {
	.name = "csv",
	.summary = "a line a figure, for spreadsheets",
	.write = write_csv,
};
