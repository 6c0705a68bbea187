/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this process, and so each task, may use: ulimits, processors, priority. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probes/probes.h"
#include "probes/readfile.h"

static const struct {
	const char *key;
	__rlimit_resource_t resource;
	unsigned unit; /* bytes, or what else the kernel counts in */
} limits[] = {
	{ "limits.processes", RLIMIT_NPROC, 1 },
	{ "limits.open_files", RLIMIT_NOFILE, 1 },
	{ "limits.file_kib", RLIMIT_FSIZE, 1024 },
	{ "limits.stack_kib", RLIMIT_STACK, 1024 },
	{ "limits.data_kib", RLIMIT_DATA, 1024 },
	{ "limits.address_space_kib", RLIMIT_AS, 1024 },
	{ "limits.locked_memory_kib", RLIMIT_MEMLOCK, 1024 },
	{ "limits.core_kib", RLIMIT_CORE, 1024 },
	{ "limits.cpu_s", RLIMIT_CPU, 1 },
	{ "limits.message_queues_kib", RLIMIT_MSGQUEUE, 1024 },
	{ "limits.pending_signals", RLIMIT_SIGPENDING, 1 },
};

static const struct lm_file_fact system_limits[] = {
	{ "limits.pid_max", "/proc/sys/kernel/pid_max" },
	{ "limits.threads_max", "/proc/sys/kernel/threads-max" },
	{ "limits.system_files", "/proc/sys/fs/file-max" },
};

static int limit_facts(struct lm_facts *out)
{
	struct rlimit r;
	int rc = 0;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		if (getrlimit(limits[i].resource, &r) < 0)
			rc |= lm_facts_text(out, limits[i].key, NULL);
		else if (r.rlim_cur == RLIM_INFINITY)
			rc |= lm_facts_text(out, limits[i].key, "unlimited");
		else
			rc |= lm_facts_number(out, limits[i].key,
					      (double)r.rlim_cur / limits[i].unit);
	}
	return rc;
}

static const char *scheduler_name(int policy)
{
	switch (policy) {
	case SCHED_OTHER:
		return "other";
	case SCHED_BATCH:
		return "batch";
	case SCHED_IDLE:
		return "idle";
	case SCHED_FIFO:
		return "fifo";
	case SCHED_RR:
		return "rr";
	default:
		return NULL;
	}
}

static void keep(char **list, const char *value)
{
	free(*list);
	*list = *value ? strndup(value, LM_TEXT_MAX - 1) : NULL;
}

/* Where this process may run, as lists. */
static int allowed_facts(const char *root, struct lm_facts *out)
{
	char *cpus = NULL, *nodes = NULL, *line;
	struct lm_file_lines lines;
	int rc;

	lm_file_lines_open(&lines, root, "/proc/self/status");
	while ((line = lm_file_lines_next(&lines))) {
		const char *value = lm_line_value(line, "Cpus_allowed_list");

		if (value)
			keep(&cpus, value);
		value = lm_line_value(line, "Mems_allowed_list");
		if (value)
			keep(&nodes, value);
	}
	lm_file_lines_close(&lines);
	rc = lm_facts_text(out, "process.cpu_list", cpus) |
	     lm_facts_text(out, "process.node_list", nodes);
	free(cpus);
	free(nodes);
	return rc;
}

static int process_facts(const char *root, struct lm_facts *out)
{
	int nice;

	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	return lm_facts_number(out, "process.user_id", geteuid()) |
	       (errno ? lm_facts_text(out, "process.nice", NULL)
		      : lm_facts_number(out, "process.nice", nice)) |
	       lm_facts_text(out, "process.scheduler", scheduler_name(sched_getscheduler(0))) |
	       allowed_facts(root, out);
}

int lm_limit_facts(const char *root, struct lm_facts *out)
{
	return limit_facts(out) |
	       lm_number_files(out, root, system_limits,
			       sizeof(system_limits) / sizeof(*system_limits)) |
	       process_facts(root, out);
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_limit_facts("", out);
}

const struct lm_probe lm_probe_limits = { .name = "limits", .describe = describe };
