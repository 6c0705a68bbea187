/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/workload.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/data.h"
#include "formats/workfile.h"
#include "jobs/jobs.h"
#include "model/mix.h"
#include "model/order.h"

#define PREFIX "workfile."

static int is_workfile(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return !strncmp(entry->d_name, PREFIX, strlen(PREFIX)) && entry->d_name[n - 1] != '~';
}

/* The names of all bundled workloads, separated by what is given. */
static void list_names(FILE *out, const char *between, bool with_path)
{
	struct dirent **entries;
	char dir[PATH_MAX];
	int n = lm_data_find("workloads", dir, sizeof(dir))
			? scandir(dir, &entries, is_workfile, alphasort)
			: 0;

	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name + strlen(PREFIX);

		if (with_path)
			fprintf(out, "%-20s %s/%s%s", name, dir, entries[i]->d_name, between);
		else
			fprintf(out, "%s%s", i ? between : "", name);
		free(entries[i]);
	}
	if (n > 0)
		free(entries);
}

void lm_workload_list(FILE *out)
{
	list_names(out, "\n", true);
}

/* --- loading ------------------------------------------------------------------------------- */

static int unknown_workload(const char *name, struct lm_error *err)
{
	char *names = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&names, &size);

	if (f) {
		list_names(f, ", ", false);
		fclose(f);
	}
	lm_error_set(
		err, LM_ERR_INPUT,
		"there is no workload '%.200s': give a path to a workfile or one of the bundled "
		"names: %s",
		name, names && *names ? names : "(none found)");
	free(names);
	return -1;
}

/* A name without a slash is a bundled workload's, or else a file's in the current directory. */
static int find(const char *name, char *path, size_t size, struct lm_error *err)
{
	char bundled[256];

	if (strlen(name) >= size)
		return lm_error_set(err, LM_ERR_INPUT, "the workload's path is too long");
	if (!strchr(name, '/') && strlen(name) < 200) {
		snprintf(bundled, sizeof(bundled), "workloads/" PREFIX "%s", name);
		if (lm_data_find(bundled, path, size))
			return 0;
	}
	snprintf(path, size, "%s", name);
	if (strchr(name, '/') || access(path, F_OK) == 0)
		return 0;
	return unknown_workload(name, err);
}

static int apply_size(const char *option, const char *text, uint64_t *kib, struct lm_error *err)
{
	enum lm_size_fault fault;

	if (!text)
		return 0;
	fault = lm_parse_size_kib(text, LM_MAX_SIZE_KIB, kib);
	if (fault == LM_SIZE_OK)
		return 0;
	return lm_error_at(err, option, 0, 0, "'%.100s' %s", text, lm_size_fault_text(fault));
}

int lm_workload_load(const struct lm_workload_options *options, lm_job_list kinds,
		     struct lm_mix *mix, struct lm_error *err)
{
	const struct lm_workfile_kinds known = { kinds, lm_command_job };
	char path[PATH_MAX];

	*mix = (struct lm_mix){ 0 };
	if (find(options->workload, path, sizeof(path), err) < 0 ||
	    lm_workfile_load(path, &known, mix, err) < 0)
		return -1;
	if (!mix->filesize_kib)
		mix->filesize_kib = options->usual_filesize_kib;
	if (!mix->poolsize_kib)
		mix->poolsize_kib = options->usual_poolsize_kib;
	if (apply_size("--filesize", options->filesize, &mix->filesize_kib, err) < 0 ||
	    apply_size("--poolsize", options->poolsize, &mix->poolsize_kib, err) < 0)
		return -1;
	lm_mix_count_jobs(mix, (unsigned)options->jobs);
	return 0;
}

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_FILESIZE = 0x100, KEY_POOLSIZE, KEY_ORDER };

static const struct argp_option options_table[] = {
	{ "jobs", 'j', "N", 0, "Jobs per task, before rounding to the weights (default 100)", 0 },
	{ "filesize", KEY_FILESIZE, "SIZE", 0,
	  "File size, in place of the workfile's (10M, 512K, 1G)", 0 },
	{ "poolsize", KEY_POOLSIZE, "SIZE", 0,
	  "Pool that the tasks' files share, in place of the workfile's", 0 },
	{ "seed", 's', "N", 0, "Seed of the order of jobs (default 0)", 0 },
	{ "order", KEY_ORDER, "ORDER", 0, "Order of jobs in a task: aim7 (default), shuffle", 0 },
	{ 0 },
};

static error_t take_workload(struct lm_workload_options *o, const char *arg)
{
	if (!o->workload) {
		o->workload = arg;
		return 0;
	}
	lm_error_set(&o->err, LM_ERR_INPUT,
		     "'%.100s' is one argument too many: the workload is '%.100s'", arg,
		     o->workload);
	return EINVAL;
}

/* Options whose values are more than text. */
static error_t parse_value(int key, const char *arg, struct lm_workload_options *o)
{
	switch (key) {
	case 'j':
		if (lm_parse_uint(arg, 1, LM_MAX_JOBS, &o->jobs))
			return 0;
		return lm_bad_value(&o->err, "--jobs", arg, "number from 1 to 100000");
	case 's':
		if (lm_parse_uint(arg, 0, INT64_MAX, &o->seed))
			return 0;
		return lm_bad_value(&o->err, "--seed", arg, "number from 0 to 9223372036854775807");
	case KEY_ORDER:
		if (lm_order_parse(arg, &o->order))
			return 0;
		return lm_bad_value(&o->err, "--order", arg, "order: give aim7 or shuffle");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_workload_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->standard;
		o->jobs = 100;
		return 0;
	case KEY_FILESIZE:
		o->filesize = arg;
		return 0;
	case KEY_POOLSIZE:
		o->poolsize = arg;
		return 0;
	case ARGP_KEY_ARG:
		return take_workload(o, arg);
	default:
		return parse_value(key, arg, o);
	}
}

static const struct argp_child children[] = { { &lm_standard_argp, 0, NULL, 0 }, { 0 } };

const struct argp lm_workload_argp = { .options = options_table,
				       .parser = parse,
				       .children = children };

int lm_workload_parse(const struct argp *argp, int argc, char **argv, void *input,
		      struct lm_workload_options *options)
{
	int status = lm_command_parse(argp, argc, argv, input, &options->standard, &options->err);

	if (status >= 0 || options->workload || options->optional)
		return status;
	lm_error_set(&options->err, LM_ERR_INPUT,
		     "give a WORKLOAD: a path to a workfile, or a name that 'loadmix list' shows");
	return lm_cmd_fail(&options->err);
}
