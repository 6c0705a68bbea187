/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report of results: a page for a browser, or a page of pictures for a printer. */
#ifndef LM_FORMATS_REPORT_H
#define LM_FORMATS_REPORT_H

#include <loadmix/error.h>

#include <stdio.h>

#include "formats/svg.h"
#include "model/chart.h"

#define LM_REPORT_FIGURES 5 /* jobs/min, JTI, real, cpu, jobs/min/task */

/* A workload. A picture without text was not drawn. */
struct lm_report_part {
	const char *workload;
	struct lm_chart charts[LM_REPORT_FIGURES];
	struct lm_svg pictures[LM_REPORT_FIGURES];
	struct lm_kind_chart kinds; /* no bars: nobody tells them */
	struct lm_svg kinds_picture;
};

struct lm_report {
	const struct lm_study *study;
	struct lm_report_part *parts;
	size_t count;
	const char *unpainted; /* why there are no pictures; NULL: there are */
};

/* Gather what is to be shown of a study. 0, or -1 with err; lm_report_free() in either case. */
int lm_report_make(const struct lm_study *study, struct lm_report *out, struct lm_error *err);
void lm_report_free(struct lm_report *report);

/* The script for gnuplot that draws all pictures of the page. */
void lm_report_script(const struct lm_report *report, FILE *out);

/* Take what gnuplot drew, which must last as long as the report. 0, or -1 with err when it is not
 * the pictures of that script. */
int lm_report_take(struct lm_report *report, const char *text, size_t size, struct lm_error *err);

/* The page: no script, nothing from elsewhere. Errors of the stream are for the caller to see. */
void lm_report_html(const struct lm_report *report, FILE *out);

/* The script for five panels a workload on pages of PostScript. */
void lm_report_postscript(const struct lm_report *report, FILE *out);

#endif
