/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix show: a workload's mix, and what it needs at a load. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/workload.h"
#include "model/kinds.h"
#include "model/mix.h"
#include "model/order.h"

struct show_options {
	struct lm_workload_options workload;
	uint64_t tasks;
	uint64_t order_of; /* the task whose jobs are to be listed, NO_TASK: none */
};

#define NO_TASK UINT64_MAX

enum { KEY_ORDER_OF = 0x200 };

static const struct argp_option options_table[] = {
	{ "tasks", 't', "N", 0, "Load to tell file size and disk need for (default 1)", 0 },
	{ "order-of", KEY_ORDER_OF, "TASK", 0,
	  "List the jobs of a task, from 0, in the order it runs them, and nothing else", 0 },
	{ 0 },
};

static error_t bad_number(struct show_options *o, const char *option, const char *arg, unsigned min,
			  unsigned max)
{
	lm_error_at(&o->workload.err, option, 0, 0, "'%.100s' is no number from %u to %u", arg, min,
		    max);
	return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct show_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->workload;
		return 0;
	case 't':
		if (lm_parse_uint(arg, 1, LM_MAX_TASKS, &o->tasks))
			return 0;
		return bad_number(o, "--tasks", arg, 1, LM_MAX_TASKS);
	case KEY_ORDER_OF:
		if (lm_parse_uint(arg, 0, LM_MAX_TASKS - 1, &o->order_of))
			return 0;
		return bad_number(o, "--order-of", arg, 0, LM_MAX_TASKS - 1);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &lm_workload_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "WORKLOAD",
	.doc = "Show the mix of a workload: weights, percentages, jobs per task, file size and "
	       "disk need.",
	.children = children,
};

static void show(const struct lm_mix *mix, unsigned tasks)
{
	uint64_t kib = lm_mix_file_kib(mix, tasks);
	char a[32], b[32];

	printf("%-16s %8s %8s %6s  %s\n", "Job kind", "Weight", "Percent", "Jobs", "Class");
	for (size_t i = 0; i < mix->count; i++) {
		const struct lm_mix_entry *e = &mix->entries[i];

		printf("%-16s %8" PRIu64 " %8.3f %6u  %s\n", e->label, e->weight,
		       100.0 * (double)e->weight / (double)mix->total_weight, e->jobs,
		       lm_class_name(e->job->class));
	}
	printf("%-16s %8" PRIu64 " %8.3f %6u  %zu %s\n\n", "total", mix->total_weight, 100.0,
	       mix->jobs_per_task, mix->count, mix->count == 1 ? "entry" : "entries");
	printf("workfile       %s\n", mix->path);
	printf("jobs per task  %u\n", mix->jobs_per_task);
	printf("file size      FILESIZE %s, POOLSIZE %s\n",
	       lm_format_kib(mix->filesize_kib, a, sizeof(a)),
	       lm_format_kib(mix->poolsize_kib, b, sizeof(b)));
	printf("at %u task%s: files of %s, at most %s of disk in each directory\n", tasks,
	       tasks == 1 ? "" : "s", lm_format_kib(kib, a, sizeof(a)),
	       lm_format_about(lm_mix_disk_kib(mix, tasks), b, sizeof(b)));
}

static int show_order(const struct lm_mix *mix, const struct show_options *o, struct lm_error *err)
{
	uint16_t *order = calloc(mix->jobs_per_task, sizeof(*order));

	if (!order || lm_order_fill(mix, o->workload.order, o->workload.seed, (unsigned)o->order_of,
				    order) < 0) {
		free(order);
		return lm_error_sys(err, "the order of %u jobs", mix->jobs_per_task);
	}
	for (unsigned i = 0; i < mix->jobs_per_task; i++)
		printf("%s\n", mix->entries[order[i]].job->name);
	free(order);
	return 0;
}

static int show_workload(void *options, lm_job_list kinds)
{
	const struct show_options *o = options;
	struct lm_error err = { 0 };
	struct lm_mix mix;
	int status = LM_EXIT_OK;

	if (lm_workload_load(&o->workload, kinds, &mix, &err) < 0)
		status = lm_cmd_fail(&err);
	else if (o->order_of != NO_TASK)
		status = show_order(&mix, o, &err) < 0 ? lm_cmd_fail(&err) : LM_EXIT_OK;
	else
		show(&mix, (unsigned)o->tasks);
	lm_mix_free(&mix);
	return status;
}

int lm_cmd_show(int argc, char **argv, lm_job_list kinds)
{
	struct show_options o = { .tasks = 1, .order_of = NO_TASK };
	int status = lm_workload_parse(&argp, argc, argv, &o, &o.workload);

	if (status >= 0)
		return status;
	return lm_with_plugins(&o.workload.standard, kinds, show_workload, &o);
}
