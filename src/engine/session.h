/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session runs a plan from its first step to its last and tells every sink. */
#ifndef LM_ENGINE_SESSION_H
#define LM_ENGINE_SESSION_H

#include <loadmix/error.h>
#include <loadmix/plan.h>
#include <loadmix/policy.h>
#include <loadmix/probe.h>
#include <loadmix/sink.h>

struct lm_session {
	const struct lm_plan *plan;
	const struct lm_policy *policy;
	const struct lm_probe *const *probes; /* ended by NULL */
	struct lm_sink *sinks;                /* each record goes to them in this order */
	size_t sink_count;
	unsigned steps_before; /* numbers of the steps follow this one */
	/* steps that were run already, in their order; the sweep goes on after them, and the
	 * summary counts them. Sinks are not told of them */
	const struct lm_record *before;
	size_t before_count;
};

struct lm_session_outcome {
	struct lm_summary summary;
	int signal;    /* the signal that ended the session, 0: none */
	bool complete; /* the sweep came to its end, perhaps before the signal */
};

/*
 * Run it. 0: the sweep is complete or was ended by a signal (outcome->signal); -1 with err: it
 * could not begin, or could not go on, perhaps beside a signal; what was measured before has
 * reached the sinks. After this no process, file or mapping of the session is left. The sinks are
 * not closed.
 */
int lm_session_run(const struct lm_session *session, struct lm_session_outcome *outcome,
		   struct lm_error *err);

#endif
