/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs for spreadsheets: a line a step. */
#include "formats/csv.h"
#include "formats/writers.h"
#include "model/figures.h"
#include "model/runs.h"

/* In single mode a step is a kind. */
static void put_kind(const struct lm_run *run, const struct lm_record *r, FILE *out)
{
	fputc(',', out);
	lm_csv_text(out, lm_run_kind(run, r));
}

static void step_line(const struct lm_run *run, size_t number, const struct lm_record *r,
		      bool with_kind, FILE *out)
{
	fprintf(out, "%zu,", number);
	lm_csv_text(out, run->label);
	fputc(',', out);
	lm_csv_text(out, run->workload);
	fputc(',', out);
	lm_csv_text(out, run->started);
	fprintf(out, ",%u,%u,%u,", r->step, r->iteration, r->tasks);
	if (r->jobs_per_task)
		fprintf(out, "%u", r->jobs_per_task);
	for (enum lm_figure f = 0; f < LM_FIGURES; f++) {
		fputc(',', out);
		if (lm_figure_known(r, f))
			lm_csv_number(out, lm_figure_value(r, f));
	}
	fprintf(out, ",%s,", r->valid ? "yes" : "no");
	lm_csv_text(out, r->ended);
	if (with_kind)
		put_kind(run, r, out);
	fputc('\n', out);
}

static int write_csv(const struct lm_runs *runs, FILE *out, struct lm_losses *losses,
		     struct lm_error *err)
{
	bool with_kind = false;

	(void)losses;
	(void)err;
	for (size_t i = 0; i < runs->count; i++)
		with_kind = with_kind || lm_run_is_single(&runs->items[i]);
	fputs("run,label,workload,started,step,iteration,tasks,jobs_per_task", out);
	for (enum lm_figure f = 0; f < LM_FIGURES; f++)
		fprintf(out, ",%s", lm_figure_info(f)->name);
	fprintf(out, ",valid,ended%s\n", with_kind ? ",kind" : "");
	for (size_t i = 0; i < runs->count; i++)
		for (size_t k = 0; k < runs->items[i].count; k++)
			step_line(&runs->items[i], i + 1, &runs->items[i].records[k], with_kind,
				  out);
	return 0;
}

const struct lm_writer lm_writer_csv = {
	.name = "csv",
	.summary = "a line a step, for spreadsheets",
	.write = write_csv,
};
