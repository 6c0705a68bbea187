/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The three small files of reaim --brief. Only valid steps are in them. */
#include "formats/formats.h"
#include "formats/reaim_rows.h"

/* --- stp_mdata.txt: two columns for a plot -------------------------------------------------- */

static void mdata_row(FILE *out, const struct lm_reaim_row *row)
{
	if (row->r->valid)
		fprintf(out, "%u %.2f\n", row->r->tasks, row->r->jobs_per_min);
}

static int mdata_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	static const struct lm_reaim_layout layout = { NULL, mdata_row, NULL };

	return lm_reaim_rows_open(path, &layout, out, err);
}

const struct lm_format lm_format_reaim_mdata = {
	.name = "reaim-mdata",
	.summary = "stp_mdata.txt: tasks and jobs/min of the valid steps",
	.open = mdata_open,
};

/* --- stp_hdata.html: a table ---------------------------------------------------------------- */

static void html_head(FILE *out, const struct lm_plan *plan, const struct lm_facts *environment)
{
	(void)plan;
	(void)environment;
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	      "<title>Jobs per minute</title></head><body>\n<table>\n"
	      "<tr><th>Tasks</th><th>Jobs/min</th><th>Jobs/min/task</th><th>Real</th>"
	      "<th>User</th><th>System</th><th>JTI</th></tr>\n",
	      out);
}

static void html_row(FILE *out, const struct lm_reaim_row *row)
{
	const struct lm_record *r = row->r;

	if (r->valid)
		fprintf(out,
			"<tr><td>%u</td><td>%.2f</td><td>%.2f</td><td>%.2f</td><td>%.2f</td>"
			"<td>%.2f</td><td>%d</td></tr>\n",
			r->tasks, r->jobs_per_min, r->jobs_per_min_task, r->real_s, r->user_s,
			r->system_s, r->jti);
}

static void html_end(FILE *out, const struct lm_summary *summary, bool crossed)
{
	(void)crossed;
	fputs("</table>\n", out);
	if (summary->invalid)
		fprintf(out, "<p>%u of %u steps were INVALID and are left out.</p>\n",
			summary->invalid, summary->steps);
	fputs("</body></html>\n", out);
}

static int html_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	static const struct lm_reaim_layout layout = { html_head, html_row, html_end };

	return lm_reaim_rows_open(path, &layout, out, err);
}

const struct lm_format lm_format_reaim_html = {
	.name = "reaim-html",
	.summary = "stp_hdata.html: a table of the valid steps",
	.open = html_open,
};

/* --- maxjobs.txt: one number ---------------------------------------------------------------- */

static void max_end(FILE *out, const struct lm_summary *summary, bool crossed)
{
	(void)crossed;
	if (summary->peak_tasks)
		fprintf(out, "%.2f\n", summary->peak_jobs_per_min);
}

static int max_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	static const struct lm_reaim_layout layout = { NULL, NULL, max_end };

	return lm_reaim_rows_open(path, &layout, out, err);
}

const struct lm_format lm_format_reaim_max = {
	.name = "reaim-max",
	.summary = "maxjobs.txt: the most jobs/min of the valid steps",
	.open = max_open,
};
