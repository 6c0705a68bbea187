/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Posted results while they are read: what the lines so far have told, and the runs made of it. */
#ifndef LM_FORMATS_POSTED_RUNS_H
#define LM_FORMATS_POSTED_RUNS_H

#include <loadmix/error.h>
#include <loadmix/probe.h>

#include <stdbool.h>
#include <stddef.h>

#include "formats/lines.h"
#include "formats/prose.h"
#include "formats/rows.h"
#include "formats/sides.h"
#include "model/runs.h"

#define LM_POSTED_LABELS   1000 /* in one table; above it was not written to be read */
#define LM_POSTED_NAME_MAX 32
/* At runs and steps: a file of any size is read in good time. */
#define LM_POSTED_LOOKS 20000000

#define LM_POSTED_EXPECTED                                                                        \
	"expected a journal, suite7.ss, a table of multitask or reaim, reaim's csv or log, or a " \
	"table with a head such as 'kernel Tasks Jobs/Min Real CPU'"

/* What prose above a table tells; it holds for all tables up to the next such prose. */
struct lm_posted_context {
	bool fresh;
	char caption[LM_PROSE_MAX], workload[LM_PROSE_MAX];
	char before[LM_PROSE_MAX];  /* the caption above that one */
	char heading[LM_PROSE_MAX]; /* the last that ended in a colon */
};

/* What programs print above a table; it holds for that table. */
struct lm_posted_opening {
	struct lm_heading heading;
	char variant[LM_PROSE_MAX];
};

struct lm_posted {
	struct lm_lines lines;
	struct lm_runs *out;
	struct lm_error *err;
	bool blank; /* nothing but blank lines so far */

	struct lm_head head;
	bool in_table;
	struct lm_table table;
	long table_line;
	bool headed;        /* no row of it was read */
	size_t table_rows;  /* lines below the head that are rows, read or not */
	size_t block_first; /* its first run */
	char run_names[LM_POSTED_LABELS]
		      [LM_POSTED_NAME_MAX]; /* of its runs, as a column for them has them */
	bool new_block;                     /* the next row begins a run */

	char own[LM_PROSE_MAX + 8]; /* loadmix's version, when it wrote the tables; "" */
	struct lm_posted_context context, next_context;
	struct lm_posted_opening opening, next_opening;
	bool heading_next; /* the next line has the fields of a heading */
	long cut_line;     /* of a heading without its date: the next line may have it; 0: none */
	char cut[LM_LINE_MAX + 1];
	char cut_date[LM_PROSE_MAX]; /* what stands for the date there; "" */
	size_t group_first;          /* first run of this context */

	bool has_last; /* a row was read, in this run and line: */
	size_t last_run;
	long last_line;
	bool prose_since; /* then came prose */
	unsigned iteration;

	struct lm_table whole; /* while table is that of one of its sides */
	char side_names[LM_SIDES_MAX][LM_PROSE_MAX];
	char head_caption[LM_PROSE_MAX]; /* the line of prose above the head */
	bool refused;                    /* the rows of the table: a note said so */
	char side_row[LM_LINE_MAX + 1];

	long table_part; /* the last line that was a row or of a head, used or not */
	long above_line; /* of prose that may be the first part of a row; 0: none */
	char above[LM_PROSE_MAX];
	struct lm_posted_context above_context; /* what was told before it */

	enum lm_row_shape held_shape; /* LM_ROW_NONE: no row is held */
	long held_line;
	char held[LM_LINE_MAX + 1];

	struct lm_row row; /* as it was last taken apart */
	size_t rows;       /* in all, read or not */
	size_t looks;      /* at steps, for one that comes twice */
	size_t first_note; /* what the runs had before */
};

/* Tell of a line what was not used of it, or how it was read. 0, or -1 with r->err. */
int lm_posted_note(struct lm_posted *r, long line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Add a fact; lm_posted_fact takes text that is a number as one, lm_posted_text_fact leaves out
 * what is empty. 0, or -1 with r->err. */
int lm_posted_fact(struct lm_posted *r, struct lm_facts *facts, const char *key, const char *text);
int lm_posted_text_fact(struct lm_posted *r, struct lm_facts *facts, const char *key,
			const char *text);

/* Put r->row into the run that it is of, which is begun if need be. 0, or -1 with r->err. */
int lm_posted_keep_row(struct lm_posted *r, long line);

/* Name the runs below a caption, now that they are all known. 0, or -1 with r->err. */
int lm_posted_close_group(struct lm_posted *r);

#endif
