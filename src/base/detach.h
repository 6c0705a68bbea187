/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that is started by us and yet no child of ours. */
#ifndef LM_BASE_DETACH_H
#define LM_BASE_DETACH_H

/*
 * fork(), twice: the new process is not our child, so that we can be without children while it
 * lives, and nobody waits for it. 0 in the new process, which must _exit(); 1 in this one; -1 with
 * errno.
 */
int lm_fork_detached(void);

#endif
