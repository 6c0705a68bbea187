/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gnuplot.h"

static const enum lm_figure shown[LM_REPORT_FIGURES] = { LM_FIG_JOBS_PER_MIN, LM_FIG_JTI,
							 LM_FIG_REAL, LM_FIG_CPU,
							 LM_FIG_JOBS_PER_MIN_TASK };

static int make_part(const struct lm_study *study, struct lm_report_part *part,
		     struct lm_error *err)
{
	unsigned load = lm_kind_chart_load(study, part->workload);

	for (size_t i = 0; i < LM_REPORT_FIGURES; i++)
		if (lm_chart_make(study->sets, study->set_count, part->workload, shown[i],
				  &part->charts[i], err) < 0)
			return -1;
	return lm_kind_chart_make(study->sets, study->set_count, part->workload, load, &part->kinds,
				  err);
}

int lm_report_make(const struct lm_study *study, struct lm_report *out, struct lm_error *err)
{
	const char **names;
	size_t n;
	int rc;

	*out = (struct lm_report){ .study = study };
	rc = lm_chart_workloads(study->sets, study->set_count, &names, &n, err);
	if (rc == 0) {
		out->parts = calloc(n + 1, sizeof(*out->parts));
		if (!out->parts)
			rc = lm_error_sys(err, "a report");
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		out->parts[out->count].workload = names[i];
		rc = make_part(study, &out->parts[out->count++], err);
	}
	free(names);
	return rc;
}

void lm_report_free(struct lm_report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		for (size_t k = 0; k < LM_REPORT_FIGURES; k++)
			lm_chart_free(&report->parts[i].charts[k]);
		lm_kind_chart_free(&report->parts[i].kinds);
	}
	free(report->parts);
	*report = (struct lm_report){ 0 };
}

/* --- pictures --------------------------------------------------------------------------------- */

void lm_report_script(const struct lm_report *report, FILE *out)
{
	const struct lm_look look = {
		.drawing = LM_DRAW_SVG, .inlaid = true, .x = { NAN, NAN }, .y = { NAN, NAN }
	};

	for (size_t i = 0; i < report->count; i++) {
		const struct lm_report_part *part = &report->parts[i];

		for (size_t k = 0; k < LM_REPORT_FIGURES; k++)
			if (part->charts[k].line_count)
				lm_gnuplot_chart(&part->charts[k], &look, out);
		if (part->kinds.bar_count)
			lm_gnuplot_kinds(&part->kinds, &look, out);
	}
}

static size_t count_pictures(const struct lm_report *report)
{
	size_t n = 0;

	for (size_t i = 0; i < report->count; i++) {
		for (size_t k = 0; k < LM_REPORT_FIGURES; k++)
			n += report->parts[i].charts[k].line_count > 0;
		n += report->parts[i].kinds.bar_count > 0;
	}
	return n;
}

/* In the order of the script. */
static void deal(struct lm_report *report, const struct lm_svg *svg)
{
	for (size_t i = 0; i < report->count; i++) {
		struct lm_report_part *part = &report->parts[i];

		for (size_t k = 0; k < LM_REPORT_FIGURES; k++)
			if (part->charts[k].line_count)
				part->pictures[k] = *svg++;
		if (part->kinds.bar_count)
			part->kinds_picture = *svg++;
	}
}

int lm_report_take(struct lm_report *report, const char *text, size_t size, struct lm_error *err)
{
	size_t want = count_pictures(report);
	struct lm_svg *svg = calloc(want + 1, sizeof(*svg));
	int n;

	if (!svg)
		return lm_error_sys(err, "pictures");
	n = lm_svg_split(text, size, svg, want + 1);
	if (n >= 0 && (size_t)n == want)
		deal(report, svg);
	free(svg);
	if (n >= 0 && (size_t)n == want)
		return 0;
	return lm_error_set(err, LM_ERR_SYSTEM,
			    "gnuplot made other pictures than the %zu it was asked for; version "
			    "5.0 or later is needed",
			    want);
}

/* --- PostScript ------------------------------------------------------------------------------- */

/* Charts of a part that have lines; returns how many. */
static size_t drawn(const struct lm_report_part *part, struct lm_chart *out)
{
	size_t n = 0;

	for (size_t i = 0; i < LM_REPORT_FIGURES; i++)
		if (part->charts[i].line_count)
			out[n++] = part->charts[i];
	return n;
}

void lm_report_postscript(const struct lm_report *report, FILE *out)
{
	struct lm_gnuplot_page *pages = calloc(report->count + 1, sizeof(*pages));
	struct lm_chart(*charts)[LM_REPORT_FIGURES] = calloc(report->count + 1, sizeof(*charts));
	size_t n = 0;

	for (size_t i = 0; pages && charts && i < report->count; i++) {
		pages[n] = (struct lm_gnuplot_page){ .title = report->parts[i].workload,
						     .charts = charts[n],
						     .count = drawn(&report->parts[i], charts[n]) };
		n += pages[n].count > 0;
	}
	lm_gnuplot_pages(pages, n, out);
	free(pages);
	free(charts);
}
