/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/results.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "formats/readers.h"
#include "model/runs.h"

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_DELAY = 0x500, KEY_LABEL };

static const struct argp_option options_table[] = {
	{ "aim7-delay", KEY_DELAY, NULL, 0,
	  "Take the 10 idle seconds that AIM7 counts out of the times of its results", 0 },
	{ "label", KEY_LABEL, "LABEL", 0,
	  "Only results of that label; may be given more than once, the first is the base", 0 },
	{ 0 },
};

static error_t take(const char **list, size_t *count, const char *arg, struct lm_error *err)
{
	if (*count == LM_MAX_SETS) {
		lm_error_set(err, LM_ERR_INPUT, "more than %d results are named", LM_MAX_SETS);
		return EINVAL;
	}
	list[(*count)++] = arg;
	return 0;
}

static bool is_bare(const char *arg)
{
	return !strchr(arg, '=') || arg[0] == '=' || access(arg, F_OK) == 0;
}

/* LABEL=FILE,FILE must name files. */
static error_t take_arg(struct lm_results_options *o, const char *arg)
{
	const char *files = is_bare(arg) ? arg : strchr(arg, '=') + 1;
	size_t length = strlen(files);

	if (length && files[0] != ',' && files[length - 1] != ',' && !strstr(files, ",,"))
		return take(o->args, &o->arg_count, arg, &o->err);
	if (is_bare(arg) && length)
		return take(o->args, &o->arg_count, arg, &o->err);
	lm_error_set(&o->err, LM_ERR_INPUT,
		     "'%.200s' names no file where one is expected: give FILE or LABEL=FILE,FILE",
		     arg);
	return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_results_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->standard;
		return 0;
	case KEY_DELAY:
		o->aim7_delay = true;
		return 0;
	case KEY_LABEL:
		return take(o->labels, &o->label_count, arg, &o->err);
	case ARGP_KEY_ARG:
		return take_arg(o, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &lm_help_argp, 0, NULL, 0 }, { 0 } };

const struct argp lm_results_argp = { .options = options_table,
				      .parser = parse,
				      .children = children };

int lm_results_parse(const struct argp *argp, int argc, char **argv, void *input,
		     struct lm_results_options *options)
{
	int rc = lm_standard_parse(argp, argc, argv, input, &options->standard);

	if (rc > 0)
		return LM_EXIT_OK;
	if (options->err.code)
		return lm_cmd_fail(&options->err);
	if (rc < 0)
		return LM_EXIT_USAGE;
	if (options->arg_count)
		return -1;
	lm_error_set(&options->err, LM_ERR_INPUT,
		     "give a FILE with results: a journal, suite7.ss, a table that was posted");
	return lm_cmd_fail(&options->err);
}

/* --- sets ---------------------------------------------------------------------------------- */

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

static int add_run(struct lm_set *set, const struct lm_run *run, struct lm_error *err)
{
	const struct lm_run **more = reallocarray(set->runs, set->count + 1, sizeof(*set->runs));

	if (!more)
		return lm_error_sys(err, "a list of runs");
	set->runs = more;
	more[set->count++] = run;
	return 0;
}

/* NULL with err. */
static struct lm_set *add_set(struct lm_results *r, const char *label, struct lm_error *err)
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

/* The runs of one file, a set a label. A run is never taken for a repeat of one in another file:
 * that is for LABEL=FILE,FILE to say. */
static int split(struct lm_results *r, const struct lm_runs *file, struct lm_error *err)
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
			set = add_set(r, label_of(run), err);
		rc = set ? add_run(set, run, err) : -1;
	}
	free(joined);
	return rc;
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

/* --- files --------------------------------------------------------------------------------- */

static void tell_notes(const struct lm_runs *file)
{
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
	set = add_set(r, arg, err);
	if (set)
		r->given[set - r->sets] = true;
	while (set && (path = strsep(&rest, ",")) != NULL) {
		const struct lm_runs *file = load(o, r, path, err);

		for (size_t i = 0; file && i < file->count; i++)
			if (add_run(set, &file->items[i], err) < 0)
				return -1;
		if (!file)
			return -1;
	}
	return set ? 0 : -1;
}

static size_t count_bare(const struct lm_results_options *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->arg_count; i++)
		n += is_bare(o->args[i]);
	return n;
}

static int open_bare(const struct lm_results_options *o, struct lm_results *r, const char *path,
		     struct lm_error *err)
{
	struct lm_runs *file = load(o, r, path, err);

	if (!file || (count_bare(o) > 1 && name_workload(file, err) < 0))
		return -1;
	return split(r, file, err);
}

static int open_arg(const struct lm_results_options *o, struct lm_results *r, const char *arg,
		    struct lm_error *err)
{
	char *copy;
	int rc;

	if (is_bare(arg))
		return open_bare(o, r, arg, err);
	copy = strdup(arg);
	if (!copy)
		return lm_error_sys(err, "a list of files");
	rc = open_labelled(o, r, copy, err);
	free(copy);
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

static void drop_sets(struct lm_results *r)
{
	for (size_t i = 0; i < r->set_count; i++) {
		free(r->sets[i].runs);
		free(r->labels[i]);
		free(r->shown[i]);
		r->given[i] = false;
	}
	r->set_count = 0;
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

static struct lm_set *find_shown(struct lm_results *r, size_t from, const char *label)
{
	for (size_t i = from; i < r->set_count; i++)
		if (strcmp(r->sets[i].label, label) == 0)
			return &r->sets[i];
	return NULL;
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
		struct lm_set *found = find_shown(r, i, o->labels[i]);

		if (!found)
			return unknown_label(r, o->labels[i], err);
		swap_sets(r, i, (size_t)(found - r->sets));
	}
	for (size_t i = o->label_count; o->label_count && i < r->set_count; i++) {
		free(r->sets[i].runs);
		free(r->labels[i]);
		free(r->shown[i]);
	}
	if (o->label_count)
		r->set_count = o->label_count;
	return 0;
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
	for (size_t i = 0; i < r->set_count; i++)
		drop_copies(&r->sets[i]);
	if (name_apart(r, err) < 0 || choose(o, r, err) < 0)
		return -1;
	r->whole = true;
	return 0;
}

void lm_results_close(struct lm_results *r)
{
	drop_sets(r);
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
