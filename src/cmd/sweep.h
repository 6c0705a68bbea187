/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that say which loads a run goes through. */
#ifndef LM_CMD_SWEEP_H
#define LM_CMD_SWEEP_H

#include <loadmix/error.h>
#include <loadmix/plan.h>
#include <loadmix/policy.h>

#include <argp.h>
#include <stdio.h>

struct lm_sweep_options {
	const char *source; /* what the loads are named by, for errors; NULL: --tasks */
	const char *tasks;  /* NULL: see lm_sweep_choose() */
	const char *points; /* a file */
	const char *until;
	bool adaptive, reaim, newton;
	double tolerance;   /* a share; 0: not given */
	uint64_t max_tasks; /* 0: not given */
	uint64_t iterations;
	struct lm_error err; /* what was wrong with an option's value */
};

/* A child parser; its input is the struct. */
extern const struct argp lm_sweep_argp;

/*
 * Make the plan's sweep and choose its policy. Without any of the options the load doubles from 1
 * until it is twice the number of processors or more; with --until and without loads it grows from
 * 1 by 1. 0, or -1 with err; lm_sweep_free() in either case.
 */
int lm_sweep_choose(const struct lm_sweep_options *options, struct lm_plan *plan,
		    const struct lm_policy **policy, struct lm_error *err);

/* Print what is known of a sweep that cannot be foreseen: its rules and its bounds. */
void lm_sweep_print(const struct lm_sweep *sweep, FILE *out);

#endif
