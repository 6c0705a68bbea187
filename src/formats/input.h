/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where readers get their bytes from. */
#ifndef LM_FORMATS_INPUT_H
#define LM_FORMATS_INPUT_H

#include <loadmix/error.h>

#include <stdio.h>

/* The next byte (0 to 255), -1 at the end, -2 on a read error with errno set. */
typedef int (*lm_getbyte)(void *state);

/* Open a file that people have written, or a pipe; expected names it in errors: "a workfile".
 * NULL with err. */
FILE *lm_input_open(const char *path, const char *expected, struct lm_error *err);

/* An lm_getbyte whose state is that FILE. */
int lm_input_byte(void *state);

#endif
