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
		return take(o->args, &o->arg_count, arg, &o->err);
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

/* The runs of one file, a set a label. A label that the file gives may be another file's too: they
 * are repeats then. */
static int split(struct lm_results *r, const struct lm_runs *file, bool apart, struct lm_error *err)
{
	size_t first = r->set_count;

	for (size_t i = 0; i < file->count; i++) {
		const struct lm_run *run = &file->items[i];
		size_t from = run->label[0] && !apart ? 0 : first;
		struct lm_set *set = find_set(r, from, label_of(run));

		if (!set && !(set = add_set(r, label_of(run), err)))
			return -1;
		if (add_run(set, run, err) < 0)
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
		lm_run_take_delay(&file->items[i]);
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

static int open_arg(const struct lm_results_options *o, struct lm_results *r, const char *arg,
		    struct lm_error *err)
{
	const struct lm_runs *file;
	char *copy;
	int rc;

	if (!strchr(arg, '=') || arg[0] == '=' || access(arg, F_OK) == 0) {
		file = load(o, r, arg, err);
		return file ? split(r, file, false, err) : -1;
	}
	copy = strdup(arg);
	if (!copy)
		return lm_error_sys(err, "a list of files");
	rc = open_labelled(o, r, copy, err);
	free(copy);
	return rc;
}

/* --- telling sets apart -------------------------------------------------------------------- */

static void drop_sets(struct lm_results *r)
{
	for (size_t i = 0; i < r->set_count; i++) {
		free(r->sets[i].runs);
		free(r->labels[i]);
	}
	r->set_count = 0;
}

/* Several files that all have the same label: it is the files that are to be compared. */
static int split_apart(const struct lm_results_options *o, struct lm_results *r,
		       struct lm_error *err)
{
	if (r->set_count > 1 || o->arg_count < 2 || r->file_count != o->arg_count)
		return 0;
	drop_sets(r);
	for (size_t i = 0; i < r->file_count; i++)
		if (split(r, &r->files[i], true, err) < 0)
			return -1;
	return 0;
}

/* Two files of one kernel are two sets; their names tell them apart. */
static int name_apart(struct lm_results *r, struct lm_error *err)
{
	bool twice[LM_MAX_SETS] = { false };

	for (size_t i = 0; i < r->set_count; i++)
		for (size_t k = 0; k < r->set_count; k++)
			twice[i] = twice[i] || (i != k && strcmp(r->labels[i], r->labels[k]) == 0);
	for (size_t i = 0; i < r->set_count; i++) {
		char *name;

		if (!twice[i])
			continue;
		if (asprintf(&name, "%s (%s)", r->labels[i], r->sets[i].runs[0]->source) < 0)
			return lm_error_sys(err, "a label");
		free(r->labels[i]);
		r->labels[i] = name;
		r->sets[i].label = name;
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

/* Keep the sets that --label names, in its order. The swap keeps every set owned once. */
static int choose(const struct lm_results_options *o, struct lm_results *r, struct lm_error *err)
{
	for (size_t i = 0; i < o->label_count; i++) {
		struct lm_set *found = find_set(r, i, o->labels[i]), kept;
		char *label;
		size_t at;

		if (!found)
			return unknown_label(r, o->labels[i], err);
		at = (size_t)(found - r->sets);
		kept = *found;
		label = r->labels[at];
		r->sets[at] = r->sets[i];
		r->labels[at] = r->labels[i];
		r->sets[i] = kept;
		r->labels[i] = label;
	}
	for (size_t i = o->label_count; o->label_count && i < r->set_count; i++) {
		free(r->sets[i].runs);
		free(r->labels[i]);
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
	*r = (struct lm_results){ .files = calloc(count_files(o) + 1, sizeof(*r->files)) };
	if (!r->files)
		return lm_error_sys(err, "a list of files");
	for (size_t i = 0; i < o->arg_count; i++)
		if (open_arg(o, r, o->args[i], err) < 0)
			return -1;
	if (split_apart(o, r, err) < 0 || name_apart(r, err) < 0)
		return -1;
	return choose(o, r, err);
}

void lm_results_close(struct lm_results *r)
{
	drop_sets(r);
	for (size_t i = 0; i < r->file_count; i++)
		lm_runs_free(&r->files[i]);
	free(r->files);
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
