/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The printed forms of a comparison. */
#ifndef LM_FORMATS_STUDIES_H
#define LM_FORMATS_STUDIES_H

#include <stdio.h>

#include "model/figures.h"
#include "model/study.h"

/*
 * A form. write prints all of the study; errors of the stream are for the caller to see. Text from
 * files is made harmless for the form. Returns 0, or -1 when memory ran out.
 */
struct lm_study_format {
	const char *name, *summary;
	int (*write)(const struct lm_study *study, FILE *out);
};

extern const struct lm_study_format lm_study_text, lm_study_posted, lm_study_markdown, lm_study_csv,
	lm_study_json, lm_study_robot;
extern const struct lm_study_format *const lm_study_formats[]; /* ended by NULL; text is first */

/* NULL when there is none of that name. */
const struct lm_study_format *lm_study_format_find(const char *name);

/* --- what the forms share ----------------------------------------------------------------------
 */

/* "-" when there is none, else "+53.1 %". Returns buf. */
const char *lm_study_percent(double percent, char *buf, size_t size);

/* "-" when there is none, else "0.0123", or "<0.0001" below that. Returns buf. */
const char *lm_study_p(double p, char *buf, size_t size);

#define LM_STUDY_SENTENCE 2000 /* bytes of a doubt that are printed */

/* Text of a file as it may stand on a terminal: no control characters, at most max bytes. */
const char *lm_study_text_of(const char *text, size_t max, char *buf, size_t size);

/* A form's row of a figure at a load. */
typedef void lm_study_row(FILE *out, unsigned tasks, const struct lm_figure_info *info,
			  const struct lm_change *change);

/* The rows of a load: of each figure of the study that both sides tell. */
void lm_study_changes(FILE *out, const struct lm_study *study, const struct lm_cell *cell,
		      lm_study_row *row);

/* A form's row of one side of it. */
typedef void lm_study_side_row(FILE *out, unsigned tasks, const struct lm_figure_info *info,
			       const char *side, const struct lm_stat *stat);

/* The same, with a row for each side. */
void lm_study_spread(FILE *out, const struct lm_study *study, const struct lm_cell *cell,
		     lm_study_side_row *row);

/* Doubts as lines that begin with "# ". */
void lm_study_remarks(const struct lm_doubts *doubts, FILE *out);

#endif
