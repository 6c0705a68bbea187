/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/blame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats.h"

enum { BASE, NOW, SIDES };

/* A kind's figures in one step. */
struct part {
	const struct lm_kind_record *kind;
	unsigned tasks;
	int side;
};

/* Seconds a task, on one side. */
struct times {
	double elapsed, user, system;
};

struct parts {
	struct part *items;
	size_t count;
	size_t steps[SIDES]; /* that tell their kinds */
	double *scratch;     /* as many numbers as there are parts */
};

static bool tells_kinds(const struct lm_record *r)
{
	return r->valid && r->kind_count > 0 && r->tasks > 0;
}

static size_t count_parts(const struct lm_record *const *records, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (tells_kinds(records[i]))
			n += records[i]->kind_count;
	return n;
}

static void add_parts(struct parts *parts, const struct lm_record *const *records, size_t count,
		      int side)
{
	for (size_t i = 0; i < count; i++) {
		const struct lm_record *r = records[i];

		if (!tells_kinds(r))
			continue;
		parts->steps[side]++;
		for (size_t k = 0; k < r->kind_count; k++)
			parts->items[parts->count++] =
				(struct part){ &r->kinds[k], r->tasks, side };
	}
}

static int by_name(const void *a, const void *b)
{
	const struct part *p = a, *q = b;

	return strcmp(p->kind->name, q->kind->name);
}

/* Parts from the first on that are of the same kind. */
static size_t same_kind(const struct part *parts, size_t count)
{
	size_t n = 1;

	while (n < count && by_name(&parts[0], &parts[n]) == 0)
		n++;
	return n;
}

/* Means over all steps of a side, also those that do not have the kind. */
static struct times mean_times(const struct part *parts, size_t count, int side, size_t steps)
{
	struct times t = { 0 };

	for (size_t i = 0; i < count; i++) {
		double scale = 1.0 / parts[i].tasks / (double)steps;

		if (parts[i].side != side)
			continue;
		t.elapsed += parts[i].kind->elapsed_s * scale;
		t.user += parts[i].kind->user_s * scale;
		t.system += parts[i].kind->system_s * scale;
	}
	return t;
}

/* The median over steps of a figure of one job: 0 (the median) or 1 (the 99th percentile). NAN
 * when the side has no such job. */
static double job_time(const struct parts *all, const struct part *parts, size_t count, int side,
		       int which)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (parts[i].side == side && parts[i].kind->jobs > 0)
			all->scratch[n++] = which ? parts[i].kind->p99_s : parts[i].kind->median_s;
	lm_sort(all->scratch, n);
	return n ? lm_quantile(all->scratch, n, 0.5) : NAN;
}

static struct lm_blame_row make_row(const struct parts *all, const struct part *parts, size_t count)
{
	struct times base = mean_times(parts, count, BASE, all->steps[BASE]);
	struct times now = mean_times(parts, count, NOW, all->steps[NOW]);
	struct lm_blame_row row = {
		.kind = parts[0].kind->name,
		.base_s = base.elapsed,
		.now_s = now.elapsed,
		.change_s = now.elapsed - base.elapsed,
		.user_s = now.user - base.user,
		.system_s = now.system - base.system,
		.base_median_s = job_time(all, parts, count, BASE, 0),
		.now_median_s = job_time(all, parts, count, NOW, 0),
		.base_p99_s = job_time(all, parts, count, BASE, 1),
		.now_p99_s = job_time(all, parts, count, NOW, 1),
	};

	row.wait_s = row.change_s - row.user_s - row.system_s;
	return row;
}

static void add_row(struct lm_blame *b, struct lm_blame_row row)
{
	b->base_s += row.base_s;
	b->now_s += row.now_s;
	b->change_s += row.change_s;
	b->user_s += row.user_s;
	b->system_s += row.system_s;
	b->wait_s += row.wait_s;
	b->rows[b->count++] = row;
}

static int falling(const void *a, const void *b)
{
	const struct lm_blame_row *p = a, *q = b;
	int order = (p->change_s < q->change_s) - (p->change_s > q->change_s);

	return order ? order : strcmp(p->kind, q->kind);
}

static int rising(const void *a, const void *b)
{
	const struct lm_blame_row *p = a, *q = b;
	int order = (p->change_s > q->change_s) - (p->change_s < q->change_s);

	return order ? order : strcmp(p->kind, q->kind);
}

static size_t count_kinds(const struct parts *all)
{
	size_t kinds = 0;

	for (size_t i = 0; i < all->count; i += same_kind(&all->items[i], all->count - i))
		kinds++;
	return kinds;
}

static int make_rows(struct lm_blame *b, const struct parts *all)
{
	b->rows = calloc(count_kinds(all), sizeof(*b->rows));
	if (!b->rows)
		return -1;
	for (size_t i = 0, n; i < all->count; i += n) {
		n = same_kind(&all->items[i], all->count - i);
		add_row(b, make_row(all, &all->items[i], n));
	}
	for (size_t i = 0; i < b->count; i++) {
		double share = 100 * (b->rows[i].change_s / b->change_s);

		b->rows[i].share = isfinite(share) ? share : 0;
	}
	qsort(b->rows, b->count, sizeof(*b->rows), b->change_s < 0 ? rising : falling);
	return 0;
}

int lm_blame_of(const struct lm_record *const *base, size_t base_count,
		const struct lm_record *const *now, size_t now_count, struct lm_blame *out)
{
	size_t of_base = count_parts(base, base_count), of_now = count_parts(now, now_count);
	struct parts all = { 0 };
	int rc = -1;

	*out = (struct lm_blame){ 0 };
	if (of_base == 0 || of_now == 0)
		return 0;
	all.items = calloc(of_base + of_now, sizeof(*all.items));
	all.scratch = calloc(of_base + of_now, sizeof(*all.scratch));
	if (all.items && all.scratch) {
		add_parts(&all, base, base_count, BASE);
		add_parts(&all, now, now_count, NOW);
		qsort(all.items, all.count, sizeof(*all.items), by_name);
		rc = make_rows(out, &all);
	}
	free(all.items);
	free(all.scratch);
	return rc;
}

void lm_blame_free(struct lm_blame *blame)
{
	free(blame->rows);
	*blame = (struct lm_blame){ 0 };
}
