/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the control group allows: of each limit the lowest on the way up, since all of them hold.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/mounts.h"
#include "probes/probes.h"
#include "probes/readfile.h"

#define V1_NONE 1e15 /* bytes; what version 1 means by no limit is above */

/* --- where it is ----------------------------------------------------------------------------- */

/* Our group in one hierarchy; dir is top or below it. */
struct hierarchy {
	bool found;
	char path[PATH_MAX]; /* as /proc/self/cgroup has it */
	char top[PATH_MAX], dir[2 * PATH_MAX];
};

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* The path of "4:memory:/path", or with controller "" of "0::/path". */
static bool group_path(const char *root, const char *controller, char *buf, size_t size)
{
	struct lm_file_lines lines;
	bool found = false;
	char *line;

	lm_file_lines_open(&lines, root, "/proc/self/cgroup");
	while (!found && (line = lm_file_lines_next(&lines))) {
		char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		found = *controller ? has_word(names + 1, controller) : !names[1];
		snprintf(buf, size, "%s", path);
	}
	lm_file_lines_close(&lines);
	return found;
}

static bool is_mount_of(const struct lm_mount *m, const char *controller)
{
	if (!*controller)
		return strcmp(m->type, "cgroup2") == 0;
	return strcmp(m->type, "cgroup") == 0 && has_word(m->super_options, controller);
}

/* A container may see its own group only: the mount's root is then a part of the path. */
static void place(const char *root, const struct lm_mount *m, struct hierarchy *h)
{
	const char *below = lm_path_below(h->path, m->root);

	if (!below || !strcmp(below, "/") || strstr(below, "/.."))
		below = "";
	snprintf(h->top, sizeof(h->top), "%s%s", root, m->point);
	snprintf(h->dir, sizeof(h->dir), "%s%s", h->top, below);
	h->found = true;
}

static void find(const char *root, const char *controller, struct hierarchy *h)
{
	struct lm_file_lines lines;
	struct lm_mount m;
	char *line;

	*h = (struct hierarchy){ 0 };
	if (!group_path(root, controller, h->path, sizeof(h->path)))
		return;
	lm_file_lines_open(&lines, root, "/proc/self/mountinfo");
	while (!h->found && (line = lm_file_lines_next(&lines)))
		if (lm_mount_parse(line, &m) && is_mount_of(&m, controller))
			place(root, &m, h);
	lm_file_lines_close(&lines);
}

/* --- one limit ------------------------------------------------------------------------------- */

struct limit {
	bool known, limited;
	double lowest;
};

static void take(struct limit *limit, double value)
{
	limit->known = true;
	if (value < 0) /* none */
		return;
	if (!limit->limited || value < limit->lowest)
		limit->lowest = value;
	limit->limited = true;
}

/* Call fn for our group and those above. */
static void climb(const struct hierarchy *h, void (*fn)(const char *dir, void *state), void *state)
{
	char dir[sizeof(h->dir)];

	if (!h->found)
		return;
	strcpy(dir, h->dir);
	for (;;) {
		fn(dir, state);
		if (strlen(dir) <= strlen(h->top))
			return;
		*strrchr(dir, '/') = '\0';
	}
}

/* "max" is none. */
struct number {
	const char *file;
	struct limit limit;
};

static void take_number(const char *dir, void *state)
{
	struct number *n = state;
	char text[64];
	unsigned long long value;

	if (lm_read_text(text, sizeof(text), "", "%s/%s", dir, n->file) < 0)
		return;
	if (sscanf(text, "%llu", &value) == 1 && (double)value < V1_NONE)
		take(&n->limit, (double)value);
	else
		take(&n->limit, -1);
}

/* Processors: time allowed in a period, "50000 100000" or "max 100000". */
static void take_quota(const char *dir, void *state)
{
	char text[64];
	double quota, period;
	unsigned long long q, p;

	if (lm_read_text(text, sizeof(text), "", "%s/cpu.max", dir) < 0)
		return;
	quota = sscanf(text, "%llu", &q) == 1 ? (double)q : -1;
	period = sscanf(text, "%*s %llu", &p) == 1 && p > 0 ? (double)p : 100000;
	take(state, quota < 0 ? -1 : quota / period);
}

static void take_quota_v1(const char *dir, void *state)
{
	int64_t quota, period;

	if (lm_read_number(&quota, "", "%s/cpu.cfs_quota_us", dir) < 0 ||
	    lm_read_number(&period, "", "%s/cpu.cfs_period_us", dir) < 0 || period <= 0)
		return;
	take(state, quota < 0 ? -1 : (double)quota / (double)period);
}

static int limit_fact(struct lm_facts *out, const char *key, const struct limit *limit, double unit)
{
	if (limit->limited)
		return lm_facts_number(out, key, limit->lowest / unit);
	return lm_facts_text(out, key, limit->known ? "unlimited" : NULL);
}

/* --- transfers ------------------------------------------------------------------------------- */

struct transfers {
	bool known;
	char text[LM_TEXT_MAX];
};

/* Each line is a device with its limits. */
static void take_transfers(const char *dir, const char *file, const char *label,
			   struct transfers *t)
{
	char text[LM_TEXT_MAX], *rest = text, *line;

	if (lm_read_text(text, sizeof(text), "", "%s/%s", dir, file) < 0)
		return;
	t->known = true;
	while ((line = strsep(&rest, "\n"))) {
		size_t length = strlen(t->text);

		if (*line)
			snprintf(t->text + length, sizeof(t->text) - length, "%s%s%s",
				 length ? "; " : "", label, line);
	}
}

static void take_io(const char *dir, void *state)
{
	take_transfers(dir, "io.max", "", state);
}

static void take_io_v1(const char *dir, void *state)
{
	take_transfers(dir, "blkio.throttle.read_bps_device", "read_bps ", state);
	take_transfers(dir, "blkio.throttle.write_bps_device", "write_bps ", state);
	take_transfers(dir, "blkio.throttle.read_iops_device", "read_iops ", state);
	take_transfers(dir, "blkio.throttle.write_iops_device", "write_iops ", state);
}

/* --- the probe ------------------------------------------------------------------------------- */

/* A controller is in a hierarchy of version 1 of its own, or in that of version 2. */
static bool in_v1(const char *root, const char *controller, const struct hierarchy *v2,
		  struct hierarchy *h)
{
	find(root, controller, h);
	if (h->found)
		return true;
	*h = *v2;
	return false;
}

static int group_facts(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct hierarchy h;
	bool v1 = in_v1(root, "memory", v2, &h);

	if (!h.found)
		return lm_facts_text(out, "cgroup.version", NULL) |
		       lm_facts_text(out, "cgroup.path", NULL);
	return lm_facts_number(out, "cgroup.version", v1 ? 1 : 2) |
	       lm_facts_text(out, "cgroup.path", h.path);
}

static int cpu_fact(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct limit limit = { 0 };
	struct hierarchy h;
	bool v1 = in_v1(root, "cpu", v2, &h);

	climb(&h, v1 ? take_quota_v1 : take_quota, &limit);
	return limit_fact(out, "cgroup.cpu_max_cpus", &limit, 1);
}

static int number_fact(const struct hierarchy *h, const char *file, const char *key, double unit,
		       struct lm_facts *out)
{
	struct number n = { .file = file };

	climb(h, take_number, &n);
	return limit_fact(out, key, &n.limit, unit);
}

static int memory_facts(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct hierarchy h;
	bool v1 = in_v1(root, "memory", v2, &h);

	return number_fact(&h, v1 ? "memory.limit_in_bytes" : "memory.max", "cgroup.memory_max_kib",
			   1024, out) |
	       number_fact(&h, v1 ? "memory.soft_limit_in_bytes" : "memory.high",
			   "cgroup.memory_high_kib", 1024, out) |
	       number_fact(v2, "memory.swap.max", "cgroup.swap_max_kib", 1024, out);
}

static int pids_fact(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct hierarchy h;

	in_v1(root, "pids", v2, &h);
	return number_fact(&h, "pids.max", "cgroup.pids_max", 1, out);
}

static int io_fact(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct transfers t = { 0 };
	struct hierarchy h;
	bool v1 = in_v1(root, "blkio", v2, &h);

	climb(&h, v1 ? take_io_v1 : take_io, &t);
	return lm_facts_text(out, "cgroup.io_max", *t.text ? t.text : t.known ? "unlimited" : NULL);
}

int lm_cgroup_facts(const char *root, struct lm_facts *out)
{
	struct hierarchy v2;

	find(root, "", &v2);
	return group_facts(root, &v2, out) | cpu_fact(root, &v2, out) |
	       memory_facts(root, &v2, out) | pids_fact(root, &v2, out) | io_fact(root, &v2, out);
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_cgroup_facts("", out);
}

const struct lm_probe lm_probe_cgroup = { .name = "cgroup", .describe = describe };
