/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for the function-call kinds to call. They are a file of their own, so that a caller's
 * compiler does not know them. */
#ifndef LM_CALLEES_H
#define LM_CALLEES_H

#define PARAMETERS_15                                                                              \
	int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, \
		int n, int o

/* The callees add to *sum; the one without an argument adds step. */
void lm_callees_use(long *sum, long step);

void lm_callee_0(void);
void lm_callee_1(int a);
void lm_callee_2(int a, int b);
void lm_callee_15(PARAMETERS_15); /* adds the 8th and the 15th */

/* These look like the others but spoil the sum: a caller must have a choice, and never take it. */
void lm_never_0(void);
void lm_never_1(int a);
void lm_never_2(int a, int b);
void lm_never_15(PARAMETERS_15);

#endif
