/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/standard.h"

#include <errno.h>
#include <stdio.h>

enum { KEY_USAGE = 0x300 };

static const struct argp_option options_table[] = {
	{ "help", 'h', NULL, 0, "Give this help list", -1 },
	{ "usage", KEY_USAGE, NULL, 0, "Give a short usage message", -1 },
	{ "version", 'V', NULL, 0, "Print the program's version", -1 },
	{ 0 },
};

/* argp's own handling of these would call exit(). */
static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_standard_options *o = state->input;

	(void)arg;
	switch (key) {
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		break;
	case KEY_USAGE:
		argp_state_help(state, stdout, ARGP_HELP_USAGE);
		break;
	case 'V':
		printf("loadmix %s\n", LM_VERSION);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	o->done = true;
	return ECANCELED;
}

const struct argp lm_standard_argp = { .options = options_table, .parser = parse };

int lm_standard_parse(const struct argp *argp, int argc, char **argv, void *input,
		      const struct lm_standard_options *options)
{
	error_t rc = argp_parse(argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, input);

	if (options->done)
		return 1;
	return rc ? -1 : 0;
}
