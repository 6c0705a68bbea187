/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix list: what can be run. */
#include <errno.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/workload.h"
#include "model/kinds.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->input;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is not expected: list takes no arguments", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &lm_standard_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
	.parser = parse,
	.doc = "List the job kinds, with their class, the operations that one job is credited with "
	       "and "
	       "what these are, and the bundled workloads.",
	.children = children,
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
	struct lm_standard_options o = { 0 };
	int rc = lm_standard_parse(&argp, argc, argv, &o, &o);

	if (rc)
		return rc > 0 ? LM_EXIT_OK : LM_EXIT_USAGE;
	list_kinds(kinds);
	printf("\n%-20s %s\n", "Workload", "Workfile");
	lm_workload_list(stdout);
	return LM_EXIT_OK;
}
