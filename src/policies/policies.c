/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policies/policies.h"

#include <string.h>

const struct lm_policy *const lm_policies[] = {
	&lm_policy_fixed,  &lm_policy_points, &lm_policy_adaptive,
	&lm_policy_newton, &lm_policy_peak,   NULL,
};

const struct lm_policy *lm_policy_find(const char *name)
{
	for (size_t i = 0; lm_policies[i]; i++) {
		if (lm_policies[i]->name && strcmp(lm_policies[i]->name, name) == 0)
			return lm_policies[i];
	}
	return NULL;
}

int lm_policies_check(struct lm_error *err)
{
	for (size_t i = 0; lm_policies[i]; i++) {
		const struct lm_policy *policy = lm_policies[i];

		if (!policy->name || !policy->name[0] || !policy->summary || !policy->next)
			return lm_error_set(err, LM_ERR_SYSTEM,
					    "the program is faulty: sweep policy %zu ('%s') has no "
					    "name, summary or next function",
					    i, policy->name ? policy->name : "");
		if (lm_policy_find(policy->name) != policy)
			return lm_error_set(err, LM_ERR_SYSTEM,
					    "the program is faulty: two sweep policies are named "
					    "'%s'",
					    policy->name);
	}
	return 0;
}
