/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of probes. */
#ifndef LM_PROBES_H
#define LM_PROBES_H

#include <loadmix/error.h>
#include <loadmix/probe.h>

extern const struct lm_probe lm_probe_null;
extern const struct lm_probe lm_probe_system;
extern const struct lm_probe lm_probe_virtual;
extern const struct lm_probe lm_probe_processors;
extern const struct lm_probe lm_probe_memory;
extern const struct lm_probe lm_probe_directories;
extern const struct lm_probe lm_probe_limits;
extern const struct lm_probe lm_probe_cgroup;
extern const struct lm_probe lm_probe_power;
extern const struct lm_probe lm_probe_load;
extern const struct lm_probe lm_probe_build;
extern const struct lm_probe lm_probe_cpu;

extern const struct lm_probe *const lm_probes[]; /* ended by NULL */

/* Check every descriptor: name set and unique, read set where there are counters, and not more than
 * LM_MAX_COUNTERS of them. 0, or -1 with err. */
int lm_probes_check(struct lm_error *err);

/* Ask every probe of the list for its facts. 0, or -1 with err when memory ran out. */
int lm_probes_describe(const struct lm_plan *plan, struct lm_facts *out, struct lm_error *err);

/*
 * What the probes' describe() are made of, for tests: root comes before the path of every file, and
 * is "" on this machine. signature is what the hypervisor calls itself, "" or NULL when nobody
 * tells. Return 0, or not when memory ran out.
 */
int lm_system_facts(const char *root, struct lm_facts *out);
int lm_virtual_facts(const char *root, const char *signature, struct lm_facts *out);
int lm_processor_facts(const char *root, struct lm_facts *out);
int lm_memory_facts(const char *root, struct lm_facts *out);
int lm_directory_facts(const char *root, const struct lm_plan *plan, struct lm_facts *out);
int lm_limit_facts(const char *root, struct lm_facts *out);
int lm_cgroup_facts(const char *root, struct lm_facts *out);
int lm_power_facts(const char *root, struct lm_facts *out);
int lm_load_facts(const char *root, struct lm_facts *out);

#endif
