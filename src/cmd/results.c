/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of results that a command line names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/results_sets.h"
#include "formats/readers.h"
#include "model/delay.h"
#include "model/runs.h"

/* --- files --------------------------------------------------------------------------------- */

static void tell_notes(const struct lm_runs *file)
{
	const struct lm_run *last = file->count ? &file->items[file->count - 1] : NULL;

	if (last && last->torn)
		fprintf(stderr, "%s: the last line is torn and not used\n", last->source);
	for (size_t i = 0; i < file->note_count; i++)
		fprintf(stderr, "%s:%ld: %s\n", file->notes[i].source, file->notes[i].line,
			file->notes[i].text);
}

static void take_delay(struct lm_run *run)
{
	if (lm_run_delay_taken(run))
		fprintf(stderr,
			"%s:%ld: AIM7's delay was taken out of this run before: it is left "
			"as it is\n",
			run->source, run->line);
	else
		lm_run_take_delay(run);
	for (size_t i = 0; i < run->count; i++)
		if (run->records[i].problem_count)
			fprintf(stderr, "%s:%ld: INVALID: %s\n", run->source, run->records[i].line,
				run->records[i].problems[0]);
}

/* NULL with err. */
static struct lm_runs *load(const struct lm_results_options *o, struct lm_results *r,
			    const char *path, struct lm_error *err)
{
	struct lm_runs *file = &r->files[r->file_count++];
	int rc = lm_runs_load(path, file, err);

	tell_notes(file);
	if (rc < 0)
		return NULL;
	for (size_t i = 0; i < file->count && o->aim7_delay; i++)
		take_delay(&file->items[i]);
	return file;
}

/* LABEL=FILE,FILE: all their runs are one set. */
static int open_labelled(const struct lm_results_options *o, struct lm_results *r, char *arg,
			 struct lm_error *err)
{
	char *equals = strchr(arg, '='), *rest = equals + 1, *path;
	struct lm_set *set;

	*equals = '\0';
	set = lm_sets_add(r, arg, err);
	if (set)
		r->given[set - r->sets] = true;
	while (set && (path = strsep(&rest, ",")) != NULL) {
		const struct lm_runs *file = load(o, r, path, err);

		for (size_t i = 0; file && i < file->count; i++)
			if (lm_sets_add_run(set, &file->items[i], err) < 0)
				return -1;
		if (!file)
			return -1;
	}
	return set ? 0 : -1;
}

/* A table of several kernels that names no workload, beside other files, is called after its file:
 * else it could not be told from the tables of other workloads. */
static int name_workload(struct lm_runs *file, struct lm_error *err)
{
	const char *label = NULL;
	bool several = false;

	for (size_t i = 0; i < file->count; i++) {
		const struct lm_run *run = &file->items[i];

		if (run->workload[0] || !run->label[0])
			return 0;
		several |= label && strcmp(label, run->label) != 0;
		label = run->label;
	}
	for (size_t i = 0; several && i < file->count; i++) {
		const char *slash = strrchr(file->items[i].source, '/');
		char *stem = strdup(slash ? slash + 1 : file->items[i].source), *dot;
		int rc = stem ? 0 : lm_error_sys(err, "a name");

		if (stem && (dot = strrchr(stem, '.')) && dot != stem)
			*dot = '\0';
		if (stem)
			rc = lm_run_text(&file->items[i].workload, stem, err);
		free(stem);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static size_t count_bare(const struct lm_results_options *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->arg_count; i++)
		n += lm_results_is_bare(o->args[i]);
	return n;
}

static int open_bare(const struct lm_results_options *o, struct lm_results *r, const char *path,
		     struct lm_error *err)
{
	struct lm_runs *file;

	if (strchr(path, ',') && access(path, F_OK) < 0)
		return lm_error_at(err, path, 0, 0,
				   "is no file that is there; several files are one set when that "
				   "has a name: LABEL=%s",
				   path);
	file = load(o, r, path, err);
	if (!file || (count_bare(o) > 1 && name_workload(file, err) < 0))
		return -1;
	return lm_sets_split(r, file, err);
}

static int open_arg(const struct lm_results_options *o, struct lm_results *r, const char *arg,
		    struct lm_error *err)
{
	char *copy;
	int rc;

	if (lm_results_is_bare(arg))
		return open_bare(o, r, arg, err);
	copy = strdup(arg);
	if (!copy)
		return lm_error_sys(err, "a list of files");
	rc = open_labelled(o, r, copy, err);
	free(copy);
	return rc;
}

/* --- the whole ----------------------------------------------------------------------------- */

/* At most as many as there are commas and arguments. */
static size_t count_files(const struct lm_results_options *o)
{
	size_t n = o->arg_count;

	for (size_t i = 0; i < o->arg_count; i++)
		for (const char *c = o->args[i]; *c; c++)
			n += *c == ',';
	return n;
}

int lm_results_open(const struct lm_results_options *o, struct lm_results *r, struct lm_error *err)
{
	*r = (struct lm_results){ .files = calloc(count_files(o) + 1, sizeof(*r->files)),
				  .sets = calloc(LM_MAX_SETS, sizeof(*r->sets)),
				  .labels = calloc(LM_MAX_SETS, sizeof(*r->labels)),
				  .shown = calloc(LM_MAX_SETS, sizeof(*r->shown)),
				  .given = calloc(LM_MAX_SETS, sizeof(*r->given)) };
	if (!r->files || !r->sets || !r->labels || !r->shown || !r->given)
		return lm_error_sys(err, "a list of files");
	for (size_t i = 0; i < o->arg_count; i++)
		if (open_arg(o, r, o->args[i], err) < 0)
			return -1;
	if (lm_sets_settle(o, r, err) < 0)
		return -1;
	r->whole = true;
	return 0;
}

void lm_results_close(struct lm_results *r)
{
	lm_sets_drop(r, 0);
	for (size_t i = 0; i < r->file_count; i++)
		lm_runs_free(&r->files[i]);
	free(r->files);
	free(r->sets);
	free(r->labels);
	free(r->shown);
	free(r->given);
	*r = (struct lm_results){ 0 };
}

struct lm_run *lm_results_all(const struct lm_results *r, size_t *count)
{
	struct lm_run *all;

	*count = 0;
	for (size_t i = 0; i < r->set_count; i++)
		*count += r->sets[i].count;
	all = calloc(*count + 1, sizeof(*all));
	*count = 0;
	for (size_t i = 0; all && i < r->set_count; i++)
		for (size_t k = 0; k < r->sets[i].count; k++) {
			all[*count] = *r->sets[i].runs[k];
			all[(*count)++].label = r->labels[i];
		}
	return all;
}
