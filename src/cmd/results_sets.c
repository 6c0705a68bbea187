/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/results_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/likeness.h"
#include "model/runs.h"

/* --- runs into sets ------------------------------------------------------------------------ */

/* A run and where its set's label comes from. */
static const char *label_of(const struct lm_run *run)
{
	const char *kernel = lm_facts_text_of(&run->environment, "kernel.release", NULL);
	const char *slash = strrchr(run->source, '/');

	if (run->label[0])
		return run->label;
	if (kernel)
		return kernel;
	return slash ? slash + 1 : run->source;
}

int lm_sets_add_run(struct lm_set *set, const struct lm_run *run, struct lm_error *err)
{
	const struct lm_run **more = reallocarray(set->runs, set->count + 1, sizeof(*set->runs));

	if (!more)
		return lm_error_sys(err, "a list of runs");
	set->runs = more;
	more[set->count++] = run;
	return 0;
}

struct lm_set *lm_sets_add(struct lm_results *r, const char *label, struct lm_error *err)
{
	if (r->set_count == LM_MAX_SETS) {
		lm_error_set(err, LM_ERR_INPUT, "more than %d labels; choose some with --label",
			     LM_MAX_SETS);
		return NULL;
	}
	r->labels[r->set_count] = strdup(label);
	if (!r->labels[r->set_count]) {
		lm_error_sys(err, "a label");
		return NULL;
	}
	r->sets[r->set_count] = (struct lm_set){ .label = r->labels[r->set_count] };
	return &r->sets[r->set_count++];
}

static struct lm_set *find_set(struct lm_results *r, size_t from, const char *label)
{
	for (size_t i = from; i < r->set_count; i++)
		if (strcmp(r->sets[i].label, label) == 0)
			return &r->sets[i];
	return NULL;
}

static bool has_workload(const struct lm_set *set, const char *workload)
{
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->runs[i]->workload, workload) == 0)
			return true;
	return false;
}

/* Results of other workloads stand beside those of a set, and are no repeats of them. */
static bool is_apart(const struct lm_set *set, const struct lm_runs *file, const char *label)
{
	if (has_workload(set, ""))
		return false;
	for (size_t i = 0; i < file->count; i++) {
		const struct lm_run *run = &file->items[i];

		if (strcmp(label_of(run), label) == 0 &&
		    (run->workload[0] == '\0' || has_workload(set, run->workload)))
			return false;
	}
	return true;
}

/* The set of earlier files that a run's label continues. NULL: there is none, or which it is
 * cannot be told. */
static struct lm_set *continued(struct lm_results *r, size_t first, const struct lm_runs *file,
				const char *label)
{
	struct lm_set *only = NULL;

	for (size_t i = 0; i < first; i++) {
		if (strcmp(r->labels[i], label) != 0)
			continue;
		if (only)
			return NULL;
		only = &r->sets[i];
	}
	return only && is_apart(only, file, label) ? only : NULL;
}

int lm_sets_split(struct lm_results *r, const struct lm_runs *file, struct lm_error *err)
{
	struct lm_set **joined = calloc(file->count + 1, sizeof(*joined));
	size_t first = r->set_count;
	int rc = joined ? 0 : lm_error_sys(err, "a list of runs");

	/* before any run is added: the file's own are repeats of each other */
	for (size_t i = 0; rc == 0 && i < file->count; i++)
		if (file->items[i].label[0])
			joined[i] = continued(r, first, file, file->items[i].label);
	for (size_t i = 0; rc == 0 && i < file->count; i++) {
		const struct lm_run *run = &file->items[i];
		struct lm_set *set = joined[i] ? joined[i] : find_set(r, first, label_of(run));

		if (!set)
			set = lm_sets_add(r, label_of(run), err);
		rc = set ? lm_sets_add_run(set, run, err) : -1;
	}
	free(joined);
	return rc;
}

/* --- runs that were read twice ------------------------------------------------------------- */

/* A set keeps the first of runs that are the same: a copy is no repeat. */
static void drop_copies(struct lm_set *set)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->count; i++) {
		size_t k = 0;

		while (k < kept && !lm_run_same(set->runs[k], set->runs[i]))
			k++;
		if (k == kept)
			set->runs[kept++] = set->runs[i];
		else
			fprintf(stderr, "%s:%ld: the same run as %s:%ld: left out\n",
				set->runs[i]->source, set->runs[i]->line, set->runs[k]->source,
				set->runs[k]->line);
	}
	set->count = kept;
}

/* --- telling sets apart -------------------------------------------------------------------- */

void lm_sets_drop(struct lm_results *r, size_t from)
{
	for (size_t i = from; i < r->set_count; i++) {
		free(r->sets[i].runs);
		free(r->labels[i]);
		free(r->shown[i]);
	}
	r->set_count = from;
}

/* "2.5.69 (old.txt)", with a number when that is another's name as well. */
static char *name_of_file(const struct lm_results *r, size_t set)
{
	const char *source = r->sets[set].runs[0]->source;
	size_t before = 0;
	char *name;
	int n;

	for (size_t i = 0; i < set; i++)
		before += strcmp(r->labels[i], r->labels[set]) == 0 &&
			  strcmp(r->sets[i].runs[0]->source, source) == 0;
	n = before ? asprintf(&name, "%s (%s, %zu)", r->labels[set], source, before + 1)
		   : asprintf(&name, "%s (%s)", r->labels[set], source);
	return n < 0 ? NULL : name;
}

/* Two files of one kernel are two sets; their names tell them apart. */
static int name_apart(struct lm_results *r, struct lm_error *err)
{
	bool twice[LM_MAX_SETS] = { false };

	for (size_t i = 0; i < r->set_count; i++)
		for (size_t k = 0; k < r->set_count; k++)
			twice[i] = twice[i] || (i != k && strcmp(r->labels[i], r->labels[k]) == 0);
	for (size_t i = 0; i < r->set_count; i++) {
		if (!twice[i] || r->sets[i].count == 0)
			continue;
		r->shown[i] = name_of_file(r, i);
		if (!r->shown[i])
			return lm_error_sys(err, "a label");
		r->sets[i].label = r->shown[i];
	}
	return 0;
}

static int unknown_label(const struct lm_results *r, const char *label, struct lm_error *err)
{
	char *names = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&names, &size);

	for (size_t i = 0; f && i < r->set_count; i++)
		fprintf(f, "%s%s", i ? ", " : "", r->sets[i].label);
	if (f)
		fclose(f);
	lm_error_at(err, "--label", 0, 0, "there is no '%.200s' in the results, which are of: %s",
		    label, names ? names : "");
	free(names);
	return -1;
}

static void swap_sets(struct lm_results *r, size_t a, size_t b)
{
	struct lm_set set = r->sets[a];
	char *label = r->labels[a], *shown = r->shown[a];
	bool given = r->given[a];

	r->sets[a] = r->sets[b];
	r->labels[a] = r->labels[b];
	r->shown[a] = r->shown[b];
	r->given[a] = r->given[b];
	r->sets[b] = set;
	r->labels[b] = label;
	r->shown[b] = shown;
	r->given[b] = given;
}

/* Keep the sets that --label names, in its order. */
static int choose(const struct lm_results_options *o, struct lm_results *r, struct lm_error *err)
{
	for (size_t i = 0; i < o->label_count; i++) {
		struct lm_set *found = find_set(r, i, o->labels[i]);

		for (size_t k = 0; k < i; k++)
			if (strcmp(o->labels[k], o->labels[i]) == 0)
				return lm_error_at(err, "--label", 0, 0, "'%.200s' is given twice",
						   o->labels[i]);
		if (!found)
			return unknown_label(r, o->labels[i], err);
		swap_sets(r, i, (size_t)(found - r->sets));
	}
	if (o->label_count)
		lm_sets_drop(r, o->label_count);
	return 0;
}

int lm_sets_settle(const struct lm_results_options *o, struct lm_results *r, struct lm_error *err)
{
	for (size_t i = 0; i < r->set_count; i++)
		drop_copies(&r->sets[i]);
	return name_apart(r, err) < 0 ? -1 : choose(o, r, err);
}
