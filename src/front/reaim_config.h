/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration file of reaim: lines of <keyword> <value> (docs/formats.md). */
#ifndef LM_FRONT_REAIM_CONFIG_H
#define LM_FRONT_REAIM_CONFIG_H

#include <loadmix/error.h>
#include <loadmix/plan.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct lm_reaim_config {
	/* 0: not given */
	uint64_t filesize_kib, poolsize_kib;
	uint64_t start, end, increment, jobs;
	bool verbose, crossover, brief;
	char **dirs;
	long *dir_lines; /* where each stands */
	size_t dir_count;
};

/* Read it; source names the file in errors. out is empty on entry. 0, or -1 with err;
 * lm_reaim_config_free() in either case. */
int lm_reaim_config_read(FILE *in, const char *source, struct lm_reaim_config *out,
			 struct lm_error *err);
void lm_reaim_config_free(struct lm_reaim_config *config);

#endif
