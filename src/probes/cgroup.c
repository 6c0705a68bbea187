/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the control group allows: of each limit the lowest on the way up, since all of them hold.
 */
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
	char *path; /* as /proc/self/cgroup has it */
	char *top, *dir;
};

static void drop(struct hierarchy *h)
{
	free(h->path);
	free(h->top);
	free(h->dir);
	*h = (struct hierarchy){ 0 };
}

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* The path of "4:memory:/path", or with controller "" of "0::/path"; NULL when there is none. */
static char *group_path(const char *root, const char *controller)
{
	struct lm_file_lines lines;
	char *line, *found = NULL;

	lm_file_lines_open(&lines, root, "/proc/self/cgroup");
	while (!found && (line = lm_file_lines_next(&lines))) {
		char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		if (*controller ? has_word(names + 1, controller) : !names[1])
			found = strdup(path);
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
	if (asprintf(&h->top, "%s%s", root, m->point) < 0)
		h->top = NULL;
	if (!h->top || asprintf(&h->dir, "%s%s", h->top, below) < 0)
		h->dir = NULL;
	h->found = h->dir != NULL;
}

static void find(const char *root, const char *controller, struct hierarchy *h)
{
	struct lm_file_lines lines;
	struct lm_mount m;
	char *line;

	*h = (struct hierarchy){ .path = group_path(root, controller) };
	if (!h->path)
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
	char *dir = h->found ? strdup(h->dir) : NULL;

	while (dir) {
		fn(dir, state);
		if (strlen(dir) <= strlen(h->top))
			break;
		*strrchr(dir, '/') = '\0';
	}
	free(dir);
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
	char *text = lm_read_new("", "%s/%s", dir, file), *rest = text, *line;

	t->known |= text != NULL;
	while ((line = strsep(&rest, "\n"))) {
		size_t length = strlen(t->text);

		if (*line)
			snprintf(t->text + length, sizeof(t->text) - length, "%s%s%s",
				 length ? "; " : "", label, line);
	}
	free(text);
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

/* A controller is in a hierarchy of version 1 of its own, or in that of version 2. own is to be
 * dropped. */
static const struct hierarchy *choose(const char *root, const char *controller,
				      const struct hierarchy *v2, struct hierarchy *own)
{
	find(root, controller, own);
	return own->found ? own : v2;
}

static int group_facts(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct hierarchy own;
	const struct hierarchy *h = choose(root, "memory", v2, &own);
	int rc;

	if (h->found)
		rc = lm_facts_number(out, "cgroup.version", h == &own ? 1 : 2) |
		     lm_facts_text(out, "cgroup.path", h->path);
	else
		rc = lm_facts_text(out, "cgroup.version", NULL) |
		     lm_facts_text(out, "cgroup.path", NULL);
	drop(&own);
	return rc;
}

static int cpu_fact(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct limit limit = { 0 };
	struct hierarchy own;
	const struct hierarchy *h = choose(root, "cpu", v2, &own);

	climb(h, h == &own ? take_quota_v1 : take_quota, &limit);
	drop(&own);
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
	struct hierarchy own;
	const struct hierarchy *h = choose(root, "memory", v2, &own);
	bool v1 = h == &own;
	int rc;

	rc = number_fact(h, v1 ? "memory.limit_in_bytes" : "memory.max", "cgroup.memory_max_kib",
			 1024, out) |
	     number_fact(h, v1 ? "memory.soft_limit_in_bytes" : "memory.high",
			 "cgroup.memory_high_kib", 1024, out) |
	     number_fact(v2, "memory.swap.max", "cgroup.swap_max_kib", 1024, out);
	drop(&own);
	return rc;
}

static int pids_fact(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct hierarchy own;
	int rc = number_fact(choose(root, "pids", v2, &own), "pids.max", "cgroup.pids_max", 1, out);

	drop(&own);
	return rc;
}

static int io_fact(const char *root, const struct hierarchy *v2, struct lm_facts *out)
{
	struct transfers *t = calloc(1, sizeof(*t));
	struct hierarchy own;
	const struct hierarchy *h = choose(root, "blkio", v2, &own);
	int rc = -1;

	if (t) {
		climb(h, h == &own ? take_io_v1 : take_io, t);
		rc = lm_facts_text(out, "cgroup.io_max",
				   *t->text   ? t->text
				   : t->known ? "unlimited"
					      : NULL);
	}
	drop(&own);
	free(t);
	return rc;
}

int lm_cgroup_facts(const char *root, struct lm_facts *out)
{
	struct hierarchy v2;
	int rc;

	find(root, "", &v2);
	rc = group_facts(root, &v2, out) | cpu_fact(root, &v2, out) | memory_facts(root, &v2, out) |
	     pids_fact(root, &v2, out) | io_fact(root, &v2, out);
	drop(&v2);
	return rc;
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_cgroup_facts("", out);
}

const struct lm_probe lm_probe_cgroup = { .name = "cgroup", .describe = describe };
