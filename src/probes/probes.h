/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of probes. */
#ifndef LM_PROBES_H
#define LM_PROBES_H

#include <loadmix/error.h>
#include <loadmix/probe.h>

extern const struct lm_probe lm_probe_null;
extern const struct lm_probe lm_probe_environment;
extern const struct lm_probe lm_probe_cpu;

extern const struct lm_probe *const lm_probes[]; /* ended by NULL */

/* Check every descriptor: name set and unique, read set where there are counters, and not more than
 * LM_MAX_COUNTERS of them. 0, or -1 with err. */
int lm_probes_check(struct lm_error *err);

#endif
