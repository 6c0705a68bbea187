/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/work.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

const struct lm_record *lm_telling_step(const struct lm_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->records[i].valid && run->records[i].kind_count > 0)
			return &run->records[i];
	return NULL;
}

/* Steps of one workfile have their kinds in one order, so that place is looked at first. */
static const struct lm_kind_record *find_kind(const struct lm_record *r, const char *name,
					      size_t place)
{
	if (place < r->kind_count && strcmp(r->kinds[place].name, name) == 0)
		return &r->kinds[place];
	for (size_t i = 0; i < r->kind_count; i++)
		if (strcmp(r->kinds[i].name, name) == 0)
			return &r->kinds[i];
	return NULL;
}

/* Every task of a step does the same jobs, so the step has its tasks' number of times as many. */
static bool same_jobs(const struct lm_record *a, const struct lm_record *b)
{
	if (a->kind_count != b->kind_count)
		return false;
	for (size_t i = 0; i < a->kind_count; i++) {
		const struct lm_kind_record *kind = find_kind(b, a->kinds[i].name, i);

		if (!kind || a->kinds[i].jobs * b->tasks != kind->jobs * a->tasks)
			return false;
	}
	return true;
}

/* Whether each kind that is a command in both is the same command. */
static bool same_commands(const struct lm_run *a, const struct lm_run *b)
{
	for (size_t i = 0; i < a->means.count; i++) {
		const struct lm_fact *x = &a->means.items[i];
		const char *y = lm_facts_text_of(&b->means, x->key, NULL);

		if (y && fnmatch("*.command", x->key, 0) == 0 && strcmp(x->text, y) != 0)
			return false;
	}
	return true;
}

bool lm_same_work(const struct lm_run *a_run, const struct lm_record *a, const struct lm_run *b_run,
		  const struct lm_record *b)
{
	return same_jobs(a, b) && same_commands(a_run, b_run);
}

bool lm_same_operations(const struct lm_record *a, const struct lm_record *b)
{
	for (size_t i = 0; i < a->kind_count; i++) {
		const struct lm_kind_record *x = &a->kinds[i], *y = find_kind(b, x->name, i);
		double left = y ? x->operations * (double)y->jobs : 0,
		       right = y ? y->operations * (double)x->jobs : 0;

		if (fabs(left - right) > 1e-9 * fabs(left))
			return false;
	}
	return true;
}
