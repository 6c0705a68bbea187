/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which steps of two sets stand against each other. */
#include "model/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/blame.h"
#include "model/common.h"
#include "model/figures.h"
#include "model/runs.h"
#include "model/work.h"

/* A step of a set, and what it is compared by. */
struct item {
	const struct lm_run *run;
	const struct lm_record *record;
	const char *workload;
	const char *kind; /* "" but in single mode */
	size_t place;     /* in the set */
};

struct items {
	struct item *items;
	size_t count;
};

/* Items that follow one another in a sorted list. */
struct span {
	const struct item *items;
	size_t count;
};

/* --- the steps of a set in order ----------------------------------------------------------------
 */

/* The one workload that a set names; NULL when it names none, or several. */
static const char *only_workload(const struct lm_set *set, bool *named)
{
	const char *only = NULL;

	*named = false;
	for (size_t i = 0; i < set->count; i++) {
		const char *workload = set->runs[i]->workload;

		if (workload[0] == '\0')
			continue;
		if (*named && (!only || strcmp(only, workload) != 0))
			only = NULL;
		else
			only = workload;
		*named = true;
	}
	return only;
}

/* What runs without a workload are taken for. */
static const char *default_workload(const struct lm_set *set, const struct lm_set *other)
{
	bool named, other_named;
	const char *only;

	only_workload(set, &named);
	only = only_workload(other, &other_named);
	return !named && only ? only : "";
}

static size_t count_steps(const struct lm_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->count; i++)
		n += set->runs[i]->count;
	return n;
}

static void add_run(struct items *out, const struct lm_run *run, const char *unnamed)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct lm_record *r = &run->records[i];

		out->items[out->count] = (struct item){
			.run = run,
			.record = r,
			.workload = run->workload[0] ? run->workload : unnamed,
			.kind = lm_run_kind(run, r),
			.place = out->count,
		};
		out->count++;
	}
}

static int by_group(const struct item *a, const struct item *b)
{
	int order = strcmp(a->workload, b->workload);

	return order ? order : strcmp(a->kind, b->kind);
}

static int by_load(const struct item *a, const struct item *b)
{
	return (a->record->tasks > b->record->tasks) - (a->record->tasks < b->record->tasks);
}

static int in_order(const void *a, const void *b)
{
	const struct item *p = a, *q = b;
	int order = by_group(p, q);

	if (order == 0)
		order = by_load(p, q);
	return order ? order : (p->place > q->place) - (p->place < q->place);
}

static int collect(const struct lm_set *set, const struct lm_set *other, struct items *out)
{
	const char *unnamed = default_workload(set, other);

	out->items = calloc(count_steps(set) + 1, sizeof(*out->items));
	if (!out->items)
		return -1;
	for (size_t i = 0; i < set->count; i++)
		add_run(out, set->runs[i], unnamed);
	qsort(out->items, out->count, sizeof(*out->items), in_order);
	return 0;
}

/* Take the next items that are equal to the first one off the front of all. */
static struct span take(struct span *all, int (*compare)(const struct item *, const struct item *))
{
	struct span s = { all->items, 0 };

	while (s.count < all->count && compare(&s.items[0], &s.items[s.count]) == 0)
		s.count++;
	all->items += s.count;
	all->count -= s.count;
	return s;
}

/*
 * Walk two sorted lists side by side: the next items that are equal, of either or both; a side that
 * has none of them gets an empty span. false at the end.
 */
static bool take_pair(struct span all[2], struct span out[2],
		      int (*compare)(const struct item *, const struct item *))
{
	int order;

	if (all[0].count == 0 && all[1].count == 0)
		return false;
	order = all[1].count == 0   ? -1
		: all[0].count == 0 ? 1
				    : compare(all[0].items, all[1].items);
	out[0] = out[1] = (struct span){ 0 };
	if (order <= 0)
		out[0] = take(&all[0], compare);
	if (order >= 0)
		out[1] = take(&all[1], compare);
	return true;
}

/* --- a task count -------------------------------------------------------------------------------
 */

static unsigned count_valid(struct span s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s.count; i++)
		n += s.items[i].record->valid;
	return n;
}

/* The values of a figure in valid steps; none when one of them does not tell it. A run of few rows
 * may look rounder than it was printed: the finest grain is nearest to the truth. */
static struct lm_values values_of(struct span s, enum lm_figure figure, double *room)
{
	struct lm_values v = { .items = room };

	for (size_t i = 0; i < s.count; i++) {
		const struct lm_record *r = s.items[i].record;

		if (!r->valid)
			continue;
		if (!lm_figure_known(r, figure))
			return (struct lm_values){ .items = room };
		room[v.count++] = lm_figure_value(r, figure);
		if (r->grains[figure] > 0 && (!(v.grain > 0) || r->grains[figure] < v.grain))
			v.grain = r->grains[figure];
	}
	return v;
}

static void compare_figures(struct lm_cell *cell, const struct span sides[2], double *values)
{
	for (enum lm_figure f = 0; f < LM_FIGURES; f++) {
		struct lm_values base = values_of(sides[0], f, values);
		struct lm_values now = values_of(sides[1], f, values + sides[0].count);
		bool known = base.count > 0 && now.count > 0;

		cell->known |= (unsigned)known << f;
		if (!known)
			base.count = now.count = 0;
		cell->figures[f] = lm_change_of(&base, &now, lm_figure_info(f)->more_is_better);
	}
}

static int compare_kinds(struct lm_cell *cell, const struct span sides[2])
{
	const struct lm_record **records =
		calloc(sides[0].count + sides[1].count, sizeof(*records));
	const struct lm_record **others;
	int rc;

	if (!records)
		return -1;
	others = records + sides[0].count;
	for (size_t i = 0; i < sides[0].count; i++)
		records[i] = sides[0].items[i].record;
	for (size_t i = 0; i < sides[1].count; i++)
		others[i] = sides[1].items[i].record;
	rc = lm_blame_of(records, sides[0].count, others, sides[1].count, &cell->blame);
	free(records);
	return rc;
}

static int make_cell(struct lm_cell *cell, const struct span sides[2])
{
	double *values = calloc(sides[0].count + sides[1].count, sizeof(*values));

	if (!values)
		return -1;
	cell->tasks = sides[0].items[0].record->tasks;
	cell->base_invalid = (unsigned)sides[0].count - count_valid(sides[0]);
	cell->now_invalid = (unsigned)sides[1].count - count_valid(sides[1]);
	compare_figures(cell, sides, values);
	free(values);
	return compare_kinds(cell, sides);
}

/* --- a workload ---------------------------------------------------------------------------------
 */

static size_t count_loads(struct span s)
{
	size_t n = 0;

	for (; s.count > 0; n++)
		take(&s, by_load);
	return n;
}

/* Between which numbers the jobs per task of a step are. false: nothing is known of them. */
static bool jobs_of(const struct item *item, double *least, double *most)
{
	unsigned told = item->record->jobs_per_task ? item->record->jobs_per_task
						    : item->run->jobs_per_task;

	*least = told ? told : item->run->jobs_least;
	*most = told ? told : item->run->jobs_most;
	return *most > 0;
}

static bool is_told(const struct item *item)
{
	return item->record->jobs_per_task || item->run->jobs_per_task;
}

/* Steps did other work when there is no number that all of them may have. */
struct common_jobs {
	double least, most;
};

static struct lm_jobs find_jobs(struct span s, struct common_jobs *common)
{
	struct lm_jobs jobs = { .told = true };
	double least, most;

	for (size_t i = 0; i < s.count; i++) {
		if (!jobs_of(&s.items[i], &least, &most))
			continue;
		common->least = fmax(common->least, least);
		common->most = fmin(common->most, most);
		if (!jobs.most || ceil(least) < jobs.least)
			jobs.least = (unsigned)ceil(least);
		if (floor(most) > jobs.most)
			jobs.most = (unsigned)floor(most);
		jobs.told &= is_told(&s.items[i]);
	}
	jobs.told &= jobs.most > 0;
	return jobs;
}

static bool same_jobs(const struct item *a, const struct item *b)
{
	return lm_same_work(a->run, a->record, b->run, b->record);
}

static bool same_operations(const struct item *a, const struct item *b)
{
	return lm_same_operations(a->record, b->record);
}

/* Of valid steps that tell their kinds: is there one for which same() does not hold? */
static bool any_differs(const struct span sides[2],
			bool (*same)(const struct item *a, const struct item *b))
{
	const struct item *first = NULL;

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side].count; i++) {
			const struct item *item = &sides[side].items[i];

			if (!item->record->valid || item->record->kind_count == 0)
				continue;
			if (first && !same(first, item))
				return true;
			first = first ? first : item;
		}
	return false;
}

static void set_jobs(struct lm_comparison *c, const struct span sides[2])
{
	struct common_jobs common = { 0, HUGE_VAL };

	if (c->kind)
		return;
	c->base_jobs = find_jobs(sides[0], &common);
	c->now_jobs = find_jobs(sides[1], &common);
	/* as many jobs may be other ones: an edited workfile keeps its name */
	c->kinds_differ = any_differs(sides, same_jobs);
	c->jobs_differ = c->kinds_differ || common.least > common.most;
}

static int make_room(struct lm_comparison *c, size_t loads)
{
	struct lm_loads *lists[] = { &c->base_only, &c->now_only, &c->base_invalid,
				     &c->now_invalid };
	bool failed = false;

	c->cells = calloc(loads, sizeof(*c->cells));
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		lists[i]->tasks = calloc(loads, sizeof(*lists[i]->tasks));
		failed |= !lists[i]->tasks;
	}
	return failed || !c->cells ? -1 : 0;
}

static void add_load(struct lm_loads *list, unsigned tasks)
{
	list->tasks[list->count++] = tasks;
}

static int add_task_count(struct lm_comparison *c, const struct span sides[2])
{
	const struct span *any = sides[0].count > 0 ? &sides[0] : &sides[1];
	unsigned tasks = any->items[0].record->tasks;
	bool base = count_valid(sides[0]) > 0, now = count_valid(sides[1]) > 0;

	if (sides[0].count > 0 && !base)
		add_load(&c->base_invalid, tasks);
	if (sides[1].count > 0 && !now)
		add_load(&c->now_invalid, tasks);
	if (base && now && any_differs(sides, same_operations))
		c->kinds_differ = c->jobs_differ = true;
	if (base && now)
		return make_cell(&c->cells[c->count++], sides);
	if (base)
		add_load(&c->base_only, tasks);
	if (now)
		add_load(&c->now_only, tasks);
	return 0;
}

static int make_comparison(struct lm_comparison *c, const struct span sides[2])
{
	struct span rest[2] = { sides[0], sides[1] }, load[2];
	const struct item *first = sides[0].items;

	c->workload = first->workload;
	c->kind = first->kind[0] ? first->kind : NULL;
	set_jobs(c, sides);
	if (make_room(c, count_loads(sides[0]) + count_loads(sides[1])) < 0)
		return -1;
	while (take_pair(rest, load, by_load))
		if (add_task_count(c, load) < 0)
			return -1;
	return 0;
}

/* --- all workloads ------------------------------------------------------------------------------
 */

/* Where a group begins in its set, the groups of which are put back in that order. */
struct group {
	struct span sides[2];
	size_t place;
};

static int by_place(const void *a, const void *b)
{
	const struct group *p = a, *q = b;

	return (p->place > q->place) - (p->place < q->place);
}

static size_t first_place(struct span s)
{
	size_t place = s.items[0].place;

	for (size_t i = 1; i < s.count; i++)
		if (s.items[i].place < place)
			place = s.items[i].place;
	return place;
}

/* All groups of either side; those that the base has come in its order, the others follow. */
static size_t find_groups(const struct items sets[2], struct group *groups)
{
	struct span rest[2] = { { sets[0].items, sets[0].count },
				{ sets[1].items, sets[1].count } };
	size_t n = 0;

	while (take_pair(rest, groups[n].sides, by_group)) {
		struct span *s = groups[n].sides;

		groups[n++].place =
			s[0].count > 0 ? first_place(s[0]) : sets[0].count + first_place(s[1]);
	}
	qsort(groups, n, sizeof(*groups), by_place);
	return n;
}

static void add_name(struct lm_names *list, const struct item *item)
{
	list->names[list->count++] = item->kind[0] ? item->kind : item->workload;
}

static int compare_groups(const struct group *groups, size_t count, const struct lm_set *base,
			  const struct lm_set *now, struct lm_comparisons *out)
{
	out->items = calloc(count + 1, sizeof(*out->items));
	out->base_only.names = calloc(count + 1, sizeof(*out->base_only.names));
	out->now_only.names = calloc(count + 1, sizeof(*out->now_only.names));
	if (!out->items || !out->base_only.names || !out->now_only.names)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct span *s = groups[i].sides;
		struct lm_comparison *c = &out->items[out->count];

		if (s[1].count == 0)
			add_name(&out->base_only, s[0].items);
		else if (s[0].count == 0)
			add_name(&out->now_only, s[1].items);
		else {
			*c = (struct lm_comparison){ .base = base, .now = now };
			out->count++;
			if (make_comparison(c, s) < 0)
				return -1;
		}
	}
	return 0;
}

static int compare_items(const struct items sets[2], const struct lm_set *base,
			 const struct lm_set *now, struct lm_comparisons *out)
{
	struct group *groups = calloc(sets[0].count + sets[1].count + 1, sizeof(*groups));
	int rc;

	if (!groups)
		return -1;
	rc = compare_groups(groups, find_groups(sets, groups), base, now, out);
	free(groups);
	return rc;
}

/* --- the comparison ----------------------------------------------------------------------------
 */

int lm_compare(const struct lm_set *base, const struct lm_set *now, struct lm_comparisons *out,
	       struct lm_error *err)
{
	struct items sets[2] = { 0 };
	int rc = -1;

	*out = (struct lm_comparisons){ 0 };
	if (collect(base, now, &sets[0]) == 0 && collect(now, base, &sets[1]) == 0)
		rc = compare_items(sets, base, now, out);
	if (rc < 0)
		lm_error_sys(err, "comparing %zu and %zu steps", sets[0].count, sets[1].count);
	else
		rc = lm_common_check(base, now, out, err);
	free(sets[0].items);
	free(sets[1].items);
	return rc;
}

static void free_comparison(struct lm_comparison *c)
{
	for (size_t i = 0; i < c->count; i++)
		lm_blame_free(&c->cells[i].blame);
	free(c->cells);
	free(c->base_only.tasks);
	free(c->now_only.tasks);
	free(c->base_invalid.tasks);
	free(c->now_invalid.tasks);
}

void lm_comparisons_free(struct lm_comparisons *c)
{
	for (size_t i = 0; i < c->count; i++)
		free_comparison(&c->items[i]);
	free(c->items);
	free(c->base_only.names);
	free(c->now_only.names);
	*c = (struct lm_comparisons){ 0 };
}

/* --- for people ---------------------------------------------------------------------------------
 */

const char *lm_comparison_name(const struct lm_comparison *c, char *buf, size_t size)
{
	const char *kind = c->kind ? c->kind : "";

	snprintf(buf, size, "%.*s%s%s", 200, c->workload, c->workload[0] && kind[0] ? ", " : "",
		 kind);
	return buf;
}

const char *lm_jobs_text(const struct lm_jobs *jobs, char *buf, size_t size)
{
	if (jobs->most == 0)
		snprintf(buf, size, "an unknown number of");
	else if (jobs->least == jobs->most)
		snprintf(buf, size, "%u", jobs->least);
	else
		snprintf(buf, size, "%u to %u", jobs->least, jobs->most);
	return buf;
}
