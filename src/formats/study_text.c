/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison for people at a terminal. */
#include <math.h>
#include <string.h>

#include "formats/studies.h"
#include "model/figures.h"

#define LABEL_MOST 300
#define TEXT_SPACE (4 * LABEL_MOST + 8)

/* --- figures -----------------------------------------------------------------------------------
 */

static const char *interval(const struct lm_change *c, char *buf, size_t size)
{
	if (isnan(c->low) || isnan(c->high))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%+.1f .. %+.1f %%", c->low, c->high);
	return buf;
}

static const char *number(double value, const char *format, char *buf, size_t size)
{
	if (isnan(value))
		return "-";
	snprintf(buf, size, format, value);
	return buf;
}

static const char *mark(const struct lm_change *c)
{
	if (!c->significant)
		return "";
	return c->worse ? "  WORSE" : "  BETTER";
}

static void change_head(FILE *out)
{
	fprintf(out, "%6s  %-13s %12s %3s %12s %3s %10s %20s %8s %9s\n", "Tasks", "Figure", "Base",
		"n", "New", "n", "Change", "95 % interval", "p", "Visible");
}

static void change_row(unsigned tasks, const struct lm_figure_info *info, const struct lm_change *c,
		       FILE *out)
{
	char change[32], between[64], p[32], mde[32];

	fprintf(out, "%6u  %-13s %12.*f %3zu %12.*f %3zu %10s %20s %8s %9s%s\n", tasks, info->title,
		info->decimals, c->base.mean, c->base.n, info->decimals, c->now.mean, c->now.n,
		lm_study_percent(c->percent, change, sizeof(change)),
		interval(c, between, sizeof(between)), number(c->p, "%.4f", p, sizeof(p)),
		number(c->mde, "%.1f %%", mde, sizeof(mde)), mark(c));
}

static void spread_head(FILE *out)
{
	fprintf(out, "%6s  %-13s %-5s %12s %12s %12s %10s %3s\n", "Tasks", "Figure", "Side", "MIN",
		"AVG", "MAX", "Dev", "n");
}

static void spread_row(unsigned tasks, const struct lm_figure_info *info, const char *side,
		       const struct lm_stat *s, FILE *out)
{
	fprintf(out, "%6u  %-13s %-5s %12.*f %12.*f %12.*f %10.*f %3zu\n", tasks, info->title, side,
		info->decimals, s->min, info->decimals, s->mean, info->decimals, s->max,
		info->decimals + 1, s->stddev, s->n);
}

static void print_cell(const struct lm_study *study, const struct lm_cell *cell, FILE *out)
{
	for (size_t i = 0; i < study->figure_count; i++) {
		enum lm_figure figure = study->figures[i];
		const struct lm_figure_info *info = lm_figure_info(figure);
		const struct lm_change *c = &cell->figures[figure];

		if (!lm_cell_knows(cell, figure))
			continue;
		if (study->spread) {
			spread_row(cell->tasks, info, "base", &c->base, out);
			spread_row(cell->tasks, info, "new", &c->now, out);
		} else {
			change_row(cell->tasks, info, c, out);
		}
	}
	if (cell->base_invalid || cell->now_invalid)
		fprintf(out, "%6u  INVALID steps left out: %u of the base, %u of the new\n",
			cell->tasks, cell->base_invalid, cell->now_invalid);
}

/* --- what is missing ---------------------------------------------------------------------------
 */

static void print_loads(const char *what, const struct lm_loads *loads, FILE *out)
{
	if (loads->count == 0)
		return;
	fprintf(out, "%s", what);
	for (size_t i = 0; i < loads->count; i++)
		fprintf(out, "%s %u", i ? "," : "", loads->tasks[i]);
	fprintf(out, " tasks.\n");
}

static void print_names(const char *what, const struct lm_names *names, FILE *out)
{
	char text[TEXT_SPACE];

	for (size_t i = 0; i < names->count; i++)
		fprintf(out, "%s %s.\n", what,
			lm_study_text_of(names->names[i], LABEL_MOST, text, sizeof(text)));
}

static void print_doubts(const struct lm_comparison *c, FILE *out)
{
	print_loads("Only the base has a valid step at", &c->base_only, out);
	print_loads("Only the new side has a valid step at", &c->now_only, out);
	print_loads("Every step of the base is INVALID at", &c->base_invalid, out);
	print_loads("Every step of the new side is INVALID at", &c->now_invalid, out);
	if (c->jobs_differ)
		fprintf(out,
			"The work differs: %u jobs per task in the base, %u in the new. Their real "
			"and cpu times are no measure of each other.\n",
			c->base_jobs, c->now_jobs);
	if (c->count && lm_comparison_single(c))
		fprintf(out, "Single runs: nothing can be said about noise. --repeat 5 gives "
			     "repeats.\n");
}

/* --- blame -------------------------------------------------------------------------------------
 */

static const char *part_name(const struct lm_blame_row *row)
{
	double all = fabs(row->change_s);

	if (all > 0 && row->wait_s / row->change_s > 0.9)
		return "all of it waiting";
	if (all > 0 && row->user_s / row->change_s > 0.9)
		return "all of it user time";
	if (all > 0 && row->system_s / row->change_s > 0.9)
		return "all of it system time";
	return NULL;
}

static void blame_sentence(const struct lm_blame *b, FILE *out)
{
	const struct lm_blame_row *first = &b->rows[0];
	char kind[TEXT_SPACE];
	const char *part = part_name(first);

	fprintf(out, "%+.3g s of %+.3g s a task in %s", first->change_s, b->change_s,
		lm_study_text_of(first->kind, LABEL_MOST, kind, sizeof(kind)));
	if (part)
		fprintf(out, ", %s.\n", part);
	else
		fprintf(out, " (user %+.3g s, system %+.3g s, waiting %+.3g s).\n", first->user_s,
			first->system_s, first->wait_s);
}

static void blame_row(const struct lm_blame_row *row, FILE *out)
{
	char kind[TEXT_SPACE], share[32];

	fprintf(out, "  %9s %+10.3f %+10.3f %+10.3f %+10.3f %10.4g %10.4g %10.4g %10.4g  %s\n",
		number(row->share, "%.1f %%", share, sizeof(share)), row->change_s, row->user_s,
		row->system_s, row->wait_s, row->base_median_s * 1e3, row->now_median_s * 1e3,
		row->base_p99_s * 1e3, row->now_p99_s * 1e3,
		lm_study_text_of(row->kind, LABEL_MOST, kind, sizeof(kind)));
}

static void print_blame(const struct lm_cell *cell, FILE *out)
{
	const struct lm_blame *b = &cell->blame;

	fprintf(out, "\nWhich jobs, at %u %s: ", cell->tasks, cell->tasks == 1 ? "task" : "tasks");
	blame_sentence(b, out);
	fprintf(out, "  %9s %10s %10s %10s %10s %10s %10s %10s %10s\n", "", "Change", "User",
		"System", "Waiting", "Median", "Median", "p99", "p99");
	fprintf(out, "  %9s %10s %10s %10s %10s %10s %10s %10s %10s  %s\n", "Share", "s/task",
		"s/task", "s/task", "s/task", "base ms", "new ms", "base ms", "new ms", "Kind");
	for (size_t i = 0; i < b->count; i++)
		blame_row(&b->rows[i], out);
	fprintf(out, "  %9s %+10.3f %+10.3f %+10.3f %+10.3f  (a task: %.3f s, was %.3f s)\n",
		"100.0 %", b->change_s, b->user_s, b->system_s, b->wait_s, b->now_s, b->base_s);
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static void print_comparison(const struct lm_study *study, const struct lm_comparison *c, FILE *out)
{
	char workload[TEXT_SPACE], base[TEXT_SPACE], now[TEXT_SPACE];
	const char *name = c->kind ? c->kind : c->workload;

	fprintf(out, "%s%s%s -> %s", lm_study_text_of(name, LABEL_MOST, workload, sizeof(workload)),
		name[0] ? ": " : "",
		lm_study_text_of(c->base->label, LABEL_MOST, base, sizeof(base)),
		lm_study_text_of(c->now->label, LABEL_MOST, now, sizeof(now)));
	if (c->base_jobs && !c->jobs_differ)
		fprintf(out, ", %u jobs per task", c->base_jobs);
	fputc('\n', out);
	if (study->spread)
		spread_head(out);
	else
		change_head(out);
	for (size_t i = 0; i < c->count; i++)
		print_cell(study, &c->cells[i], out);
	print_doubts(c, out);
	for (size_t i = 0; i < c->count; i++)
		if (lm_study_blames(study, &c->cells[i]))
			print_blame(&c->cells[i], out);
	fputc('\n', out);
}

static void print_differences(const struct lm_differences *d, FILE *out)
{
	char key[TEXT_SPACE], base[TEXT_SPACE], now[TEXT_SPACE];

	if (d->count == 0)
		return;
	fprintf(out, "What else differs\n");
	for (size_t i = 0; i < d->count; i++)
		fprintf(out, "  %s %s: %s -> %s\n", d->items[i].expected ? "(expected)" : "!",
			lm_study_text_of(d->items[i].key, LABEL_MOST, key, sizeof(key)),
			lm_study_text_of(d->items[i].base, LABEL_MOST, base, sizeof(base)),
			lm_study_text_of(d->items[i].now, LABEL_MOST, now, sizeof(now)));
	fputc('\n', out);
}

static int write_text(const struct lm_study *study, FILE *out)
{
	char verdict[1024], harmless[4 * sizeof(verdict)];

	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_contrast *contrast = &study->contrasts[i];

		for (size_t k = 0; k < contrast->comparisons.count; k++)
			print_comparison(study, &contrast->comparisons.items[k], out);
		print_names("Only the base has", &contrast->comparisons.base_only, out);
		print_names("Only the new side has", &contrast->comparisons.now_only, out);
		print_differences(&contrast->differences, out);
	}
	lm_study_verdict(study, verdict, sizeof(verdict));
	fprintf(out, "%s\n",
		lm_study_text_of(verdict, sizeof(verdict), harmless, sizeof(harmless)));
	fprintf(out, "# again: %s\n", study->command);
	return 0;
}

const struct lm_study_format lm_study_text = {
	.name = "text",
	.summary = "tables for people",
	.write = write_text,
};
