/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What multitask asks before it runs. */
#ifndef LM_FRONT_ANSWERS_H
#define LM_FRONT_ANSWERS_H

#include <loadmix/error.h>

#include <stdbool.h>
#include <stdio.h>

#include "front/plain_lines.h"

#define LM_MAX_ASKED 10 /* iterations */

/* One iteration. */
struct lm_sweep_answers {
	unsigned start, increment;
	unsigned end; /* 0: up to the crossover */
	char points[LM_PLAIN_LINE_SIZE];
};

struct lm_answers {
	char machine[LM_PLAIN_LINE_SIZE], configuration[LM_PLAIN_LINE_SIZE];
	unsigned iterations;
	struct lm_sweep_answers sweeps[LM_MAX_ASKED];
};

/*
 * Read an answer a line from in; points: a file of task counts is asked for, in place of start, end
 * and increment. With a stream for prompts somebody sits there: every question is shown with what
 * an empty line stands for, and asked again after an answer that will not do. Without one such an
 * answer is an error. So is the end of the input. 0, or -1 with err.
 */
int lm_answers_read(FILE *in, FILE *prompts, bool points, struct lm_answers *out,
		    struct lm_error *err);

#endif
