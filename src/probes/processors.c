/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the processors are, and how they are set up. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/probes.h"
#include "probes/readfile.h"
#include "probes/tally.h"

#define CPUS        "/sys/devices/system/cpu"
#define MAX_PACKAGE 4096 /* sockets that can be told apart */

/* --- /proc/cpuinfo --------------------------------------------------------------------------- */

/* Names of a processor's model: x86, ppc, mips, riscv. */
static const char *const model_keys[] = { "model name", "cpu", "cpu model", "uarch" };

struct cpuinfo {
	struct lm_tally models, microcode;
	struct lm_tally parts; /* of arm64, which has no names */
	char implementer[32];
	unsigned processors;
};

static void take_arm(struct cpuinfo *info, const char *line)
{
	const char *implementer = lm_line_value(line, "CPU implementer");
	const char *part = lm_line_value(line, "CPU part");
	char text[96];

	if (implementer)
		snprintf(info->implementer, sizeof(info->implementer), "%s", implementer);
	if (!part)
		return;
	snprintf(text, sizeof(text), "implementer %s part %.32s", info->implementer, part);
	lm_tally_add(&info->parts, text);
}

static void take_line(struct cpuinfo *info, const char *line)
{
	const char *value = lm_line_value(line, "microcode");

	if (value)
		lm_tally_add(&info->microcode, value);
	info->processors += lm_line_value(line, "processor") != NULL;
	for (size_t i = 0; i < sizeof(model_keys) / sizeof(*model_keys); i++)
		if ((value = lm_line_value(line, model_keys[i])))
			lm_tally_add(&info->models, value);
	take_arm(info, line);
}

/* info begins as zeros. */
static void read_cpuinfo(const char *root, struct cpuinfo *info)
{
	struct lm_file_lines lines;
	char *line;

	lm_file_lines_open(&lines, root, "/proc/cpuinfo");
	while ((line = lm_file_lines_next(&lines)))
		take_line(info, line);
	lm_file_lines_close(&lines);
}

static int model_facts(const struct cpuinfo *info, struct lm_facts *out)
{
	const struct lm_tally *models = info->models.count ? &info->models : &info->parts;

	return lm_tally_text(models, "cpu.model", out) |
	       lm_tally_text(&info->microcode, "cpu.microcode", out);
}

/* --- how many -------------------------------------------------------------------------------- */

static int count_fact(struct lm_facts *out, const char *key, unsigned count)
{
	return count > 0 ? lm_facts_number(out, key, count) : lm_facts_text(out, key, NULL);
}

static unsigned list_length(const char *text)
{
	struct lm_list list = { .at = text };
	unsigned n, count = 0;

	while (lm_list_next(&list, &n))
		count++;
	return count;
}

/* A core is counted at the first of its threads: the numbers of cores are not unique. */
static unsigned is_first_thread(const char *root, unsigned cpu)
{
	char text[1024];
	struct lm_list list = { .at = text };
	unsigned first;

	if (lm_read_text(text, sizeof(text), root, CPUS "/cpu%u/topology/thread_siblings_list",
			 cpu) < 0)
		return 0;
	return lm_list_next(&list, &first) && first == cpu;
}

/* -1 where the machine has no such thing as sockets. */
static unsigned is_new_package(const char *root, unsigned cpu, bool *seen)
{
	int64_t package;

	if (lm_read_number(&package, root, CPUS "/cpu%u/topology/physical_package_id", cpu) < 0 ||
	    package < 0 || package >= MAX_PACKAGE || seen[package])
		return 0;
	return seen[package] = true;
}

static int count_facts(const char *root, const char *online, unsigned processors,
		       struct lm_facts *out)
{
	struct lm_list list = { .at = online };
	unsigned cpu, sockets = 0, cores = 0, threads = list_length(online);
	char *present = lm_read_new(root, CPUS "/present");
	bool *seen = calloc(MAX_PACKAGE, sizeof(*seen));
	int rc = -1;

	while (seen && lm_list_next(&list, &cpu)) {
		sockets += is_new_package(root, cpu, seen);
		cores += is_first_thread(root, cpu);
	}
	if (seen)
		rc = count_fact(out, "cpu.sockets", sockets) | count_fact(out, "cpu.cores", cores) |
		     count_fact(out, "cpu.threads", present ? list_length(present) : 0) |
		     count_fact(out, "cpu.online", threads ? threads : processors);
	free(present);
	free(seen);
	return rc;
}

/* --- frequencies ----------------------------------------------------------------------------- */

/* A setting of every processor that is online. */
static int setting(const char *root, const char *online, const char *file, const char *key,
		   struct lm_facts *out)
{
	struct lm_list list = { .at = online };
	struct lm_tally tally = { 0 };
	char text[128];
	unsigned cpu;

	while (lm_list_next(&list, &cpu))
		if (lm_read_text(text, sizeof(text), root, CPUS "/cpu%u/cpufreq/%s", cpu, file) ==
		    0)
			lm_tally_add(&tally, text);
	return lm_tally_text(&tally, key, out);
}

/* The bounds of all processors together. */
static int frequency_facts(const char *root, const char *online, struct lm_facts *out)
{
	struct lm_list list = { .at = online };
	int64_t low = 0, high = 0, khz;
	unsigned cpu;

	while (lm_list_next(&list, &cpu)) {
		if (lm_read_number(&khz, root, CPUS "/cpu%u/cpufreq/scaling_min_freq", cpu) == 0 &&
		    (low == 0 || khz < low))
			low = khz;
		if (lm_read_number(&khz, root, CPUS "/cpu%u/cpufreq/scaling_max_freq", cpu) == 0 &&
		    khz > high)
			high = khz;
	}
	return count_fact(out, "cpu.frequency_min_khz", (unsigned)low) |
	       count_fact(out, "cpu.frequency_max_khz", (unsigned)high);
}

/* One driver tells what is on, the other what is off. */
static int boost_fact(const char *root, struct lm_facts *out)
{
	int64_t on;

	if (lm_read_number(&on, root, CPUS "/intel_pstate/no_turbo") == 0)
		on = !on;
	else if (lm_read_number(&on, root, CPUS "/cpufreq/boost") < 0)
		return lm_facts_text(out, "cpu.boost", NULL);
	return lm_facts_text(out, "cpu.boost", on ? "on" : "off");
}

static int speed_facts(const char *root, const char *online, struct lm_facts *out)
{
	return setting(root, online, "scaling_governor", "cpu.governor", out) |
	       setting(root, online, "scaling_driver", "cpu.frequency_driver", out) |
	       setting(root, online, "energy_performance_preference", "cpu.energy_preference",
		       out) |
	       frequency_facts(root, online, out) | boost_fact(root, out);
}

/* --- mitigations ----------------------------------------------------------------------------- */

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int mitigation(const char *root, const char *name, struct lm_facts *out)
{
	char key[300], text[1024];
	bool found = lm_read_text(text, sizeof(text), root, CPUS "/vulnerabilities/%s", name) == 0;

	snprintf(key, sizeof(key), "mitigations.%s", name);
	return lm_facts_text(out, key, found ? text : NULL);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name); /* in the same order in every locale */
}

static int mitigation_facts(const char *root, struct lm_facts *out)
{
	struct dirent **entries;
	char *path;
	int count, rc;

	if (asprintf(&path, "%s" CPUS "/vulnerabilities", root) < 0)
		return -1;
	count = scandir(path, &entries, visible, by_name);
	free(path);
	if (count < 0)
		return lm_facts_text(out, "cpu.vulnerabilities", NULL);
	rc = lm_facts_number(out, "cpu.vulnerabilities", count);
	for (int i = 0; i < count; i++) {
		rc |= mitigation(root, entries[i]->d_name, out);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

/* --- the probe ------------------------------------------------------------------------------- */

static const struct lm_file_fact files[] = {
	{ "cpu.online_list", CPUS "/online" },
	{ "cpu.isolated_list", CPUS "/isolated" },
	{ "cpu.smt", CPUS "/smt/control" },
	{ "cpu.idle_driver", CPUS "/cpuidle/current_driver" },
};

int lm_processor_facts(const char *root, struct lm_facts *out)
{
	char *list = lm_read_new(root, CPUS "/online");
	const char *online = list ? list : "";
	struct cpuinfo *info = calloc(1, sizeof(*info));
	int rc = -1;

	if (info) {
		read_cpuinfo(root, info);
		rc = model_facts(info, out) | count_facts(root, online, info->processors, out) |
		     lm_text_files(out, root, files, sizeof(files) / sizeof(*files)) |
		     speed_facts(root, online, out) | mitigation_facts(root, out);
	}
	free(info);
	free(list);
	return rc;
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_processor_facts("", out);
}

const struct lm_probe lm_probe_processors = { .name = "processors", .describe = describe };
