/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What else the machine is doing while nothing of ours runs yet. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probes/probes.h"
#include "probes/readfile.h"

/* What runs for a moment only is no load: the median of some readings counts. */
#define READINGS 5
#define PAUSE_NS 2000000

/* Numbers are put together by hand: a locale may want another decimal point. */
static int hundredths(struct lm_facts *out, const char *key, bool known, unsigned long whole,
		      unsigned long rest)
{
	return known ? lm_facts_number(out, key, (double)(whole * 100 + rest) / 100)
		     : lm_facts_text(out, key, NULL);
}

static int average_facts(const char *root, struct lm_facts *out)
{
	unsigned long a[4] = { 0 }, up[2] = { 0 };
	char text[128] = "";
	bool known;
	int rc;

	known = lm_read_text(text, sizeof(text), root, "/proc/loadavg") == 0 &&
		sscanf(text, "%lu.%2lu %lu.%2lu", &a[0], &a[1], &a[2], &a[3]) == 4;
	rc = hundredths(out, "load.average_1min", known, a[0], a[1]) |
	     hundredths(out, "load.average_5min", known, a[2], a[3]);
	known = lm_read_text(text, sizeof(text), root, "/proc/uptime") == 0 &&
		sscanf(text, "%lu.%2lu", &up[0], &up[1]) == 2;
	return rc | hundredths(out, "load.uptime_s", known, up[0], up[1]);
}

/* Tasks of others that are running or want to, -1 when it cannot be told: "0.21 0.08 0.02 3/97
 * 8071" is 2, the third is this one. */
static int running_now(const char *root)
{
	char text[128];
	int running;

	if (lm_read_text(text, sizeof(text), root, "/proc/loadavg") < 0 ||
	    sscanf(text, "%*s %*s %*s %d/", &running) != 1)
		return -1;
	return running > 0 ? running - 1 : 0;
}

/* Tasks that wait for a disk. */
static int blocked_now(const char *root)
{
	struct lm_file_lines lines;
	int blocked = -1;
	char *line;

	lm_file_lines_open(&lines, root, "/proc/stat");
	while (blocked < 0 && (line = lm_file_lines_next(&lines)))
		if (sscanf(line, "procs_blocked %d", &blocked) != 1)
			blocked = -1;
	lm_file_lines_close(&lines);
	return blocked;
}

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static int median_fact(struct lm_facts *out, const char *key, int *readings)
{
	qsort(readings, READINGS, sizeof(*readings), by_value);
	if (readings[READINGS / 2] < 0)
		return lm_facts_text(out, key, NULL);
	return lm_facts_number(out, key, readings[READINGS / 2]);
}

int lm_load_facts(const char *root, struct lm_facts *out)
{
	int running[READINGS], blocked[READINGS];

	for (int i = 0; i < READINGS; i++) {
		if (i > 0)
			nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
		running[i] = running_now(root);
		blocked[i] = blocked_now(root);
	}
	return average_facts(root, out) | median_fact(out, "load.running", running) |
	       median_fact(out, "load.blocked", blocked);
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_load_facts("", out);
}

const struct lm_probe lm_probe_load = { .name = "load", .describe = describe };
