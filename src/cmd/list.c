/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix list: what can be run. */
#include <errno.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/workload.h"
#include "model/kinds.h"

struct list_options {
	bool done;
};

static const struct argp_option options_table[] = {
	{ "help", 'h', NULL, 0, "Give this help list", -1 },
	{ "version", 'V', NULL, 0, "Print the program's version", -1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct list_options *o = state->input;

	switch (key) {
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		o->done = true;
		return ECANCELED;
	case 'V':
		printf("loadmix %s\n", LM_VERSION);
		o->done = true;
		return ECANCELED;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is not expected: list takes no arguments", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.doc = "List the job kinds, with their class, the operations that one job is credited with "
	       "and "
	       "what these are, and the bundled workloads.",
};

/* What one job is credited with: a number, or a share of the step's file size in KiB. */
static const char *operations(const struct lm_job *job, char *buf, size_t size)
{
	switch (job->ops_per) {
	case LM_OPS_PER_BLOCK:
		return "size";
	case LM_OPS_PER_HALF_BLOCK:
		return "size/2";
	default:
		snprintf(buf, size, "%u", job->factor);
		return buf;
	}
}

static void list_kinds(lm_job_list kinds)
{
	const struct lm_job *job;
	char buf[16];

	printf("%-16s %-10s %10s  %s\n", "Job kind", "Class", "Operations", "Unit");
	for (size_t i = 0; (job = lm_kind_at(kinds, i)); i++)
		printf("%-16s %-10s %10s  %s\n", job->name, lm_class_name(job->class),
		       operations(job, buf, sizeof(buf)), job->unit);
}

int lm_cmd_list(int argc, char **argv, lm_job_list kinds)
{
	struct list_options o = { 0 };
	error_t rc = argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &o);

	if (rc)
		return o.done ? LM_EXIT_OK : LM_EXIT_USAGE;
	list_kinds(kinds);
	printf("\n%-20s %s\n", "Workload", "Workfile");
	lm_workload_list(stdout);
	return LM_EXIT_OK;
}
