/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One load step: fork, gate, run, reap. */
#ifndef LM_ENGINE_STEP_H
#define LM_ENGINE_STEP_H

#include <loadmix/error.h>
#include <loadmix/plan.h>
#include <loadmix/result.h>
#include <loadmix/sink.h>

#include "engine/guard.h"
#include "engine/reap.h"
#include "engine/samples.h"
#include "engine/signals.h"

struct lm_step_spec {
	const struct lm_plan *plan;
	unsigned tasks;
	uint64_t file_kib;
	double deadline_s;
	const char *const *dirs;              /* scratch directories, plan->dir_count of them */
	const struct lm_probe *const *probes; /* ended by NULL */
	struct lm_guard *guard;
	struct lm_signals *signals;
	bool hunts; /* see lm_reap_strays() */
	/* asked twice a second while tasks run; NULL: the parent sleeps through */
	void (*tick)(void *state, uint64_t jobs_done, double elapsed_s);
	void *tick_state;
	int (*moment)(void *state, enum lm_moment moment, unsigned tasks, struct lm_error *err);
	void *moment_state;
};

/*
 * Run a step. On 0 *result is filled and refers to *samples, which the caller unmaps, and the
 * system figures are in *system. A step whose tasks failed, were lost, or that was ended by its
 * deadline or a signal after the gate had opened is a result too: it says so.
 * On -1 err tells what the system refused before the gate opened; it is not set when a signal ended
 * the step there (spec->signals->taken). In every case no process of the step is left.
 */
int lm_step_run(const struct lm_step_spec *spec, struct lm_samples *samples,
		struct lm_step_result *result, struct lm_facts *system, struct lm_error *err);

#endif
