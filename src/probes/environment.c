/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine is. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "probes/probes.h"

static int kernel(struct lm_facts *out)
{
	struct utsname u;

	if (uname(&u) < 0)
		return lm_facts_text(out, "kernel.release", NULL);
	return lm_facts_text(out, "host.name", u.nodename) |
	       lm_facts_text(out, "kernel.release", u.release) |
	       lm_facts_text(out, "kernel.version", u.version) |
	       lm_facts_text(out, "host.machine", u.machine);
}

/* The number after a label in /proc/meminfo, -1 when it is not there. */
static double meminfo_kib(const char *label)
{
	FILE *f = fopen("/proc/meminfo", "re");
	size_t length = strlen(label);
	char line[128];
	double kib = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, label, length) && sscanf(line + length, ": %lf", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

/* dir_rtns_1 reads /bin, whose size differs from system to system. */
static int bin_entries(struct lm_facts *out)
{
	DIR *dir = opendir("/bin");
	double n = 0;

	if (!dir)
		return lm_facts_text(out, "bin.entries", NULL);
	while (readdir(dir))
		n++;
	closedir(dir);
	return lm_facts_number(out, "bin.entries", n);
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	double memory = meminfo_kib("MemTotal");
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int rc = kernel(out) | bin_entries(out);

	(void)plan;
	rc |= cpus > 0 ? lm_facts_number(out, "cpu.online", (double)cpus)
		       : lm_facts_text(out, "cpu.online", NULL);
	rc |= memory >= 0 ? lm_facts_number(out, "memory.total_kib", memory)
			  : lm_facts_text(out, "memory.total_kib", NULL);
	return rc;
}

const struct lm_probe lm_probe_environment = { .name = "environment", .describe = describe };
