/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs as the table that kernel people post. */
#include <stdlib.h>
#include <string.h>

#include "formats/formats.h"
#include "formats/posted_table.h"
#include "formats/writers.h"
#include "model/delay.h"
#include "model/runs.h"

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

static void count_losses(const struct lm_runs *runs, struct lm_losses *losses)
{
	static const unsigned columns =
		1u << LM_FIG_JOBS_PER_MIN | 1u << LM_FIG_REAL | 1u << LM_FIG_CPU;

	for (size_t i = 0; i < runs->count; i++)
		for (size_t k = 0; k < runs->items[i].count; k++)
			lm_writer_keeps(&runs->items[i].records[k], columns, losses);
}

/* A posted table is taken for one of AIM7's unless it says otherwise, and it can say so of the
 * whole of it only. */
static void put_mark(const struct lm_runs *runs, FILE *out, struct lm_losses *losses)
{
	size_t delayed = 0;

	for (size_t i = 0; i < runs->count; i++)
		delayed += lm_run_has_delay(&runs->items[i]);
	losses->mixed_delay = delayed && delayed < runs->count;
	if (!delayed)
		fputs(LM_NO_DELAY_MARK "\n", out);
}

static int write_posted(const struct lm_runs *runs, FILE *out, struct lm_losses *losses,
			struct lm_error *err)
{
	struct lm_set *sets;
	size_t count = 0;
	int rc = -1;

	if (lm_writer_needs_loads(runs, "a posted table", err) < 0)
		return -1;
	put_mark(runs, out, losses);
	count_losses(runs, losses);
	sets = calloc(runs->count + 1, sizeof(*sets));
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
