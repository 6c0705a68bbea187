/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/journal_fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST      1e18             /* that any figure of ours can be */
#define EXACT     9007199254740992 /* integers up to here are doubles */
#define MAX_DEPTH 6
#define MAX_KEY   256
#define MAX_FACTS 20000

void lm_fields_wrong(struct lm_fields *f, const char *fmt, ...)
{
	va_list ap;

	if (f->broken)
		return;
	f->broken = true;
	va_start(ap, fmt);
	vsnprintf(f->why, sizeof(f->why), fmt, ap);
	va_end(ap);
}

/* The field, if it is there and not null. */
static const json_t *look(struct lm_fields *f, const char *name, unsigned flags)
{
	const json_t *value = json_object_get(f->object, name);

	if (!value && !(flags & LM_OPTIONAL))
		lm_fields_wrong(f, "the field '%s' is missing", name);
	if (!json_is_null(value))
		return value;
	if (!(flags & LM_NULLABLE))
		lm_fields_wrong(f, "the field '%s' is null", name);
	return NULL;
}

bool lm_field_number(struct lm_fields *f, const char *name, unsigned flags, double *out)
{
	const json_t *value = look(f, name, flags);
	double number = json_number_value(value);

	if (!value)
		return false;
	if (!json_is_number(value) || !isfinite(number) || number < 0 || number > MOST) {
		lm_fields_wrong(f, "the field '%s' is no number that can be", name);
		return false;
	}
	*out = number;
	return true;
}

bool lm_field_count(struct lm_fields *f, const char *name, unsigned flags, uint64_t most,
		    uint64_t *out)
{
	const json_t *value = look(f, name, flags);
	json_int_t number = json_integer_value(value);

	if (!value)
		return false;
	if (!json_is_integer(value) || number < 0 || (uint64_t)number > most) {
		lm_fields_wrong(f, "the field '%s' is no whole number that can be", name);
		return false;
	}
	*out = (uint64_t)number;
	return true;
}

bool lm_field_bool(struct lm_fields *f, const char *name, bool *out)
{
	const json_t *value = look(f, name, 0);

	if (!value)
		return false;
	if (!json_is_boolean(value)) {
		lm_fields_wrong(f, "the field '%s' is neither true nor false", name);
		return false;
	}
	*out = json_is_true(value);
	return true;
}

bool lm_field_text(struct lm_fields *f, const char *name, unsigned flags, const char **out)
{
	const json_t *value = look(f, name, flags);

	if (!value)
		return false;
	if (!json_is_string(value)) {
		lm_fields_wrong(f, "the field '%s' is no text", name);
		return false;
	}
	*out = json_string_value(value);
	return true;
}

const json_t *lm_field_array(struct lm_fields *f, const char *name, unsigned flags)
{
	const json_t *value = look(f, name, flags);

	if (!value || json_is_array(value))
		return value;
	lm_fields_wrong(f, "the field '%s' is no array", name);
	return NULL;
}

const json_t *lm_field_object(struct lm_fields *f, const char *name, unsigned flags)
{
	const json_t *value = look(f, name, flags);

	if (!value || json_is_object(value))
		return value;
	lm_fields_wrong(f, "the field '%s' is no object", name);
	return NULL;
}

/* --- facts --------------------------------------------------------------------------------- */

struct flattening {
	struct lm_facts *out;
	size_t left_out, first;
	bool failed; /* no memory */
};

static int add_integer(struct lm_facts *out, const char *key, json_int_t value)
{
	char text[32];

	if (value <= EXACT && value >= -EXACT)
		return lm_facts_number(out, key, (double)value);
	snprintf(text, sizeof(text), "%" JSON_INTEGER_FORMAT, value);
	return lm_facts_text(out, key, text);
}

static int add_value(struct lm_facts *out, const char *key, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		return lm_facts_text(out, key, json_string_value(value));
	case JSON_REAL:
		return lm_facts_number(out, key, json_real_value(value));
	case JSON_INTEGER:
		return add_integer(out, key, json_integer_value(value));
	case JSON_TRUE:
		return lm_facts_text(out, key, "true");
	case JSON_FALSE:
		return lm_facts_text(out, key, "false");
	case JSON_NULL:
	case JSON_OBJECT:
	case JSON_ARRAY:
		break;
	}
	return lm_facts_text(out, key, NULL);
}

static void flatten(struct flattening *f, const char *key, unsigned depth, const json_t *value);

static void flatten_named(struct flattening *f, const char *key, const char *name, unsigned depth,
			  const json_t *value)
{
	char longer[MAX_KEY];
	int n = snprintf(longer, sizeof(longer), "%s%s%s", key, *key ? "." : "", name);

	if (n < 0 || (size_t)n >= sizeof(longer) || depth > MAX_DEPTH)
		f->left_out++;
	else
		flatten(f, longer, depth, value);
}

static void flatten_array(struct flattening *f, const char *key, unsigned depth,
			  const json_t *value)
{
	char number[32];

	for (size_t i = 0; i < json_array_size(value) && !f->failed; i++) {
		snprintf(number, sizeof(number), "%zu", i);
		flatten_named(f, key, number, depth + 1, json_array_get(value, i));
	}
}

static void flatten(struct flattening *f, const char *key, unsigned depth, const json_t *value)
{
	const char *name;
	json_t *inner;

	if (f->failed)
		return;
	if (json_is_object(value))
		json_object_foreach((json_t *)(uintptr_t)value, name, inner)
			flatten_named(f, key, name, depth + 1, inner);
	else if (json_is_array(value))
		flatten_array(f, key, depth, value);
	else if (f->out->count - f->first >= MAX_FACTS)
		f->left_out++;
	else if (add_value(f->out, key, value) < 0)
		f->failed = true;
}

int lm_fields_facts(const json_t *object, const char *prefix, struct lm_facts *out,
		    size_t *left_out, struct lm_error *err)
{
	struct flattening f = { .out = out, .first = out->count };

	flatten(&f, prefix, 0, object);
	*left_out += f.left_out;
	return f.failed ? lm_error_sys(err, "results that were read") : 0;
}
