/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing HTML. Pure. */
#ifndef LM_FORMATS_HTML_H
#define LM_FORMATS_HTML_H

#include <stdio.h>

/* A text as it may stand anywhere in HTML, also in attributes in double quotes: markup is escaped,
 * control characters and what is no UTF-8 become \xNN. Nothing is cut off. */
void lm_html_text(FILE *out, const char *text);

/* printf for markup, in which %s is text of ours: no markup in it is escaped. */
/* A cell of a table with a number in it; a dash when it is none. */
void lm_html_number(FILE *out, const char *format, double value);

#endif
