/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs as the table that kernel people post. */
#include <stdlib.h>
#include <string.h>

#include "formats/posted_table.h"
#include "formats/writers.h"

/* The set of that label, made at need; sets has room for all. */
static struct lm_set *set_of(struct lm_set *sets, size_t *count, const char *label)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp(sets[i].label, label) == 0)
			return &sets[i];
	sets[*count] = (struct lm_set){ .label = label };
	return &sets[(*count)++];
}

static int collect(const struct lm_runs *runs, struct lm_set *sets, size_t *count)
{
	for (size_t i = 0; i < runs->count; i++) {
		struct lm_set *set = set_of(sets, count, runs->items[i].label);
		const struct lm_run **more =
			reallocarray(set->runs, set->count + 1, sizeof(*set->runs));

		if (!more)
			return -1;
		set->runs = more;
		more[set->count++] = &runs->items[i];
	}
	return 0;
}

static int write_posted(const struct lm_runs *runs, FILE *out, struct lm_error *err)
{
	struct lm_set *sets = calloc(runs->count + 1, sizeof(*sets));
	size_t count = 0;
	int rc = -1;

	if (sets && collect(runs, sets, &count) == 0)
		rc = lm_posted_table(sets, count, out);
	for (size_t i = 0; i < count; i++)
		free(sets[i].runs);
	free(sets);
	return rc < 0 ? lm_error_sys(err, "a table") : 0;
}

const struct lm_writer lm_writer_posted = {
	.name = "posted",
	.summary = "kernel Tasks Jobs/Min Real CPU, a row a label and load",
	.write = write_posted,
};
