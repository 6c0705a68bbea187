/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is not as a journal's first line tells it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/journal.h"
#include "formats/journal_json.h"

#include "base/clock.h"
#include "formats/json.h"
#include "model/harmless.h"

#define MAX_KEY     512
#define ENVIRONMENT "environment"

/* What is compared: fields that the journal lacks may be passed over, and so may single ones. */
struct comparison {
	struct lm_journal_changes *out;
	bool (*passed_over)(const char *key, const json_t *was);
	bool failed; /* no memory */
};

static char *json_text(const json_t *value)
{
	double number = json_real_value(value);
	char *text;

	/* all numbers of an environment are stored as reals, whole or not */
	if (json_is_real(value) && number == trunc(number) && fabs(number) < 1e15)
		return asprintf(&text, "%.0f", number) < 0 ? NULL : text;
	return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
}

static int add(struct lm_journal_changes *out, const char *key, const json_t *was,
	       const json_t *now)
{
	struct lm_journal_change *more = out->items, *c;

	if (!more && !(more = calloc(LM_MAX_CHANGES, sizeof(*more))))
		return -1;
	out->items = more;
	c = &more[out->count++];
	c->key = strdup(key);
	c->was = was ? json_text(was) : NULL;
	c->now = now ? json_text(now) : NULL;
	return c->key && !c->was == !was && !c->now == !now ? 0 : -1;
}

/* 1 and 1.0 are the same. */
static bool same(const json_t *a, const json_t *b)
{
	double x = json_number_value(a), y = json_number_value(b);

	if (json_is_number(a) && json_is_number(b) && (json_is_real(a) || json_is_real(b)))
		return x <= y && x >= y;
	return json_equal(a, b);
}

static void compare(struct comparison *c, const char *key, const json_t *was, const json_t *now);

static void compare_named(struct comparison *c, const char *key, const char *name,
			  const json_t *was, const json_t *now)
{
	char longer[MAX_KEY];

	snprintf(longer, sizeof(longer), "%s%s%s", key, *key ? "." : "", name);
	compare(c, longer, was, now);
}

static void compare_objects(struct comparison *c, const char *key, const json_t *was,
			    const json_t *now)
{
	json_t *value;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)was, name, value)
		compare_named(c, key, name, value, json_object_get(now, name));
	json_object_foreach((json_t *)(uintptr_t)now, name, value) if (!json_object_get(was, name))
		compare_named(c, key, name, NULL, value);
}

static void compare_arrays(struct comparison *c, const char *key, const json_t *was,
			   const json_t *now)
{
	char number[32];

	for (size_t i = 0; i < json_array_size(was) || i < json_array_size(now); i++) {
		snprintf(number, sizeof(number), "%zu", i);
		compare_named(c, key, number, json_array_get(was, i), json_array_get(now, i));
	}
}

static void compare(struct comparison *c, const char *key, const json_t *was, const json_t *now)
{
	if (c->failed || c->out->count == LM_MAX_CHANGES || c->passed_over(key, was))
		return;
	if (json_is_object(was) && json_is_object(now))
		compare_objects(c, key, was, now);
	else if (json_is_array(was) && json_is_array(now))
		compare_arrays(c, key, was, now);
	else if ((!was || !now || !same(was, now)) && add(c->out, key, was, now) < 0)
		c->failed = true;
}

/* As it would be read from a journal: with numbers and text of the same form. */
static json_t *stored(json_t *line)
{
	size_t length;
	char *s = lm_journal_dump(line, &length);
	json_t *o = s ? json_loadb(s, length, 0, NULL) : NULL;

	free(s);
	return o;
}

static int compare_fields(const char *const *names, const struct lm_run *run, json_t *line,
			  struct comparison *c, struct lm_error *err)
{
	json_t *was = json_loads(run->head_text, 0, NULL), *now = stored(line);

	c->failed = !was || !now;
	for (size_t i = 0; !c->failed && names[i]; i++)
		compare(c, names[i], json_object_get(was, names[i]),
			json_object_get(now, names[i]));
	json_decref(was);
	json_decref(now);
	return c->failed ? lm_error_set(err, LM_ERR_SYSTEM, "a journal cannot be compared") : 0;
}

static bool too_old(const char *key, const json_t *was)
{
	return !was && strncmp(key, "plan.", 5) == 0 && !strchr(key + 5, '.');
}

int lm_journal_plan_changes(const struct lm_run *run, const struct lm_plan *plan,
			    struct lm_journal_changes *out, struct lm_error *err)
{
	static const char *const names[] = { "label", "plan", "mix", NULL };
	struct comparison c = { .out = out, .passed_over = too_old };
	const struct lm_facts none = { 0 };

	return compare_fields(names, run, lm_journal_run_line(plan, &none), &c, err);
}

/* What was not told may have been the same; what never is the same tells nothing. An environment
 * that is null tells nothing at all. */
static bool unsteady(const char *key, const json_t *was)
{
	if (!was || (json_is_null(was) && strcmp(key, ENVIRONMENT) == 0))
		return true;
	return lm_nature_of(key) == LM_IS_UNSTEADY;
}

int lm_journal_environment_changes(const struct lm_run *run, const struct lm_facts *environment,
				   struct lm_journal_changes *out, struct lm_error *err)
{
	static const char *const names[] = { ENVIRONMENT, NULL };
	struct comparison c = { .out = out, .passed_over = unsteady };
	json_t *line = json_pack("{s:o}", ENVIRONMENT, lm_journal_facts(environment, ""));

	return compare_fields(names, run, line, &c, err);
}

void lm_journal_changes_free(struct lm_journal_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		free(changes->items[i].key);
		free(changes->items[i].was);
		free(changes->items[i].now);
	}
	free(changes->items);
	*changes = (struct lm_journal_changes){ 0 };
}

/* --- the trace in the journal --------------------------------------------------------------- */

static json_t *side(const struct lm_journal_changes *changes, bool now)
{
	json_t *o = json_object();

	for (size_t i = 0; i < changes->count; i++) {
		const struct lm_journal_change *c = &changes->items[i];
		const char *text = now ? c->now : c->was;
		const char *dot = strchr(c->key, '.');

		if (dot)
			json_object_set_new(o, dot + 1,
					    text ? json_loads(text, JSON_DECODE_ANY, NULL)
						 : json_null());
	}
	return o;
}

json_t *lm_journal_resume_line(const struct lm_run *before, const char *again,
			       const struct lm_facts *environment)
{
	struct lm_journal_changes changes = { 0 };
	json_t *line = NULL;
	char now[32];

	lm_now_text(now, sizeof(now));
	if (lm_journal_environment_changes(before, environment, &changes, NULL) == 0)
		line = json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "type", "resume", "began",
				 now, "loadmix", LM_VERSION, "after", (json_int_t)before->count,
				 "again", lm_json_text(again[0] ? again : NULL), "was",
				 side(&changes, false), "now", side(&changes, true));
	lm_journal_changes_free(&changes);
	return line;
}
