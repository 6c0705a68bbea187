/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/alone.h"

#include <stdlib.h>
#include <string.h>

#include "engine/signals.h"
#include "model/mix.h"
#include "policies/policies.h"
#include "probes/probes.h"

#define LAST_RUN_S 3600.0 /* that the run in progress at the period's end may take */

struct alone {
	const struct lm_plan *plan;
	const struct lm_sink *sinks;
	size_t count;
	struct lm_sink *inner; /* the same without their begin and end */
	struct lm_session_outcome *out;
};

double lm_alone_timeout_s(double period_s)
{
	return period_s + LAST_RUN_S;
}

static int run_entry(struct alone *a, const struct lm_mix_entry *entry, struct lm_error *err)
{
	struct lm_mix_entry one = *entry;
	struct lm_mix mix = *a->plan->mix;
	struct lm_plan plan = *a->plan;
	struct lm_session session = { .plan = &plan,
				      .policy = &lm_policy_fixed,
				      .probes = lm_probes,
				      .sinks = a->inner,
				      .sink_count = a->count,
				      .steps_before = a->out->summary.steps };
	struct lm_session_outcome outcome;
	int rc;

	plan.mix = &mix;
	mix.entries = &one;
	mix.count = 1;
	mix.total_weight = one.weight;
	lm_mix_count_jobs(&mix, LM_ALONE_RUNS);
	rc = lm_session_run(&session, &outcome, err);
	a->out->signal = outcome.signal;
	a->out->summary.steps += outcome.summary.steps;
	a->out->summary.invalid += outcome.summary.invalid;
	return rc;
}

static int run_all(struct alone *a, struct lm_error *err)
{
	for (size_t i = 0; i < a->plan->mix->count && !a->out->signal; i++)
		if (run_entry(a, &a->plan->mix->entries[i], err) < 0)
			return -1;
	return 0;
}

static int begin_sinks(struct alone *a, struct lm_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < a->count; i++)
		if (a->sinks[i].begin)
			rc = a->sinks[i].begin(a->sinks[i].state, a->plan, a->plan->environment,
					       err);
	return rc;
}

/* The first error counts; an end that fails too is not told. */
static int end_sinks(struct alone *a, int rc, struct lm_error *err)
{
	struct lm_summary *summary = &a->out->summary;
	struct lm_error ignored = { 0 };
	int result = rc;

	summary->stopped = a->out->signal ? strsignal(a->out->signal) : rc < 0 ? err->text : NULL;
	for (size_t i = 0; i < a->count; i++)
		if (a->sinks[i].end &&
		    a->sinks[i].end(a->sinks[i].state, summary, rc < 0 ? &ignored : err) < 0)
			result = -1;
	summary->stopped = NULL;
	return result;
}

/* A signal between two kinds must find somebody, too. */
static int hold_signals(struct alone *a, struct lm_error *err)
{
	struct lm_signals signals;
	int rc;

	if (lm_signals_open(&signals, err) < 0)
		return -1;
	rc = begin_sinks(a, err);
	if (rc == 0) {
		rc = run_all(a, err);
		if (!a->out->signal)
			a->out->signal = lm_signals_take(&signals);
		rc = end_sinks(a, rc, err);
	}
	if (rc < 0 && !a->out->signal) /* it kept a sink from waiting for its reader */
		a->out->signal = lm_signals_take(&signals);
	lm_signals_close(&signals);
	return rc;
}

static int run_with_sinks(struct alone *a, struct lm_error *err)
{
	int rc;

	a->inner = calloc(a->count + 1, sizeof(*a->inner));
	if (!a->inner)
		return lm_error_sys(err, "a list of sinks");
	for (size_t i = 0; i < a->count; i++) {
		a->inner[i] = a->sinks[i];
		a->inner[i].begin = NULL;
		a->inner[i].end = NULL;
	}
	rc = hold_signals(a, err);
	free(a->inner);
	return rc;
}

int lm_alone_run(const struct lm_plan *plan, const struct lm_sink *sinks, size_t count,
		 struct lm_session_outcome *outcome, struct lm_error *err)
{
	struct lm_plan described = *plan;
	struct lm_facts facts = { 0 };
	struct alone a = { .plan = &described, .sinks = sinks, .count = count, .out = outcome };
	struct lm_error own = { 0 }; /* sinks are told of it, whether the caller asks or not */
	int rc = 0;

	*outcome = (struct lm_session_outcome){ 0 };
	if (!plan->environment) { /* one description for all the sessions */
		described.environment = &facts;
		rc = lm_probes_describe(plan, &facts, &own);
	}
	if (rc == 0)
		rc = run_with_sinks(&a, &own);
	lm_facts_free(&facts);
	if (rc < 0 && err)
		*err = own;
	return rc;
}
