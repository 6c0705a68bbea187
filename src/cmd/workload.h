/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding and loading workloads, and the options that say how to use one. */
#ifndef LM_CMD_WORKLOAD_H
#define LM_CMD_WORKLOAD_H

#include <loadmix/error.h>
#include <loadmix/plan.h>

#include <argp.h>

#include "cmd/standard.h"

/* How a workload is to be used: what run and show have in common. */
struct lm_workload_options {
	const char *workload; /* a bundled name or a path */
	uint64_t jobs;        /* per task, default 100 */
	uint64_t seed;        /* of the order of jobs */
	enum lm_order order;
	const char *filesize, *poolsize;                 /* NULL: as the workfile says */
	uint64_t usual_filesize_kib, usual_poolsize_kib; /* where the workfile says nothing */
	bool optional;                                   /* no workload need be given */
	struct lm_standard_options standard;
	struct lm_error err; /* what was wrong with an option's value */
};

/* A child parser for the options and the WORKLOAD argument; its input is the struct. */
extern const struct argp lm_workload_argp;

/* Load the workload the options name and apply them. 0, or -1 with err; lm_mix_free() in either
 * case. */
int lm_workload_load(const struct lm_workload_options *options, lm_job_list kinds,
		     struct lm_mix *mix, struct lm_error *err);

/* Parse a command's options; for its flags see argp. Returns -1 to go on, else an exit status. */
int lm_workload_parse(const struct argp *argp, int argc, char **argv, void *input,
		      struct lm_workload_options *options);

/* Print the name and path of every bundled workload. */
void lm_workload_list(FILE *out);

#endif
