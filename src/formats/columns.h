/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines above the rows of a table: which figure stands in which column. Pure. */
#ifndef LM_FORMATS_COLUMNS_H
#define LM_FORMATS_COLUMNS_H

#include <loadmix/result.h>

#include "formats/lines.h"

#define LM_COLUMNS_MAX 32
#define LM_SIDES_MAX   8

enum lm_column_type {
	LM_COLUMN_TASKS,
	LM_COLUMN_FIGURE,
	LM_COLUMN_LABEL,      /* the kernel of a posted table */
	LM_COLUMN_LABEL_MORE, /* tells rows of one kernel apart: it is part of the label */
	LM_COLUMN_WORKLOAD,
	LM_COLUMN_DATE, /* when the step ended */
	LM_COLUMN_VALID,
	LM_COLUMN_ITERATION,
	LM_COLUMN_RUN,     /* tells runs of one label apart */
	LM_COLUMN_STARTED, /* when the run began */
	LM_COLUMN_STEP,
	LM_COLUMN_JOBS, /* per task */
	LM_COLUMN_FACT, /* anything else: it is kept under a name */
};

struct lm_column {
	enum lm_column_type type;
	enum lm_figure figure;
	unsigned nth;  /* so many are of that name up to this one */
	unsigned side; /* of which it is, from 1; 0: of all */
	size_t twin;   /* the first of that name */
	char name[40]; /* as people know it; of a fact the key */
};

struct lm_table {
	char separator; /* of its cells, see lm_cells_separator() */
	const char *format;
	bool named;     /* there is a column for the label */
	unsigned sides; /* a row is of so many runs; 0, 1: of one */
	size_t doubled; /* a column that is there twice and cannot be used; 0: none */
	size_t count;
	struct lm_column columns[LM_COLUMNS_MAX];
};

/* The lines of a head that were seen so far. Zero-initialise. */
struct lm_head {
	size_t upper_count, lower_count;
	const char *upper[LM_COLUMNS_MAX], *lower[LM_COLUMNS_MAX];
};

enum lm_head_state {
	LM_HEAD_NONE,   /* the line is of no head */
	LM_HEAD_PART,   /* a head began with it, or goes on */
	LM_HEAD_DONE,   /* the table is set */
	LM_HEAD_BROKEN, /* a head began and did not go on; the line is of no head */
};

/* Look at a line that is not blank. */
enum lm_head_state lm_head_line(struct lm_head *head, const char *line, struct lm_table *table);

/* A head that was wrapped: add the columns of a line that names known columns and nothing else.
 * false when it is no such line. */
bool lm_table_extend(struct lm_table *table, const char *line);

#endif
