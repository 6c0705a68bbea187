/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/headings.h"

#include "formats/prose.h"
#include "model/figures.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step of a run. */
struct item {
	const struct lm_run *run;
	const struct lm_record *record;
};

static const char *caption_of(const struct lm_run *run)
{
	const char *caption = lm_facts_text_of(&run->environment, "posted.caption", "");

	return lm_facts_text_of(&run->environment, "posted.heading", caption);
}

static int by_load(const void *a, const void *b)
{
	const struct item *p = a, *q = b;
	int order = strcmp(p->run->workload, q->run->workload);

	if (order == 0)
		order = strcmp(p->run->label, q->run->label);
	if (order)
		return order;
	return (p->record->tasks > q->record->tasks) - (p->record->tasks < q->record->tasks);
}

/* A mail that quotes a table and shows it again tells nothing new. */
static bool are_equal(const struct lm_record *a, const struct lm_record *b)
{
	for (enum lm_figure f = 0; f < LM_FIGURES; f++) {
		if (lm_figure_known(a, f) != lm_figure_known(b, f))
			return false;
		if (lm_figure_known(a, f) && lm_figure_value(a, f) != lm_figure_value(b, f))
			return false;
	}
	return true;
}

/* Both are of one load, below headings that differ in more than the number of the run. */
static bool are_apart(const struct item *a, const struct item *b)
{
	char one[LM_PROSE_MAX], other[LM_PROSE_MAX];

	if (by_load(a, b) != 0 || are_equal(a->record, b->record) ||
	    strcmp(caption_of(a->run), caption_of(b->run)) == 0)
		return false;
	lm_prose_heading(caption_of(a->run), a->run->workload, one);
	lm_prose_heading(caption_of(b->run), b->run->workload, other);
	return strcmp(one, other) != 0;
}

static struct item *list_items(const struct lm_runs *runs, size_t first, size_t *count)
{
	struct item *items;
	size_t n = 0;

	for (size_t i = first; i < runs->count; i++)
		n += runs->items[i].count;
	items = calloc(n + 1, sizeof(*items));
	*count = items ? n : 0;
	for (size_t i = first, at = 0; items && i < runs->count; i++)
		for (size_t k = 0; k < runs->items[i].count; k++)
			items[at++] = (struct item){ &runs->items[i], &runs->items[i].records[k] };
	if (items)
		qsort(items, n, sizeof(*items), by_load);
	return items;
}

/* Mark the runs of each workload of which some are apart. */
static void mark(const struct lm_runs *runs, const struct item *items, size_t count, bool *marks)
{
	for (size_t i = 0, n; i < count; i += n) {
		bool apart = false;

		for (n = 1; i + n < count; n++) {
			if (strcmp(items[i].run->workload, items[i + n].run->workload) != 0)
				break;
			apart = apart || are_apart(&items[i + n - 1], &items[i + n]);
		}
		for (size_t k = i; k < i + n; k++)
			marks[items[k].run - runs->items] = apart;
	}
}

static int name_workload(struct lm_run *run, struct lm_error *err)
{
	char heading[LM_PROSE_MAX], *name = NULL;
	bool told = run->workload[0] != '\0';
	int rc;

	lm_prose_heading(caption_of(run), run->workload, heading);
	if (heading[0] == '\0')
		return 0;
	if (asprintf(&name, "%s%s%s%s", run->workload, told ? " (" : "", heading, told ? ")" : "") <
	    0)
		return lm_error_sys(err, "a workload");
	rc = lm_run_text(&run->workload, name, err);
	free(name);
	return rc;
}

int lm_headings_tell_apart(struct lm_runs *runs, size_t first, struct lm_error *err)
{
	size_t count;
	struct item *items = list_items(runs, first, &count);
	bool *marks = calloc(runs->count + 1, sizeof(*marks));
	int rc = 0;

	if (!items || !marks) {
		rc = lm_error_sys(err, "results that were read");
	} else {
		mark(runs, items, count, marks);
		for (size_t i = first; i < runs->count && rc == 0; i++)
			if (marks[i])
				rc = name_workload(&runs->items[i], err);
	}
	free(items);
	free(marks);
	return rc;
}
