/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of a line beside the columns of a table. Pure. */
#ifndef LM_FORMATS_ROW_CELLS_H
#define LM_FORMATS_ROW_CELLS_H

#include "formats/columns.h"

#include <stdbool.h>

#define LM_MARK          "INVALID"
#define LM_MARK_BRACKETS "([{<*!"
#define LM_MARK_BEHIND   ")]}>*!:,;. \t"

/* How people write that there is no figure. */
bool lm_cell_is_missing(const char *cell);

bool lm_cell_is_number(const char *cell);

/* It was meant to be a number, whether it is one or not. */
bool lm_cell_is_numeric(const char *cell);

bool lm_cell_is_tasks(const char *cell);

bool lm_column_is_text(const struct lm_column *column);

/* Its first column is the label, which may be of several words. */
bool lm_has_long_label(const struct lm_table *table);

size_t lm_tasks_column(const struct lm_table *table);

/* Cells that a label of several words takes more than one. Where no number of them makes a good
 * row, the one that comes nearest to it. */
size_t lm_label_extra(const struct lm_table *table, const struct lm_cells *cells);

/* The word that marks a row, in whatever letters; NULL: there is none. */
const char *lm_mark_find(const char *text);

/* The line behind a mark at its beginning: some programs put it there, so that nothing else takes
 * the row for a good one. Where a separator follows the mark, it is a cell and stays. */
const char *lm_mark_after(const struct lm_table *table, const char *line);

/* A row that has nothing but a load and why it has no figures: "2.5.70 8 INVALID". The cell with
 * the reason; 0: it is none. */
size_t lm_failure_at(const struct lm_table *table, const struct lm_cells *cells);

#endif
