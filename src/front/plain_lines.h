/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines as people and scripts write them for us: answers, and names of directories. They are taken
 * as they are, since a name may begin with '>'; formats/lines.h is for text that went through
 * mails, and takes marks of quoting off.
 */
#ifndef LM_FRONT_PLAIN_LINES_H
#define LM_FRONT_PLAIN_LINES_H

#include <stdio.h>

#define LM_PLAIN_LINE_SIZE 4200 /* room for a path */

struct lm_plain_line {
	char text[LM_PLAIN_LINE_SIZE]; /* without its end, and without blanks around it */
	long number;                   /* from 1 */
	const char *fault; /* why text is not to be used, half a sentence; NULL: it is good */
};

/* Read the next line, which ends in LF, CR LF or the end of the file; zero-initialise *line before
 * the first. 1; 0 at the end of the file; -1 with errno. */
int lm_plain_line_read(FILE *in, struct lm_plain_line *line);

#endif
