/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a report as a whole. */
#include <string.h>

#include "formats/html.h"
#include "formats/report_parts.h"

static void title(FILE *out, const struct lm_report *report)
{
	const struct lm_study *study = report->study;

	for (size_t i = 0; i < report->count; i++) {
		fputs(i ? ", " : "", out);
		lm_report_workload(out, report->parts[i].workload);
	}
	fputs(report->count ? ": " : "", out);
	for (size_t i = 0; i < study->set_count; i++) {
		fputs(i ? ", " : "", out);
		lm_html_text(out, study->sets[i].label);
	}
}

/* One set has nothing to be better than. */
static void peak(FILE *out, const struct lm_report_part *part)
{
	const struct lm_chart *chart = &part->charts[0];
	const struct lm_chart_point *best = NULL;

	for (size_t i = 0; i < chart->line_count; i++)
		for (size_t k = 0; k < chart->lines[i].count; k++) {
			const struct lm_chart_point *p = &chart->lines[i].points[k];

			if (p->y.n && (!best || p->y.mean > best->y.mean))
				best = p;
		}
	lm_report_workload(out, part->workload);
	if (best)
		fprintf(out, ": at most %.2f jobs/min, with %u %s. ", best->y.mean, best->tasks,
			best->tasks == 1 ? "task" : "tasks");
	else
		fputs(": no valid step tells jobs/min. ", out);
}

static void verdict(FILE *out, const struct lm_report *report)
{
	char text[1024];

	fputs("<p class=\"verdict\">", out);
	if (report->study->set_count > 1) {
		lm_study_verdict(report->study, text, sizeof(text));
		lm_html_text(out, text);
	} else {
		for (size_t i = 0; i < report->count; i++)
			peak(out, &report->parts[i]);
		fputs("A single set of results: nothing is compared.", out);
	}
	fputs("</p>\n", out);
}

static void head(FILE *out, const struct lm_report *report)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      /* whatever stands in a label, nothing is run and nothing is fetched */
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"generator\" content=\"loadmix " LM_VERSION "\">\n<title>",
	      out);
	title(out, report);
	fputs("</title>\n<style>\n", out);
	fputs(lm_report_style, out);
	fputs("</style>\n</head>\n<body>\n<header>\n<h1>", out);
	title(out, report);
	fputs("</h1>\n", out);
	verdict(out, report);
	lm_report_sets(report, out);
	if (report->unpainted) {
		fputs("<p class=\"note\">There are no pictures, their figures are in the tables: ",
		      out);
		lm_html_text(out, report->unpainted);
		fputs("</p>\n", out);
	}
	fputs("</header>\n", out);
}

static void contents(FILE *out, const struct lm_report *report)
{
	fputs("<nav aria-label=\"Contents\"><ul>\n", out);
	for (size_t i = 0; i < report->count; i++) {
		fprintf(out, "<li><a href=\"#w%zu\">", i);
		lm_report_workload(out, report->parts[i].workload);
		fputs("</a></li>\n", out);
	}
	if (report->study->set_count > 1)
		fputs("<li><a href=\"#differs\">What else differs</a></li>\n", out);
	fputs("<li><a href=\"#plan\">Plan</a></li>\n</ul></nav>\n", out);
}

void lm_report_html(const struct lm_report *report, FILE *out)
{
	head(out, report);
	contents(out, report);
	fputs("<main>\n", out);
	for (size_t i = 0; i < report->count; i++) {
		fprintf(out, "<section>\n<h2 id=\"w%zu\">", i);
		lm_report_workload(out, report->parts[i].workload);
		fputs("</h2>\n", out);
		lm_report_charts(report, i, out);
		lm_report_comparisons(report, report->parts[i].workload, out);
		fputs("</section>\n", out);
	}
	lm_report_singles(report, out);
	lm_report_differences(report, out);
	lm_report_plans(report, out);
	fputs("</main>\n</body>\n</html>\n", out);
}
