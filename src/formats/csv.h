/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comma separated values as RFC 4180 has them, lines ended by \n. */
#ifndef LM_FORMATS_CSV_H
#define LM_FORMATS_CSV_H

#include <stdio.h>

/* A text, quoted when it needs to be; a line feed in it becomes a blank. */
void lm_csv_text(FILE *out, const char *text);

/* Nothing when it is no finite number. */
void lm_csv_number(FILE *out, double value);

#endif
