/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/data.h"
#include "cmd/origin.h"
#include "engine/limits.h"
#include "engine/support.h"
#include "model/kinds.h"
#include "model/mix.h"
#include "model/next.h"
#include "model/order.h"
#include "model/sweep.h"

/* --- making it ----------------------------------------------------------------------------- */

static int add_dir(struct lm_plan_box *box, const char *dir, const char *named_by,
		   struct lm_error *err)
{
	char *path = realpath(dir, NULL);
	struct stat st;

	if (!path)
		return lm_error_sys(err, "cannot use directory '%s' (%s)", dir, named_by);
	box->dirs[box->plan.dir_count++] = path;
	errno = ENOTDIR;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && access(path, W_OK | X_OK) == 0)
		return 0;
	return lm_error_sys(err, "cannot use directory '%s' (%s)", dir, named_by);
}

static int set_dirs(struct lm_plan_box *box, const struct lm_run_options *o, struct lm_error *err)
{
	const char *named_by = o->words.dirs ? o->words.dirs : "--dir";

	if (o->dir_count == 0 && add_dir(box, ".", named_by, err) < 0)
		return -1;
	for (size_t i = 0; i < o->dir_count; i++)
		if (add_dir(box, o->dirs[i], named_by, err) < 0)
			return -1;
	box->plan.dirs = (const char *const *)box->dirs;
	return 0;
}

static int set_cpus(struct lm_plan_box *box, const char *list, struct lm_error *err)
{
	cpu_set_t allowed;

	if (!list)
		return 0;
	if (lm_cpus_parse(list, "--cpus", CPU_SETSIZE, &box->cpus, &box->plan.cpu_count, err) < 0)
		return -1;
	box->plan.cpus = box->cpus;
	box->plan.cpu_list = list;
	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return 0; /* the engine will see when it pins */
	for (size_t i = 0; i < box->plan.cpu_count; i++)
		if (!CPU_ISSET(box->cpus[i], &allowed))
			return lm_error_at(err, "--cpus", 0, 0,
					   "processor %u does not exist or is not allowed here "
					   "(see 'taskset -cp $$')",
					   box->cpus[i]);
	return 0;
}

/* The largest load of the sweep, or that it may come to; the file is smallest there. */
static unsigned largest_load(const struct lm_plan_box *box)
{
	return lm_sweep_largest(&box->plan.sweep);
}

static int check_sizes(const struct lm_plan_box *box, const struct lm_run_options *o,
		       struct lm_error *err)
{
	const char *given_by =
		o->words.filesize ? o->words.filesize : "FILESIZE in the workfile or --filesize";
	unsigned tasks = largest_load(box);

	for (size_t i = 0; i < box->mix.count; i++) {
		const struct lm_job *job = box->mix.entries[i].job;

		if ((job->ops_per == LM_OPS_PER_RUN && !(job->flags & LM_JOB_COMMON)) ||
		    lm_mix_file_kib(&box->mix, tasks) > 0)
			continue;
		return lm_error_at(err, box->mix.path, box->mix.entries[i].line, 0,
				   "%s needs files, but at %u tasks their size is 0 KiB: set %s",
				   job->name, tasks, given_by);
	}
	return 0;
}

static bool was_told(const struct lm_plan *told, const char *text)
{
	for (size_t i = 0; told && i < told->skipped_count; i++)
		if (strcmp(told->skipped[i], text) == 0)
			return true;
	return false;
}

/* Drop an entry that cannot be run here, and remember what is to be said about it. */
static int skip_entry(struct lm_plan_box *box, const struct lm_plan *told, size_t index,
		      const char *why, struct lm_error *err)
{
	char *text;

	if (asprintf(&text, "%s: %s", box->mix.entries[index].label, why) < 0)
		return lm_error_sys(err, "the mix");
	if (!was_told(told, text))
		lm_cmd_warn("%s is left out of the mix: %s", box->mix.entries[index].label, why);
	if (box->plan.skipped_count == LM_MAX_SKIPPED) {
		free(text);
		return lm_error_set(err, LM_ERR_SYSTEM, "too many kinds are not supported here");
	}
	box->skipped[box->plan.skipped_count++] = text;
	lm_mix_drop(&box->mix, index);
	return 0;
}

static int check_support(struct lm_plan_box *box, const struct lm_run_options *o,
			 struct lm_error *err)
{
	unsigned tasks = largest_load(box);
	char why[PATH_MAX + 300];

	for (size_t i = 0; i < box->mix.count;) {
		if (lm_supported(&box->plan, &box->mix.entries[i], tasks, why, sizeof(why))) {
			i++;
			continue;
		}
		if (!o->skip_unsupported)
			return lm_error_set(err, LM_ERR_SYSTEM,
					    "job kind %s is not supported here (%s); "
					    "--skip-unsupported runs the mix without it",
					    box->mix.entries[i].label, why);
		if (skip_entry(box, o->told, i, why, err) < 0)
			return -1;
	}
	if (box->mix.count == 0)
		return lm_error_set(err, LM_ERR_SYSTEM, "no job kind of the mix is supported here");
	lm_mix_count_jobs(&box->mix, box->plan.jobs);
	return 0;
}

/* Too much for a small stack. */
static int reserve(struct lm_plan_box *box, struct lm_error *err)
{
	box->data_dir = calloc(1, PATH_MAX);
	box->dirs = calloc(LM_MAX_DIRS, sizeof(*box->dirs));
	box->skipped = calloc(LM_MAX_SKIPPED, sizeof(*box->skipped));
	if (!box->data_dir || !box->dirs || !box->skipped)
		return lm_error_sys(err, "a plan");
	return 0;
}

int lm_plan_open(const struct lm_run_options *o, lm_job_list kinds, struct lm_plan_box *box,
		 struct lm_error *err)
{
	*box = (struct lm_plan_box){ .plan = { .jobs = (unsigned)o->workload.jobs,
					       .order = o->workload.order,
					       .seed = o->workload.seed,
					       .semantics = o->output.semantics,
					       .label = o->output.label ? o->output.label : "",
					       .step_timeout_s = o->step_timeout_s,
					       .sync = !o->output.no_sync,
					       .start_delay = o->start_delay,
					       .argv = o->argv,
					       .again = o->again } };
	if (reserve(box, err) < 0)
		return -1;
	box->plan.cwd = box->cwd = getcwd(NULL, 0);
	if (lm_workload_load(&o->workload, kinds, &box->mix, err) < 0)
		return -1;
	box->plan.mix = &box->mix;
	lm_data_place("scripts", box->data_dir, PATH_MAX);
	box->plan.data_dir = box->data_dir;
	box->plan.skipped = (const char *const *)box->skipped;
	if (set_cpus(box, o->cpus, err) < 0 ||
	    lm_sweep_choose(&o->sweep, &box->plan, &box->policy, err) < 0 ||
	    check_sizes(box, o, err) < 0 || set_dirs(box, o, err) < 0)
		return -1;
	if (check_support(box, o, err) < 0 || lm_origins_note(&box->mix, err) < 0)
		return -1;
	/* what the largest step cannot have is better told before the first */
	return lm_limits_check(&box->plan, largest_load(box), err);
}

void lm_plan_close(struct lm_plan_box *box)
{
	for (size_t i = 0; i < box->plan.dir_count; i++)
		free(box->dirs[i]);
	for (size_t i = 0; i < box->plan.skipped_count; i++)
		free(box->skipped[i]);
	free(box->dirs);
	free(box->skipped);
	free(box->data_dir);
	free(box->cwd);
	lm_doubts_free(&box->doubts);
	free(box->cpus);
	lm_sweep_free(&box->plan.sweep);
	lm_mix_free(&box->mix);
}

/* --- showing it ---------------------------------------------------------------------------- */

static void print_head(const struct lm_plan_box *box, FILE *out)
{
	const struct lm_plan *p = &box->plan;

	fprintf(out, "workload   %s (%s): %zu entries, %u jobs per task\n", box->mix.name,
		box->mix.path, box->mix.count, box->mix.jobs_per_task);
	for (size_t i = 0; i < p->skipped_count; i++)
		fprintf(out, "left out   %s\n", p->skipped[i]);
	fprintf(out, "order      %s, seed %" PRIu64 "\n", lm_order_name(p->order), p->seed);
	fprintf(out, "semantics  %s\n", lm_semantics_name(p->semantics));
	for (size_t i = 0; i < p->dir_count; i++) {
		uint64_t have = lm_limits_free_kib(p->dirs[i]);
		char text[32];

		fprintf(out, "directory  %s (%s free)\n", p->dirs[i],
			have == UINT64_MAX ? "unknown" : lm_format_about(have, text, sizeof(text)));
	}
	fprintf(out, "processors %s\n", p->cpu_list ? p->cpu_list : "all");
	fprintf(out, "sync       %s\n", p->sync ? "before every step" : "no");
	if (p->start_delay)
		fprintf(out, "delay      10 s inside the measured time of every step\n");
}

static void print_step(const struct lm_plan_box *box, const char *step, unsigned tasks, FILE *out)
{
	char file[32], disk[32];

	fprintf(out, "%5s %7u %10" PRIu64 " %15s %18s %10u %10g s\n", step, tasks,
		(uint64_t)tasks * box->mix.jobs_per_task,
		lm_format_kib(lm_mix_file_kib(&box->mix, tasks), file, sizeof(file)),
		lm_format_about(lm_mix_disk_kib(&box->mix, tasks), disk, sizeof(disk)),
		tasks + LM_OWN_PROCESSES, lm_step_timeout_s(&box->plan, tasks));
}

static void print_steps(const struct lm_plan_box *box, FILE *out)
{
	const struct lm_sweep *sweep = &box->plan.sweep;
	struct lm_reason why;
	unsigned tasks;
	char step[24];

	for (size_t n = 0; lm_sweep_next(box->policy, sweep, NULL, n, &tasks, &why); n++) {
		snprintf(step, sizeof(step), "%zu", n + 1);
		print_step(box, step, tasks, out);
	}
}

void lm_plan_print(const struct lm_plan_box *box, FILE *out)
{
	const struct lm_sweep *sweep = &box->plan.sweep;
	bool foreseeable = lm_sweep_foreseeable(box->policy, sweep);

	print_head(box, out);
	if (sweep->iterations > 1)
		fprintf(out, "iterations %u\n", sweep->iterations);
	if (!foreseeable)
		lm_sweep_print(sweep, out);
	fprintf(out, "%5s %7s %10s %15s %18s %10s %12s\n", "Step", "Tasks", "Jobs", "File size",
		"Disk per directory", "Processes", "Deadline");
	if (foreseeable) {
		print_steps(box, out);
		return;
	}
	print_step(box, "1", sweep->ranges[0].start, out);
	print_step(box, "max", largest_load(box), out);
	fprintf(out, "Which steps follow the first depends on what is measured; none has more "
		     "tasks than the line 'max'.\n");
}
