/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison in the form that kernel people post. */
#include "formats/posted_table.h"
#include "formats/studies.h"

static int tables(const struct lm_study *study, FILE *out)
{
	if (!study->spread)
		return lm_posted_table(study->sets, study->set_count, out);
	for (size_t i = 0; i < study->figure_count; i++)
		if (lm_posted_spread(study->sets, study->set_count, study->figures[i], out) < 0)
			return -1;
	return 0;
}

/* Of which comparison they are is told first. */
static void remarks(const struct lm_comparison *c, const struct lm_doubts *doubts, FILE *out)
{
	char name[512], text[4 * sizeof(name) + 8], base[1300], now[1300];

	if (doubts->count == 0)
		return;
	lm_comparison_name(c, name, sizeof(name));
	fprintf(out, "# %s%s%s -> %s\n", lm_study_text_of(name, sizeof(name), text, sizeof(text)),
		name[0] ? ": " : "", lm_study_text_of(c->base->label, 300, base, sizeof(base)),
		lm_study_text_of(c->now->label, 300, now, sizeof(now)));
	lm_study_remarks(doubts, out);
}

static int write_posted(const struct lm_study *study, FILE *out)
{
	if (tables(study, out) < 0)
		return -1;
	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_contrast *contrast = &study->contrasts[i];

		for (size_t k = 0; k < contrast->comparisons.count; k++)
			remarks(&contrast->comparisons.items[k], &contrast->doubts[k], out);
		lm_study_remarks(&contrast->left_out, out);
	}
	fprintf(out, "# again: %s\n", study->command);
	return 0;
}

const struct lm_study_format lm_study_posted = {
	.name = "posted",
	.summary = "kernel Tasks Jobs/Min Real CPU, all sets in one table",
	.write = write_posted,
};
