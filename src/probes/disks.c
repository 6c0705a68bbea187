/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probes/disks.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_DEPTH 8 /* of devices made of devices */

static void add_disk(struct lm_disks *out, const char *path)
{
	for (size_t i = 0; i < out->count; i++)
		if (strcmp(out->paths[i], path) == 0)
			return;
	if (out->count < LM_MAX_DISKS && (out->paths[out->count] = strdup(path)))
		out->count++;
}

static void resolve(const char *path, int depth, struct lm_disks *out);

/* What a dm or md device is made of. Returns how many there are. */
static unsigned climb_slaves(const char *device, int depth, struct lm_disks *out)
{
	char path[PATH_MAX + 300];
	struct dirent *entry;
	unsigned count = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/slaves", device);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		snprintf(path, sizeof(path), "%s/slaves/%s", device, entry->d_name);
		resolve(path, depth + 1, out);
	}
	if (dir)
		closedir(dir);
	return count;
}

static void resolve(const char *path, int depth, struct lm_disks *out)
{
	char device[PATH_MAX], partition[PATH_MAX + 16];

	if (depth > MAX_DEPTH || !realpath(path, device))
		return;
	snprintf(partition, sizeof(partition), "%s/partition", device);
	if (access(partition, F_OK) == 0)
		*strrchr(device, '/') = '\0';
	if (climb_slaves(device, depth, out) == 0)
		add_disk(out, device);
}

static void find(const char *root, unsigned major, unsigned minor, const char *source,
		 struct lm_disks *out)
{
	char path[2 * PATH_MAX], device[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sys/dev/block/%u:%u", root, major, minor);
	resolve(path, 0, out);
	if (out->count > 0 || strncmp(source, "/dev/", 5) != 0)
		return;
	snprintf(path, sizeof(path), "%s%s", root, source);
	if (!realpath(path, device)) /* /dev/mapper/NAME is a link to /dev/dm-N */
		return;
	snprintf(path, sizeof(path), "%s/sys/class/block%s", root, strrchr(device, '/'));
	resolve(path, 0, out);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void lm_disks_find(const char *root, unsigned major, unsigned minor, const char *source,
		   struct lm_disks *out)
{
	*out = (struct lm_disks){ 0 };
	find(root, major, minor, source, out);
	qsort(out->paths, out->count, sizeof(*out->paths), by_path);
}

void lm_disks_free(struct lm_disks *disks)
{
	for (size_t i = 0; i < disks->count; i++)
		free(disks->paths[i]);
	*disks = (struct lm_disks){ 0 };
}
