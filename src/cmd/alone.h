/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single mode: each entry of a mix alone, one after another, in one task for a period. */
#ifndef LM_CMD_ALONE_H
#define LM_CMD_ALONE_H

#include <loadmix/plan.h>
#include <loadmix/sink.h>

#include "engine/session.h"

/* Runs whose times are kept: the last ones. */
#define LM_ALONE_RUNS 65536u

/* Seconds that a kind may take in all: the run in progress at the period's end is let finish. */
double lm_alone_timeout_s(double period_s);

/*
 * Run each entry of the plan's mix for the plan's period, in a session of its own; every sink has
 * one begin and one end around them all. The plan's sweep is one step of one task.
 * outcome->summary has the numbers of steps. 0, or -1 with err. The sinks are not closed.
 */
int lm_alone_run(const struct lm_plan *plan, const struct lm_sink *sinks, size_t count,
		 struct lm_session_outcome *outcome, struct lm_error *err);

#endif
