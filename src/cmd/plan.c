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
#include "engine/limits.h"
#include "engine/support.h"
#include "model/mix.h"
#include "model/order.h"
#include "model/sweep.h"
#include "policies/policies.h"

/* --- making it ----------------------------------------------------------------------------- */

/* 1, 2, 4, ... until the processors are more than busy. */
static void default_tasks(char *buf, size_t size)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t used = 0;

	for (long n = 1; used < size; n *= 2) {
		used += (size_t)snprintf(buf + used, size - used, "%s%ld", n > 1 ? "," : "", n);
		if (n >= 2 * cpus)
			return;
	}
}

static int set_sweep(struct lm_plan_box *box, const char *tasks, struct lm_error *err)
{
	char usual[256];

	default_tasks(usual, sizeof(usual));
	if (lm_sweep_parse(tasks ? tasks : usual, "--tasks", &box->plan.sweep, err) < 0)
		return -1;
	box->policy = box->plan.sweep.count == 1 ? &lm_policy_fixed : &lm_policy_points;
	return 0;
}

static int add_dir(struct lm_plan_box *box, const char *dir, struct lm_error *err)
{
	char *path = realpath(dir, NULL);
	struct stat st;

	if (!path)
		return lm_error_sys(err, "cannot use directory '%s' (--dir)", dir);
	box->dirs[box->plan.dir_count++] = path;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return 0;
	errno = ENOTDIR;
	return lm_error_sys(err, "cannot use directory '%s' (--dir)", dir);
}

static int set_dirs(struct lm_plan_box *box, const struct lm_run_options *o, struct lm_error *err)
{
	if (o->dir_count == 0 && add_dir(box, ".", err) < 0)
		return -1;
	for (size_t i = 0; i < o->dir_count; i++)
		if (add_dir(box, o->dirs[i], err) < 0)
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
					   "(see 'taskset -p $$')",
					   box->cpus[i]);
	return 0;
}

/* The largest load of the sweep; the file is smallest there. */
static unsigned largest_load(const struct lm_plan_box *box)
{
	unsigned tasks, most = 1;

	for (size_t n = 0; box->policy->next(&box->plan.sweep, NULL, n, &tasks); n++)
		most = tasks > most ? tasks : most;
	return most;
}

static int check_sizes(const struct lm_plan_box *box, struct lm_error *err)
{
	unsigned tasks = largest_load(box);

	for (size_t i = 0; i < box->mix.count; i++) {
		const struct lm_job *job = box->mix.entries[i].job;

		if (job->class != LM_CLASS_DISK || lm_mix_file_kib(&box->mix, tasks) > 0)
			continue;
		return lm_error_at(err, box->mix.path, box->mix.entries[i].line, 0,
				   "%s needs files, but at %u tasks their size is 0 KiB: set "
				   "FILESIZE in the workfile or --filesize",
				   job->name, tasks);
	}
	return 0;
}

static int check_support(struct lm_plan_box *box, struct lm_error *err)
{
	unsigned tasks = largest_load(box);
	char why[PATH_MAX + 300];

	for (size_t i = 0; i < box->mix.count; i++) {
		const struct lm_mix_entry *entry = &box->mix.entries[i];

		if (!lm_supported(&box->plan, entry, tasks, why, sizeof(why)))
			return lm_error_set(err, LM_ERR_SYSTEM,
					    "job kind %s is not supported here: %s", entry->label,
					    why);
	}
	return 0;
}

int lm_plan_open(const struct lm_run_options *o, lm_job_list kinds, struct lm_plan_box *box,
		 struct lm_error *err)
{
	*box = (struct lm_plan_box){ .plan = { .jobs = (unsigned)o->workload.jobs,
					       .order = o->workload.order,
					       .seed = o->workload.seed,
					       .semantics = o->semantics,
					       .data_dir = "",
					       .label = o->label ? o->label : "",
					       .step_timeout_s = o->step_timeout_s,
					       .sync = !o->no_sync,
					       .start_delay = o->start_delay,
					       .argv = o->argv } };
	if (lm_workload_load(&o->workload, kinds, &box->mix, err) < 0)
		return -1;
	box->plan.mix = &box->mix;
	if (set_sweep(box, o->tasks, err) < 0 || set_cpus(box, o->cpus, err) < 0 ||
	    check_sizes(box, err) < 0 || set_dirs(box, o, err) < 0)
		return -1;
	if (check_support(box, err) < 0)
		return -1;
	/* what the largest step cannot have is better told before the first */
	return lm_limits_check(&box->plan, largest_load(box), err);
}

void lm_plan_close(struct lm_plan_box *box)
{
	for (size_t i = 0; i < box->plan.dir_count; i++)
		free(box->dirs[i]);
	free(box->cpus);
	lm_sweep_free(&box->plan.sweep);
	lm_mix_free(&box->mix);
}

/* --- doubts -------------------------------------------------------------------------------- */

static uint64_t largest_disk_need(const struct lm_plan_box *box)
{
	uint64_t most = 0;
	unsigned tasks;

	for (size_t n = 0; box->policy->next(&box->plan.sweep, NULL, n, &tasks); n++) {
		uint64_t need = lm_mix_disk_kib(&box->mix, tasks);

		most = need > most ? need : most;
	}
	return most;
}

void lm_plan_warn(const struct lm_plan_box *box)
{
	uint64_t need = largest_disk_need(box);
	char have_text[32], need_text[32];

	for (size_t i = 0; i < box->plan.dir_count; i++) {
		uint64_t have = lm_limits_free_kib(box->dirs[i]);

		if (need > have)
			lm_cmd_warn("a step can need %s in %s, where %s are free: jobs may fail",
				    lm_format_about(need, need_text, sizeof(need_text)),
				    box->dirs[i],
				    lm_format_about(have, have_text, sizeof(have_text)));
	}
	for (size_t i = 0; i < box->mix.count; i++)
		if (box->mix.entries[i].job->ops_per == LM_OPS_PER_HALF_BLOCK &&
		    lm_mix_file_kib(&box->mix, largest_load(box)) < 2)
			lm_cmd_warn(
				"%s works on half the file size, which is 0 KiB at %u tasks: it "
				"does no synchronous I/O",
				box->mix.entries[i].job->name, largest_load(box));
}

/* --- showing it ---------------------------------------------------------------------------- */

static void print_head(const struct lm_plan_box *box, FILE *out)
{
	const struct lm_plan *p = &box->plan;

	fprintf(out, "workload   %s (%s): %zu entries, %u jobs per task\n", box->mix.name,
		box->mix.path, box->mix.count, box->mix.jobs_per_task);
	fprintf(out, "order      %s, seed %" PRIu64 "\n", lm_order_name(p->order), p->seed);
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

void lm_plan_print(const struct lm_plan_box *box, FILE *out)
{
	unsigned tasks;

	print_head(box, out);
	fprintf(out, "%5s %7s %10s %15s %18s %10s %12s\n", "Step", "Tasks", "Jobs", "File size",
		"Disk per directory", "Processes", "Deadline");
	for (size_t n = 0; box->policy->next(&box->plan.sweep, NULL, n, &tasks); n++) {
		char file[32], disk[32];

		fprintf(out, "%5zu %7u %10" PRIu64 " %15s %18s %10u %10.0f s\n", n + 1, tasks,
			(uint64_t)tasks * box->mix.jobs_per_task,
			lm_format_kib(lm_mix_file_kib(&box->mix, tasks), file, sizeof(file)),
			lm_format_about(lm_mix_disk_kib(&box->mix, tasks), disk, sizeof(disk)),
			tasks + LM_OWN_PROCESSES, lm_step_timeout_s(&box->plan, tasks));
	}
}
