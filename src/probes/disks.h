/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disks that a file system is on, from /sys. */
#ifndef LM_PROBES_DISKS_H
#define LM_PROBES_DISKS_H

#include <stddef.h>

#define LM_MAX_DISKS 64

struct lm_disks {
	char *paths[LM_MAX_DISKS]; /* in /sys: "/sys/devices/.../block/sda", root before it */
	size_t count;
};

/*
 * Find the disks below a block device: the parent of a partition, what a dm or md device is made
 * of, LM_MAX_DISKS at most. A number that is no block device's (btrfs) is looked up by the source
 * of the mount. None is found for what is on no disk. lm_disks_free() afterwards.
 */
void lm_disks_find(const char *root, unsigned major, unsigned minor, const char *source,
		   struct lm_disks *out);
void lm_disks_free(struct lm_disks *disks);

#endif
