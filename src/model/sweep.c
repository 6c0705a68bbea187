/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/sweep.h"

#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned lm_range_steps(const struct lm_range *range)
{
	unsigned span = range->end > range->start ? range->end - range->start : 0;

	if (range->step == 0)
		return 1;
	return span / range->step + (span % range->step != 0) + 1;
}

unsigned lm_range_at(const struct lm_range *range, unsigned index)
{
	uint64_t value = range->start + (uint64_t)index * range->step;

	return value < range->end ? (unsigned)value : range->end;
}

/* A list being read: where we are, and what its numbers may be. */
struct list {
	const char *text, *at;
	const char *source;
	const char *what; /* what a number is, with an example: "a task count such as 4 ..." */
	unsigned min, max;
	bool *open; /* set when a range has no end; NULL: it must have one */
	struct lm_error *err;
};

static long column_of(const struct list *list, const char *s)
{
	return (long)(s - list->text) + 1;
}

/* What stands at a place, up to the end of its element. */
static const char *found(const char *s, char *buf, size_t size)
{
	char shown[200];

	if (*s == '\0')
		return "the end";
	lm_text_quote(s, *s == ',' ? 1 : strcspn(s, ","), 40, shown, sizeof(shown));
	snprintf(buf, size, "'%s'", shown);
	return buf;
}

static int unexpected(const struct list *list, const char *expected)
{
	char buf[204];

	return lm_error_at(list->err, list->source, 0, column_of(list, list->at),
			   "found %s, expected %s", found(list->at, buf, sizeof(buf)), expected);
}

static int read_number(struct list *list, unsigned min, unsigned max, const char *expected,
		       unsigned *out)
{
	size_t length = strspn(list->at, "0123456789");
	char digits[24];
	uint64_t value;

	if (length == 0)
		return unexpected(list, expected);
	/* A number that does not fit is above every bound. */
	snprintf(digits, sizeof(digits), "%.*s", (int)(length < 23 ? length : 23), list->at);
	if (!lm_parse_uint(digits, 0, UINT64_MAX, &value) || length > 22)
		value = UINT64_MAX;
	if (value < min || value > max) {
		char shown[100];

		lm_text_quote(list->at, length, 20, shown, sizeof(shown));
		return lm_error_at(list->err, list->source, 0, column_of(list, list->at),
				   "%s is too %s, expected %u to %u", shown,
				   value < min ? "small" : "big", min, max);
	}
	*out = (unsigned)value;
	list->at += length;
	return 0;
}

static bool is_open_end(const char *s)
{
	return *s == '\0' || *s == ',' || *s == ':';
}

/* What follows the '-' of a range: its end, or nothing. */
static int read_end(struct list *list, struct lm_range *range)
{
	const char *end = list->at;

	if (list->open && is_open_end(end)) {
		*list->open = true;
		range->end = list->max;
		return 0;
	}
	if (read_number(list, list->min, list->max, "the end of the range", &range->end) < 0)
		return -1;
	if (range->end < range->start)
		return lm_error_at(list->err, list->source, 0, column_of(list, end),
				   "the range ends at %u, below its start %u: write %u-%u",
				   range->end, range->start, range->end, range->start);
	return 0;
}

/* Read "4", "4-32", "4-32:4", "4-" or "4-:4". */
static int read_range(struct list *list, struct lm_range *range)
{
	if (read_number(list, list->min, list->max, list->what, &range->start) < 0)
		return -1;
	range->end = range->start;
	range->step = 1;
	if (*list->at != '-')
		return 0;
	list->at++;
	if (read_end(list, range) < 0)
		return -1;
	if (*list->at != ':')
		return 0;
	list->at++;
	return read_number(list, 1, LM_MAX_TASKS, "the step after ':'", &range->step);
}

/* Between two elements, or at the end: 1 when another follows, 0 at the end, -1 with err. */
static int next_element(struct list *list)
{
	if (*list->at == '\0')
		return 0;
	if (*list->at != ',')
		return unexpected(list, "',' and another number, or the end of the list");
	list->at++;
	return 1;
}

/* Read the list's ranges into a new array. */
static int read_ranges(struct list *list, struct lm_range **out, size_t *count)
{
	size_t room = 1;
	int more = 1;

	for (const char *s = list->text; *s; s++)
		room += *s == ',';
	*count = 0;
	*out = calloc(room, sizeof(**out));
	if (!*out)
		return lm_error_set(list->err, LM_ERR_SYSTEM, "out of memory for a list");
	while (more > 0)
		more = read_range(list, &(*out)[(*count)++]) < 0 ? -1 : next_element(list);
	if (more == 0)
		return 0;
	free(*out);
	*out = NULL;
	*count = 0;
	return -1;
}

int lm_sweep_parse(const char *text, const char *source, struct lm_sweep *out, struct lm_error *err)
{
	struct list list = {
		.text = text,
		.at = text,
		.source = source,
		.what = "a task count, as in 4, 4-32, 4-32:4, 1,5,9,50 or 1-:4",
		.min = 1,
		.max = LM_MAX_TASKS,
		.open = &out->open,
		.err = err,
	};

	if (read_ranges(&list, &out->ranges, &out->count) < 0)
		return -1;
	if (!out->open || out->count == 1)
		return 0;
	lm_sweep_free(out);
	return lm_error_at(err, source, 0, 0,
			   "a range without an end, as in 1-:4, must be alone: '%.100s' is a list",
			   text);
}

void lm_sweep_free(struct lm_sweep *sweep)
{
	free(sweep->ranges);
	*sweep = (struct lm_sweep){ 0 };
}

static void mark(const struct lm_range *range, bool *used)
{
	/* A processor list takes every step-th; unlike a sweep it does not add the end. */
	for (uint64_t cpu = range->start; cpu <= range->end; cpu += range->step)
		used[cpu] = true;
}

/* The numbers that are in some range, ascending. */
static unsigned *gather(const struct lm_range *ranges, size_t range_count, unsigned limit,
			size_t *count)
{
	bool *used = calloc(limit, sizeof(*used));
	unsigned *numbers = calloc(limit, sizeof(*numbers));

	*count = 0;
	if (used && numbers) {
		for (size_t i = 0; i < range_count; i++)
			mark(&ranges[i], used);
		for (unsigned i = 0; i < limit; i++) {
			if (used[i])
				numbers[(*count)++] = i;
		}
	}
	free(used);
	if (*count > 0)
		return numbers;
	free(numbers);
	return NULL;
}

int lm_cpus_parse(const char *text, const char *source, unsigned limit, unsigned **cpus,
		  size_t *count, struct lm_error *err)
{
	struct list list = {
		.text = text,
		.at = text,
		.source = source,
		.what = "a processor number, as in 0, 0-3 or 0-3,8-14:2",
		.min = 0,
		.max = limit ? limit - 1 : 0,
		.err = err,
	};
	struct lm_range *ranges;
	size_t range_count;

	if (limit == 0)
		return lm_error_at(err, source, 0, 0, "no processors are known on this system");
	if (read_ranges(&list, &ranges, &range_count) < 0)
		return -1;
	*cpus = gather(ranges, range_count, limit, count);
	free(ranges);
	if (!*cpus)
		return lm_error_set(err, LM_ERR_SYSTEM, "out of memory for a list of processors");
	return 0;
}
