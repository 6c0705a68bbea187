/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probes count during a step. */
#ifndef LM_ENGINE_COUNTERS_H
#define LM_ENGINE_COUNTERS_H

#include <loadmix/probe.h>

/* The values of all probes' counters at one moment. */
struct lm_counters {
	double values[LM_MAX_PROBES][LM_MAX_COUNTERS];
	bool known[LM_MAX_PROBES];
};

/* probes is ended by NULL and no longer than LM_MAX_PROBES. */
void lm_counters_read(const struct lm_probe *const *probes, struct lm_counters *now);

/* Add after - before of every counter to out, as facts. 0, or -1 when memory ran out. */
int lm_counters_diff(const struct lm_probe *const *probes, const struct lm_counters *before,
		     const struct lm_counters *after, struct lm_facts *out);

#endif
