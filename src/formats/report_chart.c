/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts of a report: the picture, the same in words, the same as a table. */
#include <stdlib.h>
#include <string.h>

#include "formats/gnuplot.h"
#include "formats/html.h"
#include "formats/report_parts.h"
#include "model/figures.h"

/* --- in words --------------------------------------------------------------------------------- */

static const char *tasks_of(unsigned tasks)
{
	return tasks == 1 ? "task" : "tasks";
}

/* The point with the largest figure of those that have one. */
static const struct lm_chart_point *highest(const struct lm_chart_line *line)
{
	const struct lm_chart_point *best = NULL;

	for (size_t i = 0; i < line->count; i++)
		if (line->points[i].y.n && (!best || line->points[i].y.mean > best->y.mean))
			best = &line->points[i];
	return best;
}

static const struct lm_chart_point *valid_end(const struct lm_chart_line *line, bool last)
{
	for (size_t i = 0; i < line->count; i++) {
		const struct lm_chart_point *p = &line->points[last ? line->count - 1 - i : i];

		if (p->y.n)
			return p;
	}
	return NULL;
}

static void point_words(FILE *out, const struct lm_chart *chart, const struct lm_chart_point *p)
{
	fprintf(out, "%.*f at %u %s", lm_figure_info(chart->figure)->decimals, p->y.mean, p->tasks,
		tasks_of(p->tasks));
}

static void line_words(FILE *out, const struct lm_chart *chart, const struct lm_chart_line *line)
{
	const struct lm_chart_point *first = valid_end(line, false), *last = valid_end(line, true);
	const struct lm_chart_point *best = highest(line);

	lm_html_text(out, line->label);
	if (!first) {
		fputs(": no valid step. ", out);
		return;
	}
	fputs(": ", out);
	point_words(out, chart, first);
	if (last != first) {
		fputs(", ", out);
		point_words(out, chart, last);
	}
	if (best != first && best != last) {
		fputs(", the most ", out);
		point_words(out, chart, best);
	}
	fputs(". ", out);
}

static void chart_words(FILE *out, const struct lm_chart *chart)
{
	for (size_t i = 0; i < chart->line_count; i++)
		line_words(out, chart, &chart->lines[i]);
	if (chart->invalid_steps)
		fprintf(out, "%zu INVALID steps are marked at the foot and have no figure. ",
			chart->invalid_steps);
	fputs("All figures are in the table below.", out);
}

static void kind_words(FILE *out, const struct lm_kind_chart *chart)
{
	for (size_t i = 0; i < chart->bar_count; i++) {
		lm_html_text(out, chart->bars[i].label);
		fprintf(out, ": %.4g s a task, ", chart->bars[i].total);
		for (size_t k = 0; k < chart->kind_count && k < 3; k++) {
			fputs(k ? ", " : "of which ", out);
			lm_html_text(out, chart->kinds[k]);
			fprintf(out, " %.4g s", chart->bars[i].seconds[k]);
		}
		fputs(". ", out);
	}
	fputs("All kinds are in the table below.", out);
}

/* --- as a table ------------------------------------------------------------------------------- */

static void point_cell(FILE *out, const struct lm_chart_point *p, int decimals)
{
	fputs("<td>", out);
	if (p && p->y.n)
		fprintf(out, "%.*f", decimals, p->y.mean);
	if (p && p->y.n > 1)
		fprintf(out, " (%.*f to %.*f of %zu)", decimals, p->y.min, decimals, p->y.max,
			p->y.n);
	if (p && p->invalid)
		fprintf(out, " %u INVALID", p->invalid);
	if (!p)
		fputs("&ndash;", out);
	fputs("</td>", out);
}

static void label_head(FILE *out, const char *label)
{
	fputs("<th scope=\"col\" class=\"label\">", out);
	lm_html_text(out, label);
	fputs("</th>", out);
}

static void chart_table(FILE *out, const struct lm_chart *chart)
{
	int decimals = lm_figure_info(chart->figure)->decimals;
	size_t n = 0;
	unsigned *loads = lm_chart_loads(chart, &n);

	lm_report_open_table(out, "Mean (least to most of the repeats)");
	fputs("<thead><tr><th scope=\"col\">Tasks</th>", out);
	for (size_t i = 0; i < chart->line_count; i++)
		label_head(out, chart->lines[i].label);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t k = 0; loads && k < n; k++) {
		fprintf(out, "<tr><th scope=\"row\">%u</th>", loads[k]);
		for (size_t i = 0; i < chart->line_count; i++)
			point_cell(out, lm_chart_find(&chart->lines[i], loads[k]), decimals);
		fputs("</tr>\n", out);
	}
	fputs("</tbody>", out);
	lm_report_close_table(out);
	free(loads);
}

static void kind_table(FILE *out, const struct lm_kind_chart *chart)
{
	lm_report_open_table(out, "Seconds of a task, means of the valid steps");
	fputs("<thead><tr><th scope=\"col\" class=\"text\">Kind</th>", out);
	for (size_t i = 0; i < chart->bar_count; i++)
		label_head(out, chart->bars[i].label);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t k = 0; k < chart->kind_count; k++) {
		fputs("<tr><th scope=\"row\" class=\"text\">", out);
		lm_html_text(out, chart->kinds[k]);
		fputs("</th>", out);
		for (size_t i = 0; i < chart->bar_count; i++)
			lm_html_number(out, "%.4f", chart->bars[i].seconds[k]);
		fputs("</tr>\n", out);
	}
	fputs("<tr><th scope=\"row\" class=\"text\">all</th>", out);
	for (size_t i = 0; i < chart->bar_count; i++)
		lm_html_number(out, "%.4f", chart->bars[i].total);
	fputs("</tr>\n</tbody>", out);
	lm_report_close_table(out);
}

/* --- the figure element ----------------------------------------------------------------------- */

/* The caption names it; a title of its own shows under the pointer. */
static void open_svg(FILE *out, const struct lm_svg *svg, const char *id)
{
	fprintf(out,
		"<svg role=\"img\" aria-labelledby=\"%sc\" aria-describedby=\"%sd\" "
		"viewBox=\"0 0 %u %u\"><title>",
		id, id, svg->width, svg->height);
}

static void close_svg(FILE *out, const struct lm_svg *svg, const char *id)
{
	fputs("</desc>\n", out);
	lm_svg_inside(svg, id, out);
	fputs("</svg>\n", out);
}

static void chart_name(FILE *out, const struct lm_chart *chart)
{
	const struct lm_figure_info *info = lm_figure_info(chart->figure);

	fputs(info->title, out);
	if (strcmp(info->unit, "s") == 0)
		fputs(" (s)", out);
	fputs(" over tasks", out);
}

static const char *side_note(enum lm_figure figure)
{
	return lm_figure_info(figure)->more_is_better ? "More is better." : "Less is better.";
}

static void chart_picture(FILE *out, const struct lm_chart *chart, const struct lm_svg *svg,
			  const char *id)
{
	if (!svg->text)
		return;
	open_svg(out, svg, id);
	lm_report_workload(out, chart->workload);
	fputs(": ", out);
	chart_name(out, chart);
	fprintf(out, "</title><desc id=\"%sd\">", id);
	chart_words(out, chart);
	close_svg(out, svg, id);
}

static void chart_figure(FILE *out, const struct lm_chart *chart, const struct lm_svg *svg,
			 const char *id)
{
	fprintf(out, "<figure role=\"group\" aria-labelledby=\"%sc\">\n<figcaption id=\"%sc\">", id,
		id);
	chart_name(out, chart);
	fprintf(out, "<small>%s</small></figcaption>\n", side_note(chart->figure));
	chart_picture(out, chart, svg, id);
	fprintf(out, "<details%s><summary>Figures of %s</summary>\n", svg->text ? "" : " open",
		lm_figure_info(chart->figure)->title);
	chart_table(out, chart);
	fputs("</details></figure>\n", out);
}

static bool any_repeats(const struct lm_report_part *part)
{
	for (size_t i = 0; i < LM_REPORT_FIGURES; i++)
		for (size_t k = 0; k < part->charts[i].line_count; k++)
			for (size_t n = 0; n < part->charts[i].lines[k].count; n++)
				if (part->charts[i].lines[k].points[n].y.n > 1)
					return true;
	return false;
}

/* Runs of several files that name no workload may be of different ones; then they are no repeats.
 */
static void nameless_note(const struct lm_report *report, FILE *out)
{
	const struct lm_set *sets = report->study->sets;

	for (size_t i = 0; i < report->study->set_count; i++)
		for (size_t k = 1; k < sets[i].count; k++)
			if (strcmp(sets[i].runs[k]->source, sets[i].runs[0]->source) != 0) {
				fputs("<p class=\"note\">These files do not tell their workload. "
				      "What they have at the same task count is taken for repeats; "
				      "if they are of different workloads, report each file by "
				      "itself.</p>\n",
				      out);
				return;
			}
}

/* Before the charts, that it leaves no hole among them. */
static void not_told(const struct lm_report_part *part, FILE *out)
{
	for (size_t i = 0; i < LM_REPORT_FIGURES; i++)
		if (part->charts[i].line_count == 0)
			fprintf(out, "<p>No result tells %s.</p>\n",
				lm_figure_info(part->charts[i].figure)->title);
}

void lm_report_charts(const struct lm_report *report, size_t number, FILE *out)
{
	const struct lm_report_part *part = &report->parts[number];
	char id[48];

	if (part->workload[0] == '\0')
		nameless_note(report, out);
	if (any_repeats(part))
		fputs("<p>Points are means; bars go from the least to the most of the "
		      "repeats.</p>\n",
		      out);
	not_told(part, out);
	fputs("<div class=\"charts\">\n", out);
	for (size_t i = 0; i < LM_REPORT_FIGURES; i++) {
		snprintf(id, sizeof(id), "p%zuf%zu", number, i);
		if (part->charts[i].line_count)
			chart_figure(out, &part->charts[i], &part->pictures[i], id);
	}
	lm_report_kinds(report, number, out);
	fputs("</div>\n", out);
}

void lm_report_kinds(const struct lm_report *report, size_t number, FILE *out)
{
	const struct lm_report_part *part = &report->parts[number];
	const struct lm_kind_chart *chart = &part->kinds;
	char id[48];

	if (chart->bar_count == 0)
		return;
	snprintf(id, sizeof(id), "p%zuk", number);
	fprintf(out,
		"<figure role=\"group\" aria-labelledby=\"%sc\">\n<figcaption id=\"%sc\">Time of a "
		"task by job kind at %u %s<small>Less is better.</small></figcaption>\n",
		id, id, chart->tasks, tasks_of(chart->tasks));
	if (part->kinds_picture.text) {
		open_svg(out, &part->kinds_picture, id);
		lm_report_workload(out, chart->workload);
		fprintf(out, ": time of a task by job kind at %u %s</title><desc id=\"%sd\">",
			chart->tasks, tasks_of(chart->tasks), id);
		kind_words(out, chart);
		close_svg(out, &part->kinds_picture, id);
	}
	fprintf(out, "<details%s><summary>Seconds by kind</summary>\n",
		part->kinds_picture.text ? "" : " open");
	kind_table(out, chart);
	fputs("</details></figure>\n", out);
}
