/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that every command has: --help, --usage and --version. */
#ifndef LM_CMD_STANDARD_H
#define LM_CMD_STANDARD_H

#include <argp.h>
#include <stdbool.h>

/* What such an option has been answered with; the parse ends there. */
struct lm_standard_options {
	bool done;
};

/* A child parser; its input is the struct. */
extern const struct argp lm_standard_argp;

/* Parse a command's options. 0: go on; 1: a standard option has been answered; -1: they are wrong,
 * and argp has told what it found wrong itself. */
int lm_standard_parse(const struct argp *argp, int argc, char **argv, void *input,
		      const struct lm_standard_options *options);

#endif
