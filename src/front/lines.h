/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that people and scripts have written. */
#ifndef LM_FRONT_LINES_H
#define LM_FRONT_LINES_H

#include <stdio.h>

#define LM_LINE_SIZE 4200 /* room for a path */

struct lm_line {
	char text[LM_LINE_SIZE]; /* without its end, and without blanks around it */
	long number;             /* from 1 */
	const char *fault;       /* why text is not to be used, half a sentence; NULL: it is good */
};

/* Read the next line, which ends in LF, CR LF or the end of the file; zero-initialise *line before
 * the first. 1; 0 at the end of the file; -1 with errno. */
int lm_line_read(FILE *in, struct lm_line *line);

#endif
