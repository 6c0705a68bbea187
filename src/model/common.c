/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/common.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* A list in a sentence, cut when it gets long. */
struct words {
	char text[300];
	size_t length, count;
};

static void add_word(struct words *w, const char *word)
{
	char quoted[64];
	int n;

	w->count++;
	if (w->length + sizeof(quoted) + 8 > sizeof(w->text)) {
		strcpy(w->text + w->length, ", ...");
		return;
	}
	n = snprintf(w->text + w->length, sizeof(w->text) - w->length, "%s%s",
		     w->length ? ", " : "",
		     lm_text_quote(word, strlen(word), 40, quoted, sizeof(quoted)));
	w->length += (size_t)n;
}

static void list_names(struct words *w, const struct lm_names *list)
{
	for (size_t i = 0; i < list->count; i++)
		add_word(w, list->names[i][0] ? list->names[i] : "no name");
	if (w->count == 0)
		add_word(w, "no step");
}

static void list_loads(struct words *w, const struct lm_loads *valid,
		       const struct lm_loads *invalid)
{
	char number[24];

	for (size_t i = 0; i < valid->count; i++) {
		snprintf(number, sizeof(number), "%u", valid->tasks[i]);
		add_word(w, number);
	}
	for (size_t i = 0; i < invalid->count; i++) {
		snprintf(number, sizeof(number), "%u (INVALID)", invalid->tasks[i]);
		add_word(w, number);
	}
}

static int no_common_workload(const struct lm_set *base, const struct lm_set *now,
			      const struct lm_comparisons *c, struct lm_error *err)
{
	struct words one = { 0 }, other = { 0 };
	char label[64], other_label[64];

	list_names(&one, &c->base_only);
	list_names(&other, &c->now_only);
	return lm_error_set(
		err, LM_ERR_INPUT,
		"'%s' and '%s' have no workload in common: the one has %s, the other has %s; "
		"compare runs of the same workload",
		lm_text_quote(base->label, strlen(base->label), 40, label, sizeof(label)),
		lm_text_quote(now->label, strlen(now->label), 40, other_label, sizeof(other_label)),
		one.text, other.text);
}

static int no_common_load(const struct lm_comparison *c, struct lm_error *err)
{
	struct words one = { 0 }, other = { 0 };
	char label[64], other_label[64], workload[64];
	const char *name = c->kind ? c->kind : c->workload;

	list_loads(&one, &c->base_only, &c->base_invalid);
	list_loads(&other, &c->now_only, &c->now_invalid);
	return lm_error_set(
		err, LM_ERR_INPUT,
		"'%s' and '%s' have no task count with valid steps in common (%s): the one has %s, "
		"the other has %s; run both with the same --tasks",
		lm_text_quote(c->base->label, strlen(c->base->label), 40, label, sizeof(label)),
		lm_text_quote(c->now->label, strlen(c->now->label), 40, other_label,
			      sizeof(other_label)),
		name[0] ? lm_text_quote(name, strlen(name), 40, workload, sizeof(workload))
			: "no workload told",
		one.text, other.text);
}

int lm_common_check(const struct lm_set *base, const struct lm_set *now,
		    const struct lm_comparisons *c, struct lm_error *err)
{
	if (c->count == 0)
		return no_common_workload(base, now, c, err);
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].count > 0)
			return 0;
	return no_common_load(&c->items[0], err);
}
