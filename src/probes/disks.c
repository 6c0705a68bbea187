/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probes/disks.h"

#include <dirent.h>
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

/* Paths are on the heap: the search goes deep, and stacks can be small. */
static char *joined(const char *a, const char *b, const char *c)
{
	char *path;

	return asprintf(&path, "%s%s%s", a, b, c) < 0 ? NULL : path;
}

static void resolve(const char *path, int depth, struct lm_disks *out);

/* What a dm or md device is made of. Returns how many there are. */
static unsigned climb_slaves(const char *device, int depth, struct lm_disks *out)
{
	char *path = joined(device, "/slaves", "");
	struct dirent *entry;
	unsigned count = 0;
	DIR *dir = path ? opendir(path) : NULL;

	free(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		path = joined(device, "/slaves/", entry->d_name);
		resolve(path, depth + 1, out);
		free(path);
	}
	if (dir)
		closedir(dir);
	return count;
}

static void resolve(const char *path, int depth, struct lm_disks *out)
{
	char *device = path && depth <= MAX_DEPTH ? realpath(path, NULL) : NULL;
	char *partition = device ? joined(device, "/partition", "") : NULL;

	if (partition && access(partition, F_OK) == 0)
		*strrchr(device, '/') = '\0';
	if (partition && climb_slaves(device, depth, out) == 0)
		add_disk(out, device);
	free(partition);
	free(device);
}

static void find(const char *root, unsigned major, unsigned minor, const char *source,
		 struct lm_disks *out)
{
	char number[32], *path, *device;

	snprintf(number, sizeof(number), "%u:%u", major, minor);
	path = joined(root, "/sys/dev/block/", number);
	resolve(path, 0, out);
	free(path);
	if (out->count > 0 || strncmp(source, "/dev/", 5) != 0)
		return;
	path = joined(root, source, "");
	device = path ? realpath(path, NULL) : NULL; /* /dev/mapper/NAME is a link to /dev/dm-N */
	free(path);
	path = device ? joined(root, "/sys/class/block", strrchr(device, '/')) : NULL;
	resolve(path, 0, out);
	free(path);
	free(device);
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
