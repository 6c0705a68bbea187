/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LM_BENCH_MEMORY_H
#define LM_BENCH_MEMORY_H

#include <stdio.h>
#include <string.h>

/* KiB of all that processes cost a machine: their pages, page tables, stacks and descriptors in the
 * kernel. MemAvailable would be simpler, but pages freed by an earlier round wait in per-processor
 * lists, and taking them from there does not lower it. */
static inline double lm_processes_kib(void)
{
	static const char *const parts[] = { "AnonPages:", "Shmem:", "PageTables:", "KernelStack:",
					     "SUnreclaim:" };
	FILE *f = fopen("/proc/meminfo", "re");
	double kib, sum = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
			if (!strncmp(line, parts[i], strlen(parts[i])) &&
			    sscanf(line + strlen(parts[i]), "%lf", &kib) == 1)
				sum += kib;
	if (f)
		fclose(f);
	return sum;
}

#endif
