/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <loadmix/probe.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The array doubles whenever its length is a power of two, so no capacity is kept. */
static int make_room(struct lm_facts *facts)
{
	size_t n = facts->count;
	struct lm_fact *grown;

	if (n & (n - 1))
		return 0;
	grown = reallocarray(facts->items, n ? 2 * n : 1, sizeof(*grown));
	if (!grown)
		return -1;
	facts->items = grown;
	return 0;
}

static struct lm_fact *add(struct lm_facts *facts, const char *key)
{
	struct lm_fact *fact;
	char *copy;

	if (make_room(facts) < 0)
		return NULL;
	copy = strdup(key);
	if (!copy)
		return NULL;
	fact = &facts->items[facts->count++];
	*fact = (struct lm_fact){ .key = copy, .type = LM_FACT_NULL };
	return fact;
}

int lm_facts_text(struct lm_facts *facts, const char *key, const char *text)
{
	char *copy = text ? strdup(text) : NULL;
	struct lm_fact *fact;

	if (text && !copy)
		return -1;
	fact = add(facts, key);
	if (!fact) {
		free(copy);
		return -1;
	}
	fact->type = copy ? LM_FACT_TEXT : LM_FACT_NULL;
	fact->text = copy;
	return 0;
}

int lm_facts_number(struct lm_facts *facts, const char *key, double number)
{
	struct lm_fact *fact = add(facts, key);

	if (!fact)
		return -1;
	/* No reader has to cope with a number that is none. */
	if (isfinite(number)) {
		fact->type = LM_FACT_NUMBER;
		fact->number = number;
	}
	return 0;
}

static const struct lm_fact *find_typed(const struct lm_facts *facts, const char *key,
					enum lm_fact_type type)
{
	for (size_t i = 0; i < facts->count; i++)
		if (facts->items[i].type == type && strcmp(facts->items[i].key, key) == 0)
			return &facts->items[i];
	return NULL;
}

const char *lm_facts_text_of(const struct lm_facts *facts, const char *key, const char *otherwise)
{
	const struct lm_fact *fact = find_typed(facts, key, LM_FACT_TEXT);

	return fact ? fact->text : otherwise;
}

double lm_facts_number_of(const struct lm_facts *facts, const char *key, double otherwise)
{
	const struct lm_fact *fact = find_typed(facts, key, LM_FACT_NUMBER);

	return fact ? fact->number : otherwise;
}

const struct lm_fact *lm_facts_find(const struct lm_facts *facts, const char *key)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->items[i].key, key) == 0)
			return &facts->items[i];
	return NULL;
}

int lm_facts_copy(struct lm_facts *facts, const struct lm_facts *from)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < from->count; i++) {
		const struct lm_fact *fact = &from->items[i];

		rc = fact->type == LM_FACT_NUMBER ? lm_facts_number(facts, fact->key, fact->number)
						  : lm_facts_text(facts, fact->key, fact->text);
	}
	return rc;
}

void lm_facts_free(struct lm_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		free(facts->items[i].key);
		free(facts->items[i].text);
	}
	free(facts->items);
	*facts = (struct lm_facts){ 0 };
}
