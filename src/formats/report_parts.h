/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that the page of a report is put together from. */
#ifndef LM_FORMATS_REPORT_PARTS_H
#define LM_FORMATS_REPORT_PARTS_H

#include "formats/report.h"

extern const char lm_report_style[]; /* the page's style sheet */

/* The title of a workload, escaped. */
void lm_report_workload(FILE *out, const char *workload);

/* Begin and end a table that scrolls by itself when the page is narrow; what it holds is its
 * caption, ours. */
void lm_report_open_table(FILE *out, const char *caption);
void lm_report_close_table(FILE *out);

/* A figure element for every chart of a workload; number makes its ids differ from others'. */
void lm_report_charts(const struct lm_report *report, size_t number, FILE *out);
void lm_report_kinds(const struct lm_report *report, size_t number, FILE *out);

/* Comparisons and blame of a workload. */
void lm_report_comparisons(const struct lm_report *report, const char *workload, FILE *out);
/* Those of no workload with charts: of single mode, a kind each. */
void lm_report_singles(const struct lm_report *report, FILE *out);

/* What was read, what differs, what was planned. */
void lm_report_sets(const struct lm_report *report, FILE *out);
void lm_report_differences(const struct lm_report *report, FILE *out);
void lm_report_plans(const struct lm_report *report, FILE *out);

#endif
