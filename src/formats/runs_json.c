/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs for programs, as one JSON array. */
#include <stdbool.h>
#include <string.h>

#include "formats/journal_json.h"
#include "formats/json.h"
#include "formats/writers.h"

/* As in a journal, with the line where it was found. */
static json_t *step_json(const struct lm_run *run, const struct lm_record *r)
{
	json_t *o = lm_journal_step_line(r, strcmp(run->format, "journal") != 0);

	json_object_del(o, "type");
	json_object_set_new(o, "line", json_integer(r->line));
	return o;
}

/* As in a journal's first line. */
static json_t *head_json(const struct lm_run *run)
{
	json_t *o =
		run->head_text ? json_loads(run->head_text, 0, NULL) : lm_journal_foreign_line(run);

	json_object_del(o, "type");
	json_object_set_new(o, "label", lm_json_text(run->label));
	return o;
}

/* And what else was read. */
static json_t *run_json(const struct lm_run *run)
{
	json_t *steps = json_array(), *o = head_json(run);
	json_t *rest = json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "source",
				 lm_json_text(run->source), "line", (json_int_t)run->line, "format",
				 lm_json_text(run->format), "workload", lm_json_text(run->workload),
				 "machine", lm_json_text(run->machine), "version",
				 lm_json_text(run->version), "resumed",
				 lm_journal_facts(&run->environment, "resumed."), "complete",
				 run->complete, "steps", steps);
	bool good = o && rest;

	for (size_t i = 0; i < run->count; i++)
		if (json_array_append_new(steps, step_json(run, &run->records[i])) < 0)
			good = false;
	if (good && json_object_update(o, rest) == 0) {
		json_decref(rest);
		return o;
	}
	json_decref(o);
	json_decref(rest);
	return NULL;
}

static int write_json(const struct lm_runs *runs, FILE *out, struct lm_losses *losses,
		      struct lm_error *err)
{
	json_t *all = json_array();
	int rc;

	(void)losses;
	for (size_t i = 0; i < runs->count; i++)
		json_array_append_new(all, run_json(&runs->items[i]));
	rc = all && json_array_size(all) == runs->count
		     ? json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12))
		     : -1;
	json_decref(all);
	fputc('\n', out);
	return rc < 0 && !ferror(out) ? lm_error_set(err, LM_ERR_SYSTEM, "out of memory") : 0;
}

const struct lm_writer lm_writer_json = {
	.name = "json",
	.summary = "one JSON array of runs, with all that was read",
	.write = write_json,
};
