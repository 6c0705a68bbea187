/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix convert: results in the form of another program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/newfile.h"
#include "cmd/results.h"
#include "formats/journal.h"
#include "formats/readers.h"
#include "formats/writers.h"
#include "model/runs.h"

struct convert_options {
	struct lm_results_options results;
	const struct lm_writer *writer;
	const char *output; /* NULL: standard output */
};

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_TO = 0x700 };

static const struct argp_option options_table[] = {
	{ "to", KEY_TO, "FORM", 0, "journal, csv, suite7, json or posted (needed)", 0 },
	{ "output", 'o', "FILE", 0, "Where to, a new file (default: standard output)", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct convert_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->results;
		return 0;
	case KEY_TO:
		o->writer = lm_writer_find(arg);
		if (o->writer)
			return 0;
		return lm_bad_value(&o->results.err, "--to", arg,
				    "form: give journal, csv, suite7, json or posted");
	case 'o':
		o->output = strcmp(arg, "-") ? arg : NULL;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "FILE...",
	.doc = "Read results of any form and write them in another.\vA FILE is a journal, "
	       "suite7.ss, a "
	       "table that was posted; - is standard input. LABEL=FILE gives its runs a label.\n",
	.children = lm_results_children,
};

/* --- the work ------------------------------------------------------------------------------ */

static void warn_steps(size_t n, const char *what, const char *form, const char *why)
{
	if (n)
		lm_cmd_warn("%zu %s%s left out: %s %s; journal, csv and json keep them", n, what,
			    n == 1 ? " is" : "s are", form, why);
}

static void warn_losses(const struct lm_losses *losses, const char *form)
{
	warn_steps(losses->invalid, "INVALID step", form, "has no mark for them");
	warn_steps(losses->unfit, "step", form, "has no column for any of their figures");
	if (losses->mixed_delay)
		lm_cmd_warn("some of these times have AIM7's 10 idle seconds in them and some have "
			    "not, which %s cannot tell: see --aim7-delay",
			    form);
}

/* A label that the user gave is the journal's from now on. */
static int relabel(const struct lm_results *results, struct lm_run *all, struct lm_error *err)
{
	struct lm_run *run = all;

	for (size_t i = 0; i < results->set_count; i++)
		for (size_t k = 0; k < results->sets[i].count; k++, run++) {
			if (!results->given[i] || !run->head_text)
				continue;
			run->head_text = lm_journal_relabel(run->head_text, run->label, err);
			if (!run->head_text)
				return -1;
		}
	return 0;
}

/* The texts that relabel() has made, as far as it came. */
static void drop_labels(const struct lm_results *results, struct lm_run *all)
{
	struct lm_run *run = all;

	for (size_t i = 0; i < results->set_count; i++)
		for (size_t k = 0; k < results->sets[i].count; k++, run++)
			if (run->head_text != results->sets[i].runs[k]->head_text)
				free(run->head_text);
}

/* --- whether it can be read back ----------------------------------------------------------- */

struct text {
	char *bytes;
	size_t size, at;
};

static int next_byte(void *state)
{
	struct text *t = state;

	return t->at < t->size ? (unsigned char)t->bytes[t->at++] : -1;
}

/* Of the first count runs. */
static bool has_label(const struct lm_runs *runs, size_t count, const char *label)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(runs->items[i].label, label) == 0)
			return true;
	return false;
}

/* A label may be what a form has no way to write: a number at its end stands where the tasks do. */
static void warn_labels(const struct lm_runs *all, struct text *text, const char *form)
{
	struct lm_runs back = { 0 };
	char label[4 * 100 + 8];

	lm_runs_read(next_byte, text, form, &back, NULL);
	for (size_t i = 0; i < all->count; i++) {
		const char *own = all->items[i].label;

		if (own[0] && !has_label(all, i, own) && !has_label(&back, back.count, own))
			lm_cmd_warn("the label '%s' cannot be read back from %s: give another as "
				    "LABEL=FILE",
				    lm_text_quote(own, strlen(own), 100, label, sizeof(label)),
				    form);
	}
	lm_runs_free(&back);
}

/* Write, and see that what was written can be read. */
static int write_and_check(const struct lm_runs *all, const struct lm_writer *writer, FILE *out,
			   struct lm_losses *losses, struct lm_error *err)
{
	struct text text = { 0 };
	FILE *memory = open_memstream(&text.bytes, &text.size);
	int rc;

	if (!memory)
		return lm_error_sys(err, "results to be written");
	rc = writer->write(all, memory, losses, err);
	if (fclose(memory) != 0 && rc == 0)
		rc = lm_error_sys(err, "results to be written");
	if (rc == 0) {
		fwrite(text.bytes, 1, text.size, out);
		if (writer != &lm_writer_json) /* which is for other programs */
			warn_labels(all, &text, writer->name);
	}
	free(text.bytes);
	return rc;
}

static int write_runs(const struct lm_results *results, const struct convert_options *o, FILE *out,
		      struct lm_error *err)
{
	struct lm_losses losses = { 0 };
	struct lm_runs all = { 0 };
	int rc;

	all.items = lm_results_all(results, &all.count);
	if (!all.items)
		return lm_error_sys(err, "a list of runs");
	rc = relabel(results, all.items, err);
	if (rc == 0)
		rc = write_and_check(&all, o->writer, out, &losses, err);
	if (rc == 0)
		warn_losses(&losses, o->writer->name);
	drop_labels(results, all.items);
	free(all.items);
	return rc;
}

static int convert(struct convert_options *o)
{
	struct lm_results results;
	struct lm_newfile file = LM_NEWFILE_NONE;
	struct lm_error err = { 0 };
	int rc;

	if (!o->writer) {
		lm_error_set(&err, LM_ERR_INPUT,
			     "say what to write: --to journal, csv, suite7, json or posted");
		return lm_cmd_fail(&err);
	}
	rc = lm_results_open(&o->results, &results, &err);
	if (rc == 0 && o->output)
		rc = lm_newfile_open(&file, o->output, &err);
	if (rc == 0)
		rc = write_runs(&results, o, o->output ? file.stream : stdout, &err);
	if (o->output && lm_newfile_close(&file, rc == 0, &err) < 0)
		rc = -1;
	lm_results_close(&results);
	return rc < 0 ? lm_cmd_fail(&err) : LM_EXIT_OK;
}

static int act(void *options, const char *const *again)
{
	(void)again;
	return convert(options);
}

int lm_cmd_convert(int argc, char **argv, lm_job_list kinds)
{
	static const struct lm_results_command command = {
		.name = "convert", .argp = &argp, .size = sizeof(struct convert_options), .act = act
	};

	(void)kinds;
	return lm_results_command(&command, argc, argv);
}
