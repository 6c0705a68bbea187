/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the program's data files are: workloads/ and scripts/. */
#ifndef LM_CMD_DATA_H
#define LM_CMD_DATA_H

#include <stdbool.h>
#include <stddef.h>

/* Find a data file or folder by its relative name ("workloads/workfile.fserver"); its path goes to
 * buf. The places, in order: what LOADMIX_DATA names, and then no other; the program's own
 * neighbourhood (a build tree, an installation that was moved); where make install put it. */
bool lm_data_find(const char *name, char *buf, size_t size);

/* The first place that has a folder of that name, in buf; "" and false when there is none. */
bool lm_data_place(const char *folder, char *buf, size_t size);

#endif
