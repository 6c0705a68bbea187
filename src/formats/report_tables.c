/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparisons of a report: figures side by side, what is missing, and blame. */
#include <math.h>
#include <string.h>

#include "formats/html.h"
#include "formats/report_parts.h"
#include "formats/studies.h"
#include "model/figures.h"

void lm_report_open_table(FILE *out, const char *caption)
{
	/* what scrolls must be reachable by keyboard */
	fprintf(out,
		"<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>"
		"<caption>%s</caption>\n",
		caption, caption);
}

void lm_report_close_table(FILE *out)
{
	fputs("</table></div>\n", out);
}

void lm_report_workload(FILE *out, const char *workload)
{
	lm_html_text(out, workload[0] ? workload : "results of no named workload");
}

/* --- figures ---------------------------------------------------------------------------------- */

static void mean_cell(FILE *out, const struct lm_stat *s, int decimals)
{
	fprintf(out, "<td>%.*f (%zu)</td>", decimals, s->mean, s->n);
}

static void interval_cell(FILE *out, const struct lm_change *c)
{
	if (isnan(c->low) || isnan(c->high))
		fputs("<td>&ndash;</td>", out);
	else
		fprintf(out, "<td>%+.1f to %+.1f %%</td>", c->low, c->high);
}

static void verdict_cell(FILE *out, const struct lm_change *c)
{
	if (!c->significant)
		fputs("<td></td>", out);
	else
		fprintf(out, "<td class=\"%s\">%s</td>", c->worse ? "worse" : "better",
			c->worse ? "worse" : "better");
}

static void row_head(FILE *out, unsigned tasks, const char *figure)
{
	fprintf(out, "<tr><th scope=\"row\">%u</th><td class=\"text\">%s</td>", tasks, figure);
}

static void change_row(FILE *out, unsigned tasks, const struct lm_figure_info *info,
		       const struct lm_change *c)
{
	int decimals = lm_figure_decimals(info, fmin(c->base.mean, c->now.mean));
	char p[32];

	row_head(out, tasks, info->title);
	mean_cell(out, &c->base, decimals);
	mean_cell(out, &c->now, decimals);
	lm_html_number(out, "%+.1f %%", c->percent);
	interval_cell(out, c);
	fputs("<td>", out);
	lm_html_text(out, isnan(c->p) ? "\u2013" : lm_study_p(c->p, p, sizeof(p)));
	fputs("</td>", out);
	lm_html_number(out, "%.1f %%", c->mde);
	verdict_cell(out, c);
	fputs("</tr>\n", out);
}

/* Columns from first to last hold text. */
static void heads(FILE *out, const char *const *names, size_t first, size_t last)
{
	fputs("<thead><tr>", out);
	for (size_t i = 0; names[i]; i++)
		fprintf(out, "<th scope=\"col\"%s>%s</th>",
			i >= first && i <= last ? " class=\"text\"" : "", names[i]);
	fputs("</tr></thead><tbody>\n", out);
}

static void figure_table(FILE *out, const struct lm_study *study, const struct lm_comparison *c)
{
	static const char *const change[] = { "Tasks",   "Figure",  "Base (n)",
					      "New (n)", "Change",  "95 % interval",
					      "p",       "Visible", "Verdict",
					      NULL };

	lm_report_open_table(out, "Figures side by side");
	heads(out, change, 1, 1);
	for (size_t i = 0; i < c->count; i++)
		lm_study_changes(out, study, &c->cells[i], change_row);
	fputs("</tbody>", out);
	lm_report_close_table(out);
}

/* --- what is missing -------------------------------------------------------------------------- */

static void doubts(FILE *out, const struct lm_comparison *c, const struct lm_doubts *list)
{
	fputs("<ul>\n", out);
	for (size_t i = 0; i < list->count; i++) {
		fputs("<li>", out);
		lm_html_text(out, list->texts[i]);
		fputs("</li>\n", out);
	}
	if (!lm_comparison_single(c))
		fputs("<li>Visible: a change of that size would be found in 4 of 5 such "
		      "comparisons.</li>\n",
		      out);
	fputs("</ul>\n", out);
}

/* --- blame ------------------------------------------------------------------------------------ */

static void blame_row(FILE *out, const struct lm_blame_row *r)
{
	const double changes[] = { r->change_s, r->user_s, r->system_s, r->wait_s };
	const double jobs[] = { r->base_median_s, r->now_median_s, r->base_p99_s, r->now_p99_s };

	fputs("<tr><th scope=\"row\" class=\"text\">", out);
	lm_html_text(out, r->kind);
	fputs("</th>", out);
	lm_html_number(out, "%.1f %%", r->share);
	for (size_t i = 0; i < 4; i++)
		lm_html_number(out, "%+.3f", changes[i]);
	for (size_t i = 0; i < 4; i++)
		lm_html_number(out, "%.4g", jobs[i] * 1e3);
	fputs("</tr>\n", out);
}

static void blame_table(FILE *out, const struct lm_cell *cell)
{
	static const char *const names[] = { "Kind",
					     "Share",
					     "Change (s)",
					     "User (s)",
					     "System (s)",
					     "Waiting (s)",
					     "Base median (ms)",
					     "New median (ms)",
					     "Base p99 (ms)",
					     "New p99 (ms)",
					     NULL };
	char caption[128];

	snprintf(caption, sizeof(caption), "Which jobs, at %u %s: a task takes %+.3g s",
		 cell->tasks, cell->tasks == 1 ? "task" : "tasks", cell->blame.change_s);
	lm_report_open_table(out, caption);
	heads(out, names, 0, 0);
	for (size_t i = 0; i < cell->blame.count; i++)
		blame_row(out, &cell->blame.rows[i]);
	fputs("</tbody>", out);
	lm_report_close_table(out);
}

/* The load where the time of a task changed most has its table; where there are many, the others
 * would hide it. */
static void blames(FILE *out, const struct lm_study *study, const struct lm_comparison *c)
{
	const struct lm_cell *most = lm_study_blamed_most(study, c);
	size_t others = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (!lm_study_blames(study, &c->cells[i]))
			continue;
		if (&c->cells[i] == most || study->blame == LM_BLAME_ALWAYS)
			blame_table(out, &c->cells[i]);
		else
			others++;
	}
	if (others)
		fprintf(out,
			"<p>This is where the time of a task changed most. The tables of %zu more "
			"loads come with <code>--blame</code>.</p>\n",
			others);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void comparison(FILE *out, const struct lm_study *study, const struct lm_contrast *contrast,
		       size_t i)
{
	const struct lm_comparison *c = &contrast->comparisons.items[i];
	char name[512];

	fputs("<h3>", out);
	lm_html_text(out, c->base->label);
	fputs(" to ", out);
	lm_html_text(out, c->now->label);
	if (c->kind) {
		fputs(": ", out);
		lm_html_text(out, lm_comparison_name(c, name, sizeof(name)));
	}
	fputs("</h3>\n", out);
	if (c->count)
		figure_table(out, study, c);
	doubts(out, c, &contrast->doubts[i]);
	blames(out, study, c);
}

void lm_report_comparisons(const struct lm_report *report, const char *workload, FILE *out)
{
	const struct lm_study *study = report->study;

	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_comparisons *all = &study->contrasts[i].comparisons;

		for (size_t k = 0; k < all->count; k++)
			if (!all->items[k].kind && strcmp(all->items[k].workload, workload) == 0)
				comparison(out, study, &study->contrasts[i], k);
	}
}

void lm_report_singles(const struct lm_report *report, FILE *out)
{
	const struct lm_study *study = report->study;
	bool any = false;

	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_comparisons *all = &study->contrasts[i].comparisons;

		for (size_t k = 0; k < all->count; k++) {
			if (!all->items[k].kind)
				continue;
			if (!any)
				fputs("<section>\n<h2>Kinds alone</h2>\n", out);
			any = true;
			comparison(out, study, &study->contrasts[i], k);
		}
	}
	if (any)
		fputs("</section>\n", out);
}
