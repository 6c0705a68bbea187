/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix list: what can be run. */
#include <errno.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/workload.h"
#include "model/kinds.h"

struct list_options {
	struct lm_standard_options standard;
	bool verbose, markdown;
};

enum { KEY_MARKDOWN = 0x200 };

static const struct argp_option options_table[] = {
	{ "verbose", 'v', NULL, 0, "Also list the parameters of every kind", 0 },
	{ "markdown", KEY_MARKDOWN, NULL, 0, "Print the table of docs/jobs.md and nothing else",
	  0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct list_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->standard;
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	case KEY_MARKDOWN:
		o->markdown = true;
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
	.options = options_table,
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

/* "size=8191"; a kind that chooses a value by itself has none that could be given here. */
static const char *usual_param(const struct lm_job_param *p, char *buf, size_t size)
{
	char value[32];

	if (p->fallback < p->min)
		snprintf(buf, size, "%s=", p->name);
	else
		snprintf(buf, size, "%s=%s", p->name,
			 lm_format_param(p, p->fallback, value, sizeof(value)));
	return buf;
}

static void list_params(const struct lm_job *job)
{
	const struct lm_job_param *p = job->params;
	char usual[48], min[32], max[32];

	for (; p && p->name; p++)
		printf("    %s  %s, %s to %s\n", usual_param(p, usual, sizeof(usual)), p->help,
		       lm_format_param(p, p->min, min, sizeof(min)),
		       lm_format_param(p, p->max, max, sizeof(max)));
}

static void list_kinds(lm_job_list kinds, bool verbose)
{
	const struct lm_job *job;
	char buf[16];

	printf("%-16s %-10s %10s  %s\n", "Job kind", "Class", "Operations", "Unit");
	for (size_t i = 0; (job = lm_kind_at(kinds, i)); i++) {
		printf("%-16s %-10s %10s  %s\n", job->name, lm_class_name(job->class),
		       operations(job, buf, sizeof(buf)), job->unit);
		if (verbose)
			list_params(job);
	}
}

static void markdown_params(const struct lm_job *job)
{
	const struct lm_job_param *p = job->params;
	char usual[48], min[32], max[32];

	for (; p && p->name; p++)
		printf(" `%s` (%s to %s)", usual_param(p, usual, sizeof(usual)),
		       lm_format_param(p, p->min, min, sizeof(min)),
		       lm_format_param(p, p->max, max, sizeof(max)));
}

static void list_markdown(lm_job_list kinds)
{
	const struct lm_job *job;
	char buf[16];

	printf("| kind | class | operations | unit | directory | parameters |\n"
	       "| --- | --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; (job = lm_kind_at(kinds, i)); i++) {
		printf("| %s | %s | %s | %s | %s |", job->name, lm_class_name(job->class),
		       operations(job, buf, sizeof(buf)), job->unit,
		       job->flags & LM_JOB_DIR ? "yes" : "no");
		markdown_params(job);
		printf(" |\n");
	}
}

static int list_all(void *options, lm_job_list kinds)
{
	const struct list_options *o = options;

	if (o->markdown) {
		list_markdown(kinds);
		return LM_EXIT_OK;
	}
	list_kinds(kinds, o->verbose);
	printf("\n%-20s %s\n", "Workload", "Workfile");
	lm_workload_list(stdout);
	return LM_EXIT_OK;
}

int lm_cmd_list(int argc, char **argv, lm_job_list kinds)
{
	struct list_options o = { 0 };
	int rc = lm_standard_parse(&argp, argc, argv, &o, &o.standard);

	if (rc)
		return rc > 0 ? LM_EXIT_OK : LM_EXIT_USAGE;
	return lm_with_plugins(&o.standard, kinds, list_all, &o);
}
