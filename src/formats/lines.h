/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of text that people sent around, and the cells of a line. */
#ifndef LM_FORMATS_LINES_H
#define LM_FORMATS_LINES_H

#include "formats/input.h"

#include <stdbool.h>
#include <stddef.h>

#define LM_LINE_MAX  4096 /* bytes of a line that are kept */
#define LM_CELLS_MAX 64

/* Zero-initialise, set get, state and source, and ahead to -1. */
struct lm_lines {
	lm_getbyte get;
	void *state;
	const char *source;
	int ahead; /* a byte that was read too far, -1: none */
	long line; /* number of the line in text, from 1 */
	bool cut;  /* it is longer than text */
	char text[LM_LINE_MAX + 1];
};

/*
 * Read the next line: LF, CR LF or a lone CR ends it. Marks of quoting ("> ", "| ", "AM> "), blanks
 * around it and a byte order mark are taken off, blanks of any kind become ' ' or '\t', a NUL
 * becomes a byte that is in no number. 1; 0 at the end of the file; -1 with err.
 */
int lm_lines_next(struct lm_lines *lines, struct lm_error *err);

/* The cells of a line. */
struct lm_cells {
	size_t count;                /* at most LM_CELLS_MAX */
	char *at[LM_CELLS_MAX];      /* into text */
	size_t offset[LM_CELLS_MAX]; /* where the cell begins in the line */
	char text[LM_LINE_MAX + 1];
};

/* What parts the cells of a line: ' ' any number of blanks; ',' a comma, cells may stand in double
 * quotes; '|' as in a table of Markdown. */
char lm_cells_separator(const char *line);

void lm_cells_split(const char *line, char separator, struct lm_cells *cells);

#endif
