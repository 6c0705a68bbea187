/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/data.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool beside_program(const char *relative, char *buf, size_t size)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;

	exe[n > 0 ? n : 0] = '\0';
	slash = strrchr(exe, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return (size_t)snprintf(buf, size, "%s%s", exe, relative) < size;
}

/* The index-th place, in buf; false past the last one. */
static bool place(int index, char *buf, size_t size)
{
	const char *chosen = getenv("LOADMIX_DATA");

	if (chosen)
		return index == 0 && (size_t)snprintf(buf, size, "%s", chosen) < size;
	switch (index) {
	case 0:
		return beside_program("", buf, size);
	case 1:
		return beside_program("/../share/loadmix", buf, size);
	case 2:
		return (size_t)snprintf(buf, size, "%s", LM_DATA_DIR) < size;
	default:
		return false;
	}
}

/* A frame of its own: stacks can be small. */
static __attribute__((noinline)) bool has(const char *dir, const char *folder)
{
	char path[PATH_MAX];

	return (size_t)snprintf(path, sizeof(path), "%s/%s", dir, folder) < sizeof(path) &&
	       access(path, F_OK) == 0;
}

bool lm_data_place(const char *folder, char *buf, size_t size)
{
	for (int i = 0; place(i, buf, size); i++)
		if (has(buf, folder))
			return true;
	buf[0] = '\0';
	return false;
}

bool lm_data_find(const char *name, char *buf, size_t size)
{
	char dir[PATH_MAX];

	return lm_data_place(name, dir, sizeof(dir)) &&
	       (size_t)snprintf(buf, size, "%s/%s", dir, name) < size;
}
