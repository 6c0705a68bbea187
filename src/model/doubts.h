/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes the figures of a run doubtful, as sentences for people. Pure. */
#ifndef LM_MODEL_DOUBTS_H
#define LM_MODEL_DOUBTS_H

#include <loadmix/error.h>
#include <loadmix/plan.h>
#include <loadmix/probe.h>

/* Zero-initialise; lm_doubts_free() empties it. */
struct lm_doubts {
	char **texts;
	size_t count;
	struct lm_facts environment; /* that they were judged by */
};

/* Add a sentence. 0, or -1 with err when memory ran out. */
int lm_doubts_add(struct lm_doubts *doubts, struct lm_error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void lm_doubts_free(struct lm_doubts *doubts);

/*
 * Add what the machine's facts, as the probes make them, give reason to doubt: disk kinds on a file
 * system in memory, the frequency governor powersave, power from a battery, other processes that
 * run or wait for a disk. Facts that are null or not there are no reason. 0, or -1 with err.
 */
int lm_doubts_judge(const struct lm_plan *plan, const struct lm_facts *facts,
		    struct lm_doubts *doubts, struct lm_error *err);

#endif
