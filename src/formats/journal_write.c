/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A journal made of a run that was read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/journal.h"
#include "formats/journal_json.h"
#include "formats/json.h"
#include "formats/writers.h"
#include "model/summary.h"

/* Takes line over. */
static int put_line(FILE *out, json_t *line, struct lm_error *err)
{
	size_t length;
	char *text = lm_journal_dump(line, &length);
	bool good = text && fwrite(text, 1, length, out) == length;

	if (!text)
		lm_error_set(err, LM_ERR_SYSTEM, "a line of a journal cannot be made");
	else if (!good)
		lm_error_sys(err, "cannot write a journal");
	free(text);
	return good ? 0 : -1;
}

static int put_text(FILE *out, const char *text, struct lm_error *err)
{
	if (fprintf(out, "%s\n", text) < 0)
		return lm_error_sys(err, "cannot write a journal");
	return 0;
}

static bool is_foreign(const struct lm_run *run)
{
	return strcmp(run->format, "journal") != 0;
}

static const struct lm_fact *resumed(const struct lm_run *run, unsigned number)
{
	char key[48];

	snprintf(key, sizeof(key), "resumed.%u.after", number);
	return lm_facts_find(&run->environment, key);
}

static json_t *resume_line(const struct lm_run *run, unsigned number, size_t after)
{
	json_t *line = json_pack("{s:s}", "type", "resume"), *rest;
	char prefix[48];

	snprintf(prefix, sizeof(prefix), "resumed.%u.", number);
	rest = lm_journal_facts(&run->environment, prefix);
	json_object_update(line, rest);
	json_decref(rest);
	json_object_set_new(line, "after", json_integer((json_int_t)after));
	return line;
}

/* What the reader made facts of becomes lines again, each before the step that followed it. */
static int put_resumes(const struct lm_run *run, size_t steps, unsigned *number, FILE *out,
		       struct lm_error *err)
{
	const struct lm_fact *after;

	while (!is_foreign(run) && (after = resumed(run, *number)) &&
	       after->number >= (double)steps && after->number <= (double)steps) {
		if (put_line(out, resume_line(run, *number, steps), err) < 0)
			return -1;
		(*number)++;
	}
	return 0;
}

static int put_steps(const struct lm_run *run, FILE *out, struct lm_error *err)
{
	unsigned number = 1;

	for (size_t i = 0; i < run->count; i++)
		if (put_resumes(run, i, &number, out, err) < 0 ||
		    put_line(out, lm_journal_step_line(&run->records[i], is_foreign(run)), err) < 0)
			return -1;
	return put_resumes(run, run->count, &number, out, err);
}

/* The figures of each iteration. Returns their number, which no run has more of than steps. */
static size_t sum_up(const struct lm_run *run, struct lm_figures *sweeps)
{
	size_t n = 0;

	for (size_t i = 0, steps; i < run->count; i += steps) {
		for (steps = 1; i + steps < run->count &&
				run->records[i + steps].iteration == run->records[i].iteration;)
			steps++;
		sweeps[n] = (struct lm_figures){ .iteration = run->records[i].iteration };
		if (lm_figures(run->records + i, steps, &sweeps[n]) < 0)
			break;
		n++;
	}
	return n;
}

static int put_end(const struct lm_run *run, FILE *out, struct lm_error *err)
{
	struct lm_figures *sweeps = calloc(run->count + 1, sizeof(*sweeps));
	struct lm_summary summary = { .sweeps = sweeps };
	int rc;

	if (!sweeps)
		return lm_error_sys(err, "the figures of a run");
	for (size_t i = 0; i < run->count; i++)
		lm_summary_add(&summary, &run->records[i]);
	summary.sweep_count = sum_up(run, sweeps);
	rc = put_line(
		out,
		lm_journal_end_line(&summary, run->count ? run->records[run->count - 1].ended : ""),
		err);
	free(sweeps);
	return rc;
}

char *lm_journal_relabel(const char *head_text, const char *label, struct lm_error *err)
{
	json_t *head = json_loads(head_text, 0, NULL);
	size_t length;
	char *text = NULL;

	if (json_object_set_new(head, "label", lm_json_text(label)) == 0)
		text = lm_journal_dump(json_incref(head), &length);
	json_decref(head);
	if (text)
		text[length - 1] = '\0'; /* a head has no line feed */
	else
		lm_error_set(err, LM_ERR_SYSTEM, "a journal cannot be given a label");
	return text;
}

int lm_journal_write(const struct lm_run *run, FILE *out, struct lm_error *err)
{
	int rc = run->head_text ? put_text(out, run->head_text, err)
				: put_line(out, lm_journal_foreign_line(run), err);

	if (rc < 0 || put_steps(run, out, err) < 0)
		return -1;
	if (run->tail_text && !is_foreign(run))
		return put_text(out, run->tail_text, err);
	return run->complete ? put_end(run, out, err) : 0;
}

static int write_runs(const struct lm_runs *runs, FILE *out, struct lm_losses *losses,
		      struct lm_error *err)
{
	(void)losses;
	for (size_t i = 0; i < runs->count; i++)
		if (lm_journal_write(&runs->items[i], out, err) < 0)
			return -1;
	return 0;
}

const struct lm_writer lm_writer_journal = {
	.name = "journal",
	.summary = "JSON lines, as a run writes them; several runs are one after another",
	.write = write_runs,
};
