/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/studies.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

const struct lm_study_format *const lm_study_formats[] = {
	&lm_study_text, &lm_study_posted, &lm_study_markdown,
	&lm_study_csv,  &lm_study_json,   &lm_study_robot,
	NULL,
};

const struct lm_study_format *lm_study_format_find(const char *name)
{
	for (size_t i = 0; lm_study_formats[i]; i++)
		if (strcmp(lm_study_formats[i]->name, name) == 0)
			return lm_study_formats[i];
	return NULL;
}

const char *lm_study_percent(double percent, char *buf, size_t size)
{
	if (isnan(percent))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%+.1f %%", percent);
	return buf;
}

const char *lm_study_p(double p, char *buf, size_t size)
{
	if (isnan(p))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, p < 0.0001 ? "<%.4f" : "%.4f", fmax(p, 0.0001));
	return buf;
}

const char *lm_study_text_of(const char *text, size_t max, char *buf, size_t size)
{
	return lm_text_quote(text, strlen(text), max, buf, size);
}

void lm_study_remarks(const struct lm_doubts *doubts, FILE *out)
{
	char text[4 * LM_STUDY_SENTENCE + 8];

	for (size_t i = 0; i < doubts->count; i++)
		fprintf(out, "# %s\n",
			lm_study_text_of(doubts->texts[i], LM_STUDY_SENTENCE, text, sizeof(text)));
}

void lm_study_changes(FILE *out, const struct lm_study *study, const struct lm_cell *cell,
		      lm_study_row *row)
{
	for (size_t i = 0; i < study->figure_count; i++) {
		enum lm_figure figure = study->figures[i];

		if (lm_cell_knows(cell, figure))
			row(out, cell->tasks, lm_figure_info(figure), &cell->figures[figure]);
	}
}

void lm_study_spread(FILE *out, const struct lm_study *study, const struct lm_cell *cell,
		     lm_study_side_row *row)
{
	for (size_t i = 0; i < study->figure_count; i++) {
		const struct lm_figure_info *info = lm_figure_info(study->figures[i]);
		const struct lm_change *c = &cell->figures[study->figures[i]];

		if (!lm_cell_knows(cell, study->figures[i]))
			continue;
		row(out, cell->tasks, info, "base", &c->base);
		row(out, cell->tasks, info, "new", &c->now);
	}
}
