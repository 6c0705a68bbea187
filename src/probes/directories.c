/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the test directories are on: a group of facts for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <loadmix/plan.h>

#include "probes/disks.h"
#include "probes/mounts.h"
#include "probes/probes.h"
#include "probes/readfile.h"
#include "probes/tally.h"

/* "directory_1.device" */
struct group {
	size_t number;
	char key[80];
};

static const char *key(struct group *g, const char *name)
{
	snprintf(g->key, sizeof(g->key), "directory_%zu.%s", g->number, name);
	return g->key;
}

static int mount_facts(struct group *g, const struct lm_mount *m, struct lm_facts *out)
{
	return lm_facts_text(out, key(g, "device"), m->source) |
	       lm_facts_text(out, key(g, "file_system"), m->type) |
	       lm_facts_text(out, key(g, "mount_point"), m->point) |
	       lm_facts_text(out, key(g, "mount_root"), m->root) |
	       lm_facts_text(out, key(g, "mount_options"), m->options) |
	       lm_facts_text(out, key(g, "file_system_options"), m->super_options);
}

static int space_facts(struct group *g, const char *path, struct lm_facts *out)
{
	struct statvfs s;
	double block_kib;

	if (statvfs(path, &s) < 0)
		return lm_facts_text(out, key(g, "size_kib"), NULL) |
		       lm_facts_text(out, key(g, "free_kib"), NULL);
	block_kib = (double)s.f_frsize / 1024;
	return lm_facts_number(out, key(g, "size_kib"), (double)s.f_blocks * block_kib) |
	       lm_facts_number(out, key(g, "free_kib"), (double)s.f_bavail * block_kib);
}

/* --- disks ----------------------------------------------------------------------------------- */

static int names_fact(struct group *g, const struct lm_disks *disks, struct lm_facts *out)
{
	char *text = calloc(1, LM_TEXT_MAX);
	size_t length = 0;
	int rc;

	if (!text)
		return -1;
	for (size_t i = 0; i < disks->count && length < LM_TEXT_MAX; i++)
		length += (size_t)snprintf(text + length, LM_TEXT_MAX - length, "%s%s",
					   i ? ", " : "", strrchr(disks->paths[i], '/') + 1);
	rc = lm_facts_text(out, key(g, "disk"), disks->count ? text : NULL);
	free(text);
	return rc;
}

static void tally_disks(const struct lm_disks *disks, const char *file, struct lm_tally *tally)
{
	char text[256];

	*tally = (struct lm_tally){ 0 };
	for (size_t i = 0; i < disks->count; i++)
		if (lm_read_text(text, sizeof(text), "", "%s/%s", disks->paths[i], file) == 0)
			lm_tally_add(tally, lm_bracketed(text));
}

static int text_fact(struct group *g, const char *name, const char *file,
		     const struct lm_disks *disks, struct lm_facts *out)
{
	struct lm_tally tally;

	tally_disks(disks, file, &tally);
	return lm_tally_text(&tally, key(g, name), out);
}

static int number_fact(struct group *g, const char *name, const char *file,
		       const struct lm_disks *disks, struct lm_facts *out)
{
	struct lm_tally tally;

	tally_disks(disks, file, &tally);
	return lm_tally_number(&tally, key(g, name), out);
}

static int disk_facts(struct group *g, const struct lm_disks *disks, struct lm_facts *out)
{
	return names_fact(g, disks, out) | text_fact(g, "disk_model", "device/model", disks, out) |
	       number_fact(g, "rotational", "queue/rotational", disks, out) |
	       number_fact(g, "sector_bytes", "queue/logical_block_size", disks, out) |
	       text_fact(g, "scheduler", "queue/scheduler", disks, out) |
	       text_fact(g, "write_cache", "queue/write_cache", disks, out) |
	       number_fact(g, "read_ahead_kib", "queue/read_ahead_kb", disks, out);
}

/* --- the probe ------------------------------------------------------------------------------- */

static int directory(const char *root, const char *path, size_t number, struct lm_facts *out)
{
	struct group g = { .number = number };
	struct lm_mount mount = { 0 };
	struct lm_disks disks = { 0 };
	char *found = NULL;
	struct stat st;
	int rc;

	if (stat(path, &st) == 0) {
		found = lm_mount_find(root, path, major(st.st_dev), minor(st.st_dev), &mount);
		lm_disks_find(root, major(st.st_dev), minor(st.st_dev), found ? mount.source : "",
			      &disks);
	}
	rc = lm_facts_text(out, key(&g, "path"), path) | mount_facts(&g, &mount, out) |
	     space_facts(&g, path, out) | disk_facts(&g, &disks, out);
	lm_disks_free(&disks);
	free(found);
	return rc;
}

int lm_directory_facts(const char *root, const struct lm_plan *plan, struct lm_facts *out)
{
	int rc = 0;

	for (size_t i = 0; i < plan->dir_count; i++)
		rc |= directory(root, plan->dirs[i], i + 1, out);
	return rc;
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	return lm_directory_facts("", plan, out);
}

const struct lm_probe lm_probe_directories = { .name = "directories", .describe = describe };
