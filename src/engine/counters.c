/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/counters.h"

void lm_counters_read(const struct lm_probe *const *probes, struct lm_counters *now)
{
	for (size_t i = 0; i < LM_MAX_PROBES && probes[i]; i++)
		now->known[i] = probes[i]->counters && probes[i]->read(now->values[i]) == 0;
}

int lm_counters_diff(const struct lm_probe *const *probes, const struct lm_counters *before,
		     const struct lm_counters *after, struct lm_facts *out)
{
	int rc = 0;

	for (size_t i = 0; i < LM_MAX_PROBES && probes[i]; i++) {
		const char *const *names = probes[i]->counters;

		for (size_t k = 0; names && names[k] && k < LM_MAX_COUNTERS; k++) {
			if (before->known[i] && after->known[i])
				rc |= lm_facts_number(out, names[k],
						      after->values[i][k] - before->values[i][k]);
			else
				rc |= lm_facts_text(out, names[k], NULL);
		}
	}
	return rc;
}
