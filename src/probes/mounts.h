/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is mounted, from /proc/self/mountinfo. */
#ifndef LM_PROBES_MOUNTS_H
#define LM_PROBES_MOUNTS_H

#include <stdbool.h>

#include "probes/readfile.h"

/* One mount; escapes such as \040 are undone. */
struct lm_mount {
	unsigned major, minor;
	const char *root;          /* the part of the file system that is mounted, "/" is all */
	const char *point;         /* where */
	const char *options;       /* of the mount */
	const char *type;          /* of the file system */
	const char *source;        /* "/dev/sda1", "server:/export", "tmpfs" */
	const char *super_options; /* of the file system */
};

/* Make a mount of the line, which is changed and which the mount points to; false when it is none.
 */
bool lm_mount_parse(char *line, struct lm_mount *out);

/* The rest of path below dir, "" when it is dir itself; NULL when it is not below. */
const char *lm_path_below(const char *path, const char *dir);

/*
 * Find the mount that an absolute path is on: of those of its device (st_dev), the one that is
 * mounted nearest above. The device of a btrfs subvolume is in no mount; then the nearest of all.
 * Returns memory that out points to, to be freed; NULL when it cannot be told.
 */
char *lm_mount_find(const char *root, const char *path, unsigned major, unsigned minor,
		    struct lm_mount *out);

#endif
