/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables with the figures of several kernels side by side: a row holds a row of each. Pure. */
#ifndef LM_FORMATS_SIDES_H
#define LM_FORMATS_SIDES_H

#include "formats/columns.h"
#include "formats/prose.h"

/* Each side has a column for its kernel. */
bool lm_sides_are_named(const struct lm_table *table);

/* The names of so many sides in a line next to the head: "2.5.69    2.5.70", "2.5.69 vs 2.5.70".
 * false when it is no such line. */
bool lm_sides_names(const char *line, size_t sides, char names[LM_SIDES_MAX][LM_PROSE_MAX]);

/* The table of one side, from 1: its columns and those that all share. */
void lm_sides_table(const struct lm_table *table, unsigned side, struct lm_table *out);

/* The row of one side, for the table of it. */
void lm_sides_row(const struct lm_table *table, const char *line, unsigned side,
		  char out[LM_LINE_MAX + 1]);

/* Is the row whole, and of different kernels? false with why. */
bool lm_sides_check(const struct lm_table *table, const char *line, char *why, size_t size);

#endif
