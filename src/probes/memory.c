/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What memory the machine has, and how it is set up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/probes.h"
#include "probes/readfile.h"

#define NODES "/sys/devices/system/node"

/* --- /proc/meminfo --------------------------------------------------------------------------- */

static const struct {
	const char *label, *key;
} amounts[] = {
	{ "MemTotal", "memory.total_kib" },         { "MemAvailable", "memory.available_kib" },
	{ "SwapTotal", "memory.swap_total_kib" },   { "SwapFree", "memory.swap_free_kib" },
	{ "HugePages_Total", "memory.huge_pages" }, { "HugePages_Free", "memory.huge_pages_free" },
	{ "Hugepagesize", "memory.huge_page_kib" },
};

#define AMOUNTS (sizeof(amounts) / sizeof(*amounts))

static int amount_facts(const char *root, struct lm_facts *out)
{
	unsigned long long values[AMOUNTS];
	bool found[AMOUNTS] = { false };
	struct lm_file_lines lines;
	char *line;
	int rc = 0;

	lm_file_lines_open(&lines, root, "/proc/meminfo");
	while ((line = lm_file_lines_next(&lines)))
		for (size_t i = 0; i < AMOUNTS; i++) {
			const char *value = lm_line_value(line, amounts[i].label);

			if (value)
				found[i] = sscanf(value, "%llu", &values[i]) == 1;
		}
	lm_file_lines_close(&lines);
	for (size_t i = 0; i < AMOUNTS; i++)
		rc |= found[i] ? lm_facts_number(out, amounts[i].key, (double)values[i])
			       : lm_facts_text(out, amounts[i].key, NULL);
	return rc;
}

/* --- NUMA ------------------------------------------------------------------------------------ */

/* Node 0 MemTotal:       16315452 kB */
static void node_memory(const char *root, unsigned node, char *buf, size_t size)
{
	char *text = lm_read_new(root, NODES "/node%u/meminfo", node);
	const char *at = text ? strstr(text, "MemTotal:") : NULL;
	unsigned long long kib;

	snprintf(buf, size, "?");
	if (at && sscanf(at, "MemTotal: %llu", &kib) == 1)
		snprintf(buf, size, "%llu", kib);
	free(text);
}

static void append(char *all, size_t size, const char *text)
{
	size_t length = strlen(all);

	snprintf(all + length, size - length, "%s%s", length ? "; " : "", text);
}

struct nodes {
	unsigned count;
	char memory[LM_TEXT_MAX], cpus[LM_TEXT_MAX];
};

static void read_nodes(const char *root, const char *online, struct nodes *nodes)
{
	struct lm_list list = { .at = online };
	unsigned node;
	char text[1024];

	for (; lm_list_next(&list, &node); nodes->count++) {
		node_memory(root, node, text, sizeof(text));
		append(nodes->memory, sizeof(nodes->memory), text);
		if (lm_read_text(text, sizeof(text), root, NODES "/node%u/cpulist", node) < 0)
			snprintf(text, sizeof(text), "?");
		append(nodes->cpus, sizeof(nodes->cpus), text);
	}
}

static int node_facts(const char *root, struct lm_facts *out)
{
	char online[1024] = "";
	struct nodes *nodes;
	int rc;

	if (lm_read_text(online, sizeof(online), root, NODES "/online") < 0)
		return lm_facts_text(out, "numa.nodes", NULL) |
		       lm_facts_text(out, "numa.memory_kib", NULL) |
		       lm_facts_text(out, "numa.cpu_lists", NULL);
	nodes = calloc(1, sizeof(*nodes));
	if (!nodes)
		return -1;
	read_nodes(root, online, nodes);
	rc = lm_facts_number(out, "numa.nodes", nodes->count) |
	     lm_facts_text(out, "numa.memory_kib", nodes->memory) |
	     lm_facts_text(out, "numa.cpu_lists", nodes->cpus);
	free(nodes);
	return rc;
}

/* --- the probe ------------------------------------------------------------------------------- */

static const struct lm_file_fact choices[] = {
	{ "memory.transparent_huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled" },
	{ "memory.transparent_huge_pages_defrag", "/sys/kernel/mm/transparent_hugepage/defrag" },
	{ "memory.zswap", "/sys/module/zswap/parameters/enabled" },
};

static const struct lm_file_fact numbers[] = {
	{ "memory.swappiness", "/proc/sys/vm/swappiness" },
	{ "memory.overcommit", "/proc/sys/vm/overcommit_memory" },
	{ "memory.dirty_percent", "/proc/sys/vm/dirty_ratio" },
	{ "memory.dirty_background_percent", "/proc/sys/vm/dirty_background_ratio" },
	{ "memory.dirty_bytes", "/proc/sys/vm/dirty_bytes" },
	{ "memory.dirty_background_bytes", "/proc/sys/vm/dirty_background_bytes" },
	{ "numa.balancing", "/proc/sys/kernel/numa_balancing" },
};

int lm_memory_facts(const char *root, struct lm_facts *out)
{
	return amount_facts(root, out) |
	       lm_choice_files(out, root, choices, sizeof(choices) / sizeof(*choices)) |
	       lm_number_files(out, root, numbers, sizeof(numbers) / sizeof(*numbers)) |
	       node_facts(root, out);
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_memory_facts("", out);
}

const struct lm_probe lm_probe_memory = { .name = "memory", .describe = describe };
