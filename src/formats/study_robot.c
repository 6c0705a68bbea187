/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as automated kernel testers print it: value and deviation, change, value and
 * deviation, figure. */
#include <math.h>

#include "formats/studies.h"
#include "model/figures.h"

static const char *deviation(const struct lm_stat *s, char *buf, size_t size)
{
	double percent = s->n > 1 && s->mean != 0 ? 100 * s->stddev / fabs(s->mean) : 0;

	buf[0] = '\0';
	if (percent >= 0.5)
		snprintf(buf, size, "± %2.0f%%", percent);
	else
		snprintf(buf, size, "     ");
	return buf;
}

static void robot_row(enum lm_figure figure, const struct lm_change *c, FILE *out)
{
	const struct lm_figure_info *info = lm_figure_info(figure);
	int decimals = lm_figure_decimals(info, fmin(c->base.mean, c->now.mean));
	char base[32], now[32], change[32];

	if (isnan(c->percent))
		snprintf(change, sizeof(change), "-");
	else
		snprintf(change, sizeof(change), "%+.1f%%", c->percent);
	fprintf(out, "%12.*f %s  %9s  %12.*f %s  %s\n", decimals, c->base.mean,
		deviation(&c->base, base, sizeof(base)), change, decimals, c->now.mean,
		deviation(&c->now, now, sizeof(now)), info->name);
}

static void robot_comparison(const struct lm_study *study, const struct lm_comparison *c,
			     const struct lm_doubts *doubts, FILE *out)
{
	char workload[1300], base[600], now[600], name[512];

	lm_comparison_name(c, name, sizeof(name));
	lm_study_text_of(name[0] ? name : "workload", 300, workload, sizeof(workload));
	fprintf(out, "%18s  %9s  %18s\n", lm_study_text_of(c->base->label, 100, base, sizeof(base)),
		"", lm_study_text_of(c->now->label, 100, now, sizeof(now)));
	fprintf(out, "------------------  ---------  ------------------\n");
	fprintf(out, "%18s  %9s  %18s\n", "%stddev", "%change", "%stddev");
	for (size_t i = 0; i < c->count; i++) {
		fprintf(out, "%s, %u task%s\n", workload, c->cells[i].tasks,
			c->cells[i].tasks == 1 ? "" : "s");
		for (size_t k = 0; k < study->figure_count; k++)
			if (lm_cell_knows(&c->cells[i], study->figures[k]))
				robot_row(study->figures[k],
					  &c->cells[i].figures[study->figures[k]], out);
	}
	lm_study_remarks(doubts, out);
	fputc('\n', out);
}

static int write_robot(const struct lm_study *study, FILE *out)
{
	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_contrast *contrast = &study->contrasts[i];

		for (size_t k = 0; k < contrast->comparisons.count; k++)
			robot_comparison(study, &contrast->comparisons.items[k],
					 &contrast->doubts[k], out);
		lm_study_remarks(&contrast->left_out, out);
	}
	fprintf(out, "# again: %s\n", study->command);
	return 0;
}

const struct lm_study_format lm_study_robot = {
	.name = "robot",
	.summary = "%stddev  %change  %stddev, as kernel test robots print it",
	.write = write_robot,
};
