/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probes/probes.h"

#include <string.h>

const struct lm_probe *const lm_probes[] = {
	&lm_probe_system,      &lm_probe_virtual, &lm_probe_processors, &lm_probe_memory,
	&lm_probe_directories, &lm_probe_limits,  &lm_probe_cgroup,     &lm_probe_power,
	&lm_probe_load,        &lm_probe_build,   &lm_probe_cpu,        NULL,
};

_Static_assert(sizeof(lm_probes) / sizeof(*lm_probes) - 1 <= LM_MAX_PROBES,
	       "LM_MAX_PROBES is what the engine has room for");

static int check_counters(const struct lm_probe *p, struct lm_error *err)
{
	size_t n = 0;

	while (p->counters && p->counters[n])
		n++;
	if (n <= LM_MAX_COUNTERS && (n == 0 || p->read))
		return 0;
	return lm_error_set(err, LM_ERR_SYSTEM, "probe %s has %zu counters, or no read", p->name,
			    n);
}

int lm_probes_check(struct lm_error *err)
{
	for (size_t i = 0; lm_probes[i]; i++) {
		if (!lm_probes[i]->name)
			return lm_error_set(err, LM_ERR_SYSTEM, "probe %zu has no name", i);
		for (size_t k = 0; k < i; k++)
			if (!strcmp(lm_probes[i]->name, lm_probes[k]->name))
				return lm_error_set(err, LM_ERR_SYSTEM, "two probes named %s",
						    lm_probes[i]->name);
		if (check_counters(lm_probes[i], err) < 0)
			return -1;
	}
	return 0;
}

int lm_probes_describe(const struct lm_plan *plan, struct lm_facts *out, struct lm_error *err)
{
	for (size_t i = 0; lm_probes[i]; i++)
		if (lm_probes[i]->describe && lm_probes[i]->describe(plan, out) < 0)
			return lm_error_sys(err, "facts about this machine");
	return 0;
}
