/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of result formats. */
#ifndef LM_FORMATS_H
#define LM_FORMATS_H

#include <loadmix/sink.h>

#include <stdio.h>

extern const struct lm_format lm_format_null;
extern const struct lm_format lm_format_journal;
extern const struct lm_format lm_format_table;
extern const struct lm_format lm_format_progress;
extern const struct lm_format lm_format_plain;
extern const struct lm_format lm_format_single;
extern const struct lm_format lm_format_multitask;
extern const struct lm_format lm_format_suite7;
extern const struct lm_format lm_format_suite7_log;
extern const struct lm_format lm_format_reaim;
extern const struct lm_format lm_format_reaim_csv;
extern const struct lm_format lm_format_reaim_log;
extern const struct lm_format lm_format_reaim_ss;
extern const struct lm_format lm_format_reaim_mdata;
extern const struct lm_format lm_format_reaim_html;
extern const struct lm_format lm_format_reaim_max;
extern const struct lm_format lm_format_reaim_single;

extern const struct lm_format *const lm_formats[]; /* ended by NULL */

/* A line above a table that could be taken for AIM7's; readers know it. */
#define LM_NO_DELAY_MARK "# loadmix " LM_VERSION ": times are without AIM7's start delay\n"

/* Print the command that repeats a run as a comment line; NULL prints nothing. */
void lm_print_again(const char *const *again, FILE *out);
/* Whether standard error is a terminal on which lm_format_progress can draw its line. */
bool lm_progress_can_draw(void);

/* Check every descriptor: name, summary and open set, names unique. 0, or -1 with err. */
int lm_formats_check(struct lm_error *err);

#endif
