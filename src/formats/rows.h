/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a table whose columns are known. Pure. */
#ifndef LM_FORMATS_ROWS_H
#define LM_FORMATS_ROWS_H

#include <loadmix/result.h>

#include "formats/columns.h"
#include "formats/dates.h"

/* A row that was taken apart. Texts point into cells. */
struct lm_row {
	struct lm_cells cells;
	size_t start[LM_COLUMNS_MAX + 1]; /* of each column the first cell, then of what follows */
	struct lm_record figures;         /* tasks, figures, unknown, iteration, ended */
	const char *label, *workload;     /* "" when there is no such column */
	const char *run;                  /* the same */
	char started[LM_DATE_SIZE];       /* "": not told */
	bool invalid;                     /* it says so */
	bool jti_below;                   /* JTI stood there as a number below 0 */
	char name[LM_LINE_MAX + 1];       /* the label, when it is of several columns */
	char rest[LM_LINE_MAX + 1]; /* after the last column, what is no date and no INVALID */
	char reason[200];           /* why it is invalid, in the file's words; "" */
	char fault[200];            /* why it cannot be read, as a sentence; "" */
};

enum lm_row_shape {
	LM_ROW_NONE,  /* no row */
	LM_ROW_WHOLE, /* a cell for each column, and nothing or a date after them */
	LM_ROW_SHORT, /* cells are missing: they may be in the next line */
	LM_ROW_LONG,  /* something else comes after them: the next line may complete it */
};

/* What a line is that stands below the head of a table. */
enum lm_row_shape lm_row_shape(const struct lm_table *table, const char *line);

/* Could the second line be the end of the first, a row of that shape? */
bool lm_row_goes_on(const struct lm_table *table, const char *first, enum lm_row_shape shape,
		    const char *second);

/* Does a row begin in a line that is none by itself, and end in the next? */
bool lm_row_begins_above(const struct lm_table *table, const char *above, const char *line);

/* Look in the first row of a table which columns, beside the one that is called so, are part of
 * the label, or the label where none is called so. */
void lm_table_name(struct lm_table *table, const char *line);

/* Does a column that nobody knows count rows or repeats, by its name? */
bool lm_column_counts(const struct lm_column *column);

/* Take a row apart. 0; -1 with row->fault. */
int lm_row_parse(const struct lm_table *table, const char *line, struct lm_row *row);

#endif
