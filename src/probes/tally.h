/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One fact for a setting that may differ between the processors or disks of a machine. */
#ifndef LM_PROBES_TALLY_H
#define LM_PROBES_TALLY_H

#include <loadmix/probe.h>

#define LM_TALLY_VALUES 16

/* Zero-initialise. */
struct lm_tally {
	struct {
		char text[128];
		unsigned count;
	} values[LM_TALLY_VALUES];
	size_t count;    /* of different values */
	unsigned others; /* counted beyond LM_TALLY_VALUES different ones */
};

void lm_tally_add(struct lm_tally *tally, const char *text);

/* Add the fact: null when there was no value, the value when all are the same, else
 * "performance (3), powersave (1)" in the order they came. 0, or -1 when memory ran out. */
int lm_tally_text(const struct lm_tally *tally, const char *key, struct lm_facts *out);

/* The same as a number; null when they differ. */
int lm_tally_number(const struct lm_tally *tally, const char *key, struct lm_facts *out);

#endif
