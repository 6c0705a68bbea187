/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of sweep policies. */
#ifndef LM_POLICIES_H
#define LM_POLICIES_H

#include <loadmix/error.h>
#include <loadmix/policy.h>

extern const struct lm_policy lm_policy_fixed;    /* one range */
extern const struct lm_policy lm_policy_points;   /* a list of ranges */
extern const struct lm_policy lm_policy_adaptive; /* one range; the increment follows the times */
extern const struct lm_policy lm_policy_newton;   /* one range; small steps near the crossover */
extern const struct lm_policy lm_policy_peak;     /* one range; the increment is not looked at */

extern const struct lm_policy *const lm_policies[]; /* ended by NULL */

/* The policy of that name, or NULL. */
const struct lm_policy *lm_policy_find(const char *name);

/* Check every descriptor: name, summary and next set, names unique. 0, or -1 with err. */
int lm_policies_check(struct lm_error *err);

#endif
