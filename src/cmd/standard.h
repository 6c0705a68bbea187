/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that every command has: --help, --usage and --version; and --plugin, where kinds
 * matter. */
#ifndef LM_CMD_STANDARD_H
#define LM_CMD_STANDARD_H

#include <argp.h>
#include <stdbool.h>

#include "cmd/plugin.h"

struct lm_standard_options {
	bool done; /* --help, --usage or --version has been answered: nothing else is to be done */
	const char *plugins[LM_MAX_PLUGINS];
	size_t plugin_count;
};

/* Child parsers, the first without --plugin; their input is the struct. */
extern const struct argp lm_help_argp;
extern const struct argp lm_standard_argp;

/* Parse a command's options. 0: go on; 1: a standard option has been answered; -1: they are wrong,
 * and argp has told what it found wrong itself. */
int lm_standard_parse(const struct argp *argp, int argc, char **argv, void *input,
		      const struct lm_standard_options *options);

/* The same for a command whose parser leaves what is wrong in err: it is told. Returns -1 to go on,
 * else an exit status. */
int lm_command_parse(const struct argp *argp, int argc, char **argv, void *input,
		     const struct lm_standard_options *options, const struct lm_error *err);

/* An option's value is not what it should be: tell it, and end the parse. */
error_t lm_bad_value(struct lm_error *err, const char *option, const char *arg,
		     const char *expected);

/* Call act() with the program's kinds and those of the plug-ins; returns its exit status, or that
 * of the error that kept a plug-in from being loaded. */
int lm_with_plugins(const struct lm_standard_options *options, lm_job_list own,
		    int (*act)(void *state, lm_job_list kinds), void *state);

#endif
