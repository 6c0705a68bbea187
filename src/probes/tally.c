/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probes/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lm_tally_add(struct lm_tally *tally, const char *text)
{
	char cut[sizeof(tally->values[0].text)];
	size_t i = 0;

	snprintf(cut, sizeof(cut), "%s", text);
	while (i < tally->count && strcmp(tally->values[i].text, cut) != 0)
		i++;
	if (i == LM_TALLY_VALUES) {
		tally->others++;
		return;
	}
	if (i == tally->count)
		strcpy(tally->values[tally->count++].text, cut);
	tally->values[i].count++;
}

int lm_tally_text(const struct lm_tally *tally, const char *key, struct lm_facts *out)
{
	char text[sizeof(tally->values) + 64 * LM_TALLY_VALUES] = "";
	size_t length = 0;

	if (tally->count <= 1)
		return lm_facts_text(out, key, tally->count ? tally->values[0].text : NULL);
	for (size_t i = 0; i < tally->count; i++)
		length += (size_t)sprintf(text + length, "%s%s (%u)", i ? ", " : "",
					  tally->values[i].text, tally->values[i].count);
	if (tally->others)
		sprintf(text + length, ", others (%u)", tally->others);
	return lm_facts_text(out, key, text);
}

int lm_tally_number(const struct lm_tally *tally, const char *key, struct lm_facts *out)
{
	char *end;
	long long number;

	if (tally->count != 1)
		return lm_facts_text(out, key, NULL);
	number = strtoll(tally->values[0].text, &end, 10);
	if (end == tally->values[0].text || *end)
		return lm_facts_text(out, key, NULL);
	return lm_facts_number(out, key, (double)number);
}
