/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe tells what the machine is (once a run) or counts what it did (around each step).
 * What a system does not have is a fact without a value, never an error.
 */
#ifndef LOADMIX_PROBE_H
#define LOADMIX_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct lm_plan;

enum lm_fact_type { LM_FACT_NULL, LM_FACT_NUMBER, LM_FACT_TEXT };

struct lm_fact {
	char *key; /* "group.name", the unit as a suffix: "memory.total_kib" */
	enum lm_fact_type type;
	double number;
	char *text;
};

/* A list of facts in the order they were added. Zero-initialise; lm_facts_free() empties it. */
struct lm_facts {
	struct lm_fact *items;
	size_t count;
};

/* Add a fact; the strings are copied. text NULL adds a fact without a value.
 * Return 0, or -1 when memory ran out. */
int lm_facts_text(struct lm_facts *facts, const char *key, const char *text);
int lm_facts_number(struct lm_facts *facts, const char *key, double number);
/* NULL when there is none of that key. */
const struct lm_fact *lm_facts_find(const struct lm_facts *facts, const char *key);
/* The value of the first fact of that key that is a text, or a number; otherwise when there is
 * none.
 */
const char *lm_facts_text_of(const struct lm_facts *facts, const char *key, const char *otherwise);
double lm_facts_number_of(const struct lm_facts *facts, const char *key, double otherwise);
/* Add all facts of another list. */
int lm_facts_copy(struct lm_facts *facts, const struct lm_facts *from);
void lm_facts_free(struct lm_facts *facts);

/*
 * describe  in the parent, once before the first step: add facts about the machine. May be NULL
 * read      in the parent, just before the gate opens and again after the last task has ended: the
 *           present values of the counters, in the order of their names; -1 = not to be had here.
 *           Must be quick. Needed when counters is set
 */
struct lm_probe {
	const char *name;
	int (*describe)(const struct lm_plan *plan, struct lm_facts *out);
	const char *const *counters; /* names with units, ended by NULL; or NULL */
	int (*read)(double *values);
};

#define LM_MAX_COUNTERS 32
#define LM_MAX_PROBES   32

#endif
