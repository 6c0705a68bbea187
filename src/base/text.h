/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text helpers. Pure. */
#ifndef LM_BASE_TEXT_H
#define LM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Compare names with '-' and '_' interchangeable. */
bool lm_name_equal(const char *a, const char *b);

/* Edits (insert, delete, replace, swap of neighbours) that make b of a, '-' and '_' being the same
 * letter and case being ignored. Names over 63 characters count as infinitely far (UINT_MAX). */
unsigned lm_name_distance(const char *a, const char *b);

/* Copy text for an error message into buf: at most max bytes of it, then "..."; bytes that are not
 * printable ASCII or well-formed UTF-8 become \xNN. Returns buf. */
const char *lm_text_quote(const char *text, size_t length, size_t max, char *buf, size_t size);

/* Characters of a well-formed UTF-8 text; most are as wide as a letter. */
size_t lm_text_width(const char *text);

/* Blanks that fill a column of that width behind a text; 0 when it is wider. */
int lm_text_fill(const char *text, int width);

/* The words of a command as a shell would read them, parted by blanks; quoted where they need to
 * be, as bash's $'...' when something cannot be shown. argv is ended by NULL. The caller frees it;
 * NULL when memory ran out. */
char *lm_text_shell(const char *const *argv);

#endif
