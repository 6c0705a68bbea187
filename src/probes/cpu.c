/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the processors of the whole machine did, tasks and all others (/proc/stat). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/probes.h"

enum {
	USER,
	NICE,
	SYSTEM,
	IDLE,
	IOWAIT,
	IRQ,
	SOFTIRQ,
	STEAL,
	TIMES,
	SWITCHES = TIMES,
	FORKS,
	COUNT
};

static const char *const names[COUNT + 1] = {
	"cpu.user_s", "cpu.nice_s",    "cpu.system_s", "cpu.idle_s",           "cpu.iowait_s",
	"cpu.irq_s",  "cpu.softirq_s", "cpu.steal_s",  "cpu.context_switches", "cpu.processes",
	NULL,
};

/* The first line: seconds in units of the clock tick. */
static int read_times(const char *line, double *values)
{
	double tick = (double)sysconf(_SC_CLK_TCK);
	unsigned long long t[TIMES];

	if (sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[USER], &t[NICE],
		   &t[SYSTEM], &t[IDLE], &t[IOWAIT], &t[IRQ], &t[SOFTIRQ], &t[STEAL]) != TIMES)
		return 0;
	for (int i = 0; i < TIMES; i++)
		values[i] = (double)t[i] / tick;
	return 1;
}

static int read_cpu(double *values)
{
	FILE *f = fopen("/proc/stat", "re");
	char *line = NULL; /* the line of interrupts is long */
	size_t size = 0;
	int found = 0;

	while (f && getline(&line, &size, f) > 0) {
		if (!strncmp(line, "cpu ", 4))
			found += read_times(line, values);
		found += sscanf(line, "ctxt %lf", &values[SWITCHES]) == 1;
		found += sscanf(line, "processes %lf", &values[FORKS]) == 1;
	}
	if (f)
		fclose(f);
	free(line);
	return found == 3 ? 0 : -1;
}

const struct lm_probe lm_probe_cpu = { .name = "cpu", .counters = names, .read = read_cpu };
