/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/standard.h"

#include <errno.h>
#include <stdio.h>

#include "cmd/cmd.h"

enum { KEY_USAGE = 0x300, KEY_PLUGIN };

static const struct argp_option plugin_table[] = {
	{ "plugin", KEY_PLUGIN, "FILE", 0, "Shared object with job kinds of your own", 0 },
	{ 0 },
};

static const struct argp_option help_table[] = {
	{ "help", 'h', NULL, 0, "Give this help list", -1 },
	{ "usage", KEY_USAGE, NULL, 0, "Give a short usage message", -1 },
	{ "version", 'V', NULL, 0, "Print the program's version", -1 },
	{ 0 },
};

error_t lm_bad_value(struct lm_error *err, const char *option, const char *arg,
		     const char *expected)
{
	lm_error_at(err, option, 0, 0, "'%.100s' is no %s", arg, expected);
	return EINVAL;
}

static error_t take_plugin(struct lm_standard_options *o, const char *arg, struct argp_state *state)
{
	if (o->plugin_count == LM_MAX_PLUGINS) {
		argp_error(state, "more than %d plug-ins", LM_MAX_PLUGINS);
		return EINVAL;
	}
	o->plugins[o->plugin_count++] = arg;
	return 0;
}

static error_t parse_plugin(int key, char *arg, struct argp_state *state)
{
	struct lm_standard_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = o;
		return 0;
	case KEY_PLUGIN:
		return take_plugin(o, arg, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* argp's own handling of these would call exit(). */
static error_t parse_help(int key, char *arg, struct argp_state *state)
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

const struct argp lm_help_argp = { .options = help_table, .parser = parse_help };

static const struct argp_child children[] = { { &lm_help_argp, 0, NULL, 0 }, { 0 } };

const struct argp lm_standard_argp = { .options = plugin_table,
				       .parser = parse_plugin,
				       .children = children };

int lm_standard_parse(const struct argp *argp, int argc, char **argv, void *input,
		      const struct lm_standard_options *options)
{
	error_t rc = argp_parse(argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, input);

	if (options->done)
		return 1;
	return rc ? -1 : 0;
}

int lm_command_parse(const struct argp *argp, int argc, char **argv, void *input,
		     const struct lm_standard_options *options, const struct lm_error *err)
{
	int rc = lm_standard_parse(argp, argc, argv, input, options);

	if (rc > 0)
		return LM_EXIT_OK;
	if (err->code)
		return lm_cmd_fail(err);
	return rc < 0 ? LM_EXIT_USAGE : -1;
}

int lm_with_plugins(const struct lm_standard_options *options, lm_job_list own,
		    int (*act)(void *state, lm_job_list kinds), void *state)
{
	struct lm_kind_list list;
	struct lm_error err = { 0 };
	int status;

	if (lm_plugins_open(&list, own, options->plugins, options->plugin_count, &err) < 0)
		status = lm_cmd_fail(&err);
	else
		status = act(state, list.families);
	lm_plugins_close(&list);
	return status;
}
