/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of commands on results, and how such a command begins. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/results.h"

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_DELAY = 0x500, KEY_LABEL };

static const struct argp_option options_table[] = {
	{ "aim7-delay", KEY_DELAY, NULL, 0,
	  "Take the 10 idle seconds that AIM7 counts out of the times of its results", 0 },
	{ "label", KEY_LABEL, "LABEL", 0,
	  "Only results of that label; may be given more than once, the first is the base", 0 },
	{ 0 },
};

static error_t take(const char **list, size_t *count, const char *arg, struct lm_error *err)
{
	if (*count == LM_MAX_SETS) {
		lm_error_set(err, LM_ERR_INPUT, "more than %d results are named", LM_MAX_SETS);
		return EINVAL;
	}
	list[(*count)++] = arg;
	return 0;
}

bool lm_results_is_bare(const char *arg)
{
	return !strchr(arg, '=') || arg[0] == '=' || access(arg, F_OK) == 0;
}

/* LABEL=FILE,FILE must name files. */
static error_t take_arg(struct lm_results_options *o, const char *arg)
{
	const char *files = lm_results_is_bare(arg) ? arg : strchr(arg, '=') + 1;
	size_t length = strlen(files);

	if (length && files[0] != ',' && files[length - 1] != ',' && !strstr(files, ",,"))
		return take(o->args, &o->arg_count, arg, &o->err);
	if (lm_results_is_bare(arg) && length)
		return take(o->args, &o->arg_count, arg, &o->err);
	lm_error_set(&o->err, LM_ERR_INPUT,
		     "'%.200s' names no file where one is expected: give FILE or LABEL=FILE,FILE",
		     arg);
	return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_results_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->standard;
		return 0;
	case KEY_DELAY:
		o->aim7_delay = true;
		return 0;
	case KEY_LABEL:
		return take(o->labels, &o->label_count, arg, &o->err);
	case ARGP_KEY_ARG:
		return take_arg(o, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child help[] = { { &lm_help_argp, 0, NULL, 0 }, { 0 } };

const struct argp lm_results_argp = { .options = options_table, .parser = parse, .children = help };

const struct argp_child lm_results_children[] = { { &lm_results_argp, 0, NULL, 0 }, { 0 } };

/* --- the command --------------------------------------------------------------------------- */

/* -1 to go on, else an exit status. */
static int parse_all(const struct argp *argp, int argc, char **argv, struct lm_results_options *o)
{
	int status = lm_command_parse(argp, argc, argv, o, &o->standard, &o->err);

	if (status >= 0 || o->arg_count)
		return status;
	lm_error_set(&o->err, LM_ERR_INPUT,
		     "give a FILE with results: a journal, suite7.ss, a table that was posted");
	return lm_cmd_fail(&o->err);
}

int lm_results_command(const struct lm_results_command *command, int argc, char **argv)
{
	void *options = calloc(1, command->size);
	const char **again = lm_copy_argv(command->name, argc, argv);
	struct lm_error err = { 0 };
	int status;

	if (!options || !again) {
		lm_error_sys(&err, "options");
		status = lm_cmd_fail(&err);
	} else {
		if (command->set)
			command->set(options);
		status = parse_all(command->argp, argc, argv, options);
		if (status < 0)
			status = command->act(options, again);
	}
	free(again);
	free(options);
	return status;
}
