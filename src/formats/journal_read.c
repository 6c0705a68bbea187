/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal read back. Broken lines become notes; a last line that was not ended is torn. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/journal_fields.h"
#include "formats/journal_json.h"
#include "formats/readers.h"
#include "model/runs.h"

#define MAX_LINE   ((size_t)64 << 20)
#define MAX_STEPS  1000000000u
#define RUN_BEGINS "{\"type\":\"run\""

/* A line without its line feed. */
struct line {
	char *text;
	size_t length, room;
	long number;     /* from 1 */
	long start, end; /* offsets in the file; end is behind the line feed */
	bool whole;      /* it ends in a line feed */
	bool too_long;
};

struct reader {
	lm_getbyte get;
	void *state;
	const char *source;
	struct line line;
	struct lm_step_place place; /* run NULL: none was met yet */
	json_t *kinds;
	bool ended;      /* the run's last line was met */
	bool lost;       /* what follows is of another run, whose first line is not there */
	unsigned index;  /* of the last step line */
	unsigned unread; /* lines since then that could not be told; one may have begun another run
			  */
	unsigned resumes;
	long bad_line; /* not JSON: torn if it is the last, else broken; 0: none */
	long bad_start;
	char bad_why[JSON_ERROR_TEXT_LENGTH + 32];
	struct lm_error *err;
};

/* --- lines --------------------------------------------------------------------------------- */

static int put(struct reader *r, int c)
{
	struct line *l = &r->line;
	size_t room = l->room ? 2 * l->room : 4096;
	char *more;

	if (l->length < l->room) {
		l->text[l->length++] = (char)c;
		return 0;
	}
	if (l->length >= MAX_LINE) {
		l->too_long = true;
		return 0;
	}
	more = realloc(l->text, room);
	if (!more)
		return lm_error_sys(r->err, "a line of '%s'", r->source);
	l->text = more;
	l->room = room;
	l->text[l->length++] = (char)c;
	return 0;
}

/* 1; 0 at the end; -1 with err. */
static int next_line(struct reader *r)
{
	struct line *l = &r->line;
	int c;

	l->start = l->end;
	l->length = 0;
	l->whole = l->too_long = false;
	l->number++;
	while ((c = r->get(r->state)) >= 0) {
		l->end++;
		l->whole = c == '\n';
		if (l->whole)
			return 1;
		if (put(r, c) < 0)
			return -1;
	}
	if (c == -2)
		return lm_error_at(r->err, r->source, l->number, 0, "cannot be read: %s",
				   strerror(errno));
	return l->end > l->start;
}

static bool is_blank(const struct line *l)
{
	for (size_t i = 0; i < l->length; i++)
		if (!strchr(" \t\r", l->text[i]) || !l->text[i])
			return false;
	return true;
}

static int note(struct reader *r, const char *text)
{
	return lm_runs_note(r->place.runs, r->source, r->line.number, r->err, "%s", text);
}

/* --- the run's first line ------------------------------------------------------------------ */

static int bad_run(struct reader *r, const char *why)
{
	return lm_error_at(r->err, r->source, r->line.number, 0,
			   "the first line of a run cannot be read: %s", why);
}

static int set_text(struct lm_fields *f, const char *name, char **field, struct lm_error *err)
{
	const char *text;

	if (!lm_field_text(f, name, LM_OPTIONAL | LM_NULLABLE, &text))
		return 0;
	return lm_run_text(field, text, err);
}

/* What the fields of their own do not tell follows from plan and environment. */
static int name_run(struct lm_run *run, struct lm_error *err)
{
	const char *workload = lm_facts_text_of(&run->plan, "workload", NULL);
	const char *machine = lm_facts_text_of(&run->environment, "host.name", NULL);
	const char *label = lm_facts_text_of(&run->environment, "kernel.release", NULL);

	if (!*run->workload && workload && lm_run_text(&run->workload, workload, err) < 0)
		return -1;
	if (!*run->machine && machine && lm_run_text(&run->machine, machine, err) < 0)
		return -1;
	if (!label)
		label = run->machine;
	return *run->label ? 0 : lm_run_text(&run->label, label, err);
}

/* The names of the mix as keys. */
static json_t *mix_names(struct lm_fields *f)
{
	const json_t *mix = lm_field_array(f, "mix", LM_NULLABLE);
	json_t *names = mix ? json_object() : NULL;

	for (size_t i = 0; i < json_array_size(mix); i++) {
		const json_t *entry = json_array_get(mix, i);
		const json_t *label = json_object_get(entry, "label");

		if (!label)
			label = json_object_get(entry, "kind");
		if (json_is_string(label))
			json_object_set_new(names, json_string_value(label), json_true());
		else
			lm_fields_wrong(f, "entry %zu of its mix has no name", i + 1);
	}
	return names;
}

/* What does the work of a kind that is not the program's own: it may be another under the same
 * name.
 */
static int take_means(struct reader *r, struct lm_fields *f, struct lm_run *run)
{
	static const char *const means[] = { "command", "file", "digest" };
	const json_t *mix = json_object_get(f->object, "mix");

	for (size_t i = 0; i < json_array_size(mix) * 3; i++) {
		const json_t *entry = json_array_get(mix, i / 3);
		const char *kind = json_string_value(json_object_get(entry, "kind"));
		const char *text = json_string_value(json_object_get(entry, means[i % 3]));
		char key[256];

		if (!kind || !text)
			continue;
		snprintf(key, sizeof(key), "%s.%s", kind, means[i % 3]);
		if (lm_facts_text(&run->means, key, text) < 0)
			return lm_error_sys(r->err, "the kinds of a mix");
	}
	return 0;
}

static int take_facts(struct reader *r, struct lm_fields *f, struct lm_run *run)
{
	const json_t *plan = lm_field_object(f, "plan", LM_NULLABLE);
	const json_t *environment = lm_field_object(f, "environment", LM_NULLABLE);
	json_t *warnings = json_object_get(f->object, "warnings");
	size_t left_out = 0;

	if (json_is_array(warnings) &&
	    lm_fields_facts(warnings, "warnings", &run->environment, &left_out, r->err) < 0)
		return -1;
	if (plan && lm_fields_facts(plan, "", &run->plan, &left_out, r->err) < 0)
		return -1;
	if (environment &&
	    lm_fields_facts(environment, "", &run->environment, &left_out, r->err) < 0)
		return -1;
	if (left_out == 0)
		return 0;
	return lm_runs_note(r->place.runs, r->source, r->line.number, r->err,
			    "%zu values of plan and environment are not used: they are too many, "
			    "or in too many objects",
			    left_out);
}

static int take_head(struct reader *r, struct lm_fields *f, struct lm_run *run)
{
	uint64_t jobs = 0;
	const char *format;

	if (lm_field_text(f, "format", LM_OPTIONAL | LM_NULLABLE, &format) &&
	    lm_run_text(&run->format, format, r->err) < 0)
		return -1;
	lm_field_count(f, "jobs_per_task", LM_NULLABLE, 1000000, &jobs);
	run->jobs_per_task = (unsigned)jobs;
	/* what the program's version was is of no other program's result */
	if (strcmp(run->format, "journal") == 0 &&
	    set_text(f, "loadmix", &run->version, r->err) < 0)
		return -1;
	if (set_text(f, "version", &run->version, r->err) < 0 ||
	    set_text(f, "label", &run->label, r->err) < 0 ||
	    set_text(f, "workload", &run->workload, r->err) < 0 ||
	    set_text(f, "machine", &run->machine, r->err) < 0 ||
	    set_text(f, "started", &run->started, r->err) < 0)
		return -1;
	if (take_facts(r, f, run) < 0 || take_means(r, f, run) < 0 || name_run(run, r->err) < 0)
		return -1;
	r->kinds = mix_names(f);
	r->place.kinds = r->kinds;
	r->place.single = lm_facts_number_of(&run->plan, "period_s", 0) > 0;
	return 0;
}

static int check_schema(struct reader *r, struct lm_fields *f)
{
	uint64_t schema = 0;

	lm_field_count(f, "schema", 0, UINT32_MAX, &schema);
	if (f->broken || schema == 0)
		return bad_run(r, f->broken ? f->why : "its schema is 0");
	if (schema > LM_JOURNAL_SCHEMA)
		return lm_error_at(r->err, r->source, r->line.number, 0,
				   "this journal's schema is %u, this program reads up to %d: use "
				   "a newer loadmix",
				   (unsigned)schema, LM_JOURNAL_SCHEMA);
	return 0;
}

static void end_run(struct reader *r)
{
	if (r->place.run)
		lm_run_derive(r->place.run);
	json_decref(r->kinds);
	r->kinds = NULL;
	r->place.run = NULL;
}

static int take_run(struct reader *r, struct lm_fields *f)
{
	struct lm_run *run;

	end_run(r);
	r->ended = r->lost = false;
	r->unread = 0;
	r->index = r->resumes = 0;
	if (check_schema(r, f) < 0)
		return -1;
	run = lm_runs_add(r->place.runs, r->source, r->line.number, "journal", r->err);
	if (!run)
		return -1;
	r->place.run = run;
	run->complete = false;
	run->head_text = strndup(r->line.text, r->line.length);
	if (!run->head_text)
		return lm_error_sys(r->err, "results that were read");
	if (take_head(r, f, run) < 0)
		return -1;
	return f->broken ? bad_run(r, f->why) : 0;
}

/* --- what follows -------------------------------------------------------------------------- */

/* A step that was there before: the first line of the run that it is of got lost. */
static int lose(struct reader *r, unsigned index)
{
	r->lost = true;
	return lm_runs_note(r->place.runs, r->source, r->line.number, r->err,
			    "step %u comes after step %u: this line is not used, and none up to "
			    "the next run",
			    index, r->index);
}

/* Only when each line that cannot be told was a step do the numbers go on as they should. */
static int lose_unread(struct reader *r)
{
	r->lost = true;
	return note(r,
		    "a line above cannot be read and may have begun another run: this step is not "
		    "used, nor is what follows, up to the next run");
}

static int take_step(struct reader *r, struct lm_fields *f)
{
	json_int_t index = json_integer_value(json_object_get(f->object, "index"));
	unsigned before = r->index;

	if (r->ended)
		return note(r, "a step after the end of its run: not used");
	if (index > 0 && index <= before)
		return lose(r, (unsigned)index);
	if (r->unread && index != (json_int_t)before + 1 + r->unread)
		return lose_unread(r);
	r->unread = 0;
	if (index > 0 && index < MAX_STEPS)
		r->index = (unsigned)index;
	if (lm_journal_take_step(f, r->line.number, &r->place, r->err) < 0)
		return -1;
	if (f->broken)
		return lm_runs_note(r->place.runs, r->source, r->line.number, r->err,
				    "this step is not used: %s", f->why);
	if (r->index == before + 1)
		return 0;
	return lm_runs_note(r->place.runs, r->source, r->line.number, r->err,
			    "step %u comes after step %u: what is between is not there", r->index,
			    before);
}

static unsigned invalid_steps(const struct lm_run *run)
{
	unsigned n = 0;

	for (size_t i = 0; i < run->count; i++)
		n += !run->records[i].valid;
	return n;
}

/* A run that ended because a step could not be stored counts that one, too. */
static bool counts(const struct lm_run *run, uint64_t steps, uint64_t invalid)
{
	unsigned more = !run->complete, known = invalid_steps(run);

	return steps >= run->count && steps <= run->count + more && invalid >= known &&
	       invalid <= known + more;
}

static int take_end(struct reader *r, struct lm_fields *f)
{
	struct lm_run *run = r->place.run;
	uint64_t steps = 0, invalid = 0;

	if (r->ended)
		return note(r, "a second end of a run: not used");
	lm_field_count(f, "steps", 0, MAX_STEPS, &steps);
	lm_field_count(f, "invalid", 0, MAX_STEPS, &invalid);
	lm_field_bool(f, "complete", &run->complete);
	if (!f->broken && !counts(run, steps, invalid))
		lm_fields_wrong(f, "it counts other steps than there are");
	r->ended = true;
	run->tail_text = strndup(r->line.text, r->line.length);
	if (!run->tail_text)
		return lm_error_sys(r->err, "results that were read");
	if (!f->broken)
		return 0;
	run->complete = false;
	return lm_runs_note(r->place.runs, r->source, r->line.number, r->err,
			    "the end of this run cannot be believed: %s", f->why);
}

/* Facts of the environment tell of it: "resumed.1.after". */
static int take_resume(struct reader *r, struct lm_fields *f)
{
	struct lm_run *run = r->place.run;
	uint64_t after = 0;
	size_t left_out = 0;
	char prefix[32];
	json_t *copy;
	int rc;

	if (r->ended)
		return note(r, "a run that is resumed after its end: not used");
	lm_field_count(f, "after", 0, MAX_STEPS, &after);
	if (f->broken || after != run->count)
		return note(r, "the run is resumed after other steps than there are: not used");
	snprintf(prefix, sizeof(prefix), "resumed.%u", ++r->resumes);
	copy = json_copy((json_t *)(uintptr_t)f->object);
	if (!copy)
		return lm_error_sys(r->err, "results that were read");
	json_object_del(copy, "type");
	rc = lm_fields_facts(copy, prefix, &run->environment, &left_out, r->err);
	json_decref(copy);
	return rc;
}

static int take_object(struct reader *r, const json_t *object)
{
	struct lm_fields f = { .object = object };
	const char *type = "";

	lm_field_text(&f, "type", 0, &type);
	if (strcmp(type, "run") == 0)
		return take_run(r, &f);
	if (!r->place.run)
		return lm_error_at(
			r->err, r->source, r->line.number, 0,
			"is no journal: the first line of its run is not there, or cannot "
			"be read");
	if (r->lost)
		return 0;
	if (strcmp(type, "step") == 0)
		return take_step(r, &f);
	if (strcmp(type, "end") == 0)
		return take_end(r, &f);
	if (strcmp(type, "resume") == 0)
		return take_resume(r, &f);
	/* the schema may grow by types; this is what begins a run, and its type is damaged */
	r->lost = json_object_get(object, "schema") != NULL;
	return lm_runs_note(r->place.runs, r->source, r->line.number, r->err,
			    "a line of the unknown type '%.40s': not used", type);
}

/* --- the file ------------------------------------------------------------------------------ */

static int tell_bad(struct reader *r)
{
	long line = r->bad_line;

	r->bad_line = 0;
	if (line == 0)
		return 0;
	return lm_runs_note(r->place.runs, r->source, line, r->err, "this line is not used: %s",
			    r->bad_why);
}

/* The parser quotes the line, in which anything can stand. */
static void keep_bad(struct reader *r, const char *why)
{
	char harmless[4 * JSON_ERROR_TEXT_LENGTH];

	r->bad_line = r->line.number;
	r->bad_start = r->line.start;
	r->unread++;
	snprintf(r->bad_why, sizeof(r->bad_why), "it is no JSON object (%.*s)",
		 JSON_ERROR_TEXT_LENGTH,
		 lm_text_quote(why, strlen(why), JSON_ERROR_TEXT_LENGTH, harmless,
			       sizeof(harmless)));
}

/* A torn line of one journal and the first of the next, when they were put together. */
static json_t *glued(struct reader *r)
{
	struct line *l = &r->line;
	char *at = l->length > 1
			   ? memmem(l->text + 1, l->length - 1, RUN_BEGINS, strlen(RUN_BEGINS))
			   : NULL;
	json_t *object;

	if (!at)
		return NULL;
	object = json_loadb(at, l->length - (size_t)(at - l->text), 0, NULL);
	if (object) {
		l->length -= (size_t)(at - l->text);
		memmove(l->text, at, l->length);
	}
	return object;
}

static void set_good(struct reader *r, json_t *object)
{
	struct lm_run *run = r->place.run;
	const char *type = json_string_value(json_object_get(object, "type"));

	if (!run)
		return;
	run->good_bytes = r->line.end;
	if (type && strcmp(type, "end") == 0)
		return;
	run->step_bytes = type && strcmp(type, "step") == 0 ? run->body_bytes : -1;
	run->body_bytes = r->line.end;
}

static int take_line(struct reader *r)
{
	struct line *l = &r->line;
	json_error_t why = { .text = "it is longer than any line of ours" };
	json_t *object;
	int rc;

	if (tell_bad(r) < 0)
		return -1;
	object = l->too_long ? NULL : json_loadb(l->text, l->length, 0, &why);
	if (!object && l->whole && !l->too_long && (object = glued(r)) &&
	    note(r, "a line that was not ended stands before a run: not used") < 0) {
		json_decref(object);
		return -1;
	}
	if (!json_is_object(object) || !l->whole) {
		keep_bad(r, object ? "it is something else" : why.text);
		json_decref(object);
		return 0;
	}
	rc = take_object(r, object);
	if (rc == 0)
		set_good(r, object);
	json_decref(object);
	return rc;
}

static int finish(struct reader *r, size_t runs_before)
{
	struct lm_runs *runs = r->place.runs;
	struct lm_run *last = runs->count ? &runs->items[runs->count - 1] : NULL;

	if (runs->count == runs_before)
		return lm_error_at(r->err, r->source, 0, 0,
				   r->line.end == 0 ? "is empty"
						    : "is no journal: it has no whole line");
	if (r->bad_line)
		last->torn = true;
	end_run(r);
	return 0;
}

int lm_journal_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		    struct lm_error *err)
{
	struct reader r = { .get = get, .state = state, .source = source, .place.runs = out };
	struct lm_error own = { 0 };
	size_t before = out->count;
	int rc;

	r.err = err ? err : &own;
	while ((rc = next_line(&r)) > 0)
		if (!is_blank(&r.line) && take_line(&r) < 0)
			break;
	if (rc == 0)
		rc = finish(&r, before);
	json_decref(r.kinds);
	free(r.line.text);
	return rc == 0 ? 0 : -1;
}
