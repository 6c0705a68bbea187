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

static void change_row(FILE *out, unsigned tasks, const struct lm_figure_info *info,
		       const struct lm_change *c)
{
	int decimals = lm_figure_decimals(info, fmin(c->base.mean, c->now.mean));
	char change[32], between[64], p[32], mde[32];

	fprintf(out, "%6u  %-13s %12.*f %3zu %12.*f %3zu %10s %20s %8s %9s%s\n", tasks, info->title,
		decimals, c->base.mean, c->base.n, decimals, c->now.mean, c->now.n,
		lm_study_percent(c->percent, change, sizeof(change)),
		interval(c, between, sizeof(between)), lm_study_p(c->p, p, sizeof(p)),
		number(c->mde, "%.1f %%", mde, sizeof(mde)), mark(c));
}

static void spread_head(FILE *out)
{
	fprintf(out, "%6s  %-13s %-5s %12s %12s %12s %10s %3s\n", "Tasks", "Figure", "Side", "MIN",
		"AVG", "MAX", "Dev", "n");
}

static void spread_row(FILE *out, unsigned tasks, const struct lm_figure_info *info,
		       const char *side, const struct lm_stat *s)
{
	int decimals = lm_figure_decimals(info, s->min);

	fprintf(out, "%6u  %-13s %-5s %12.*f %12.*f %12.*f %10.*f %3zu\n", tasks, info->title, side,
		decimals, s->min, decimals, s->mean, decimals, s->max, decimals + 1, s->stddev,
		s->n);
}

static void print_spread(const struct lm_study *study, const struct lm_comparison *c, FILE *out)
{
	spread_head(out);
	for (size_t i = 0; i < c->count; i++)
		lm_study_spread(out, study, &c->cells[i], spread_row);
	fputc('\n', out);
}

static void print_changes(const struct lm_study *study, const struct lm_comparison *c, FILE *out)
{
	change_head(out);
	for (size_t i = 0; i < c->count; i++)
		lm_study_changes(out, study, &c->cells[i], change_row);
}

/* A frame of its own: sentences are long, and stacks can be small. */
static __attribute__((noinline)) void print_doubts(const struct lm_doubts *doubts, FILE *out)
{
	char text[4 * LM_STUDY_SENTENCE + 8];

	for (size_t i = 0; i < doubts->count; i++)
		fprintf(out, "%s\n",
			lm_study_text_of(doubts->texts[i], LM_STUDY_SENTENCE, text, sizeof(text)));
}

/* --- blame -------------------------------------------------------------------------------------
 */

/* A part is all of a change when the two others are next to nothing, whichever their signs. */
static const char *part_name(const struct lm_blame_row *row)
{
	const double parts[] = { row->wait_s, row->user_s, row->system_s };
	static const char *const names[] = { "all of it waiting", "all of it user time",
					     "all of it system time" };
	double little = 0.05 * fabs(row->change_s);

	for (size_t i = 0; i < 3 && little > 0; i++)
		if (fabs(parts[(i + 1) % 3]) < little && fabs(parts[(i + 2) % 3]) < little)
			return names[i];
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
	const double jobs[] = { row->base_median_s, row->now_median_s, row->base_p99_s,
				row->now_p99_s };
	char kind[TEXT_SPACE], text[32];

	fprintf(out, "  %9s %+10.3f %+10.3f %+10.3f %+10.3f",
		number(row->share, "%.1f %%", text, sizeof(text)), row->change_s, row->user_s,
		row->system_s, row->wait_s);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		fprintf(out, " %10s", number(jobs[i] * 1e3, "%.4g", text, sizeof(text)));
	fprintf(out, "  %s\n", lm_study_text_of(row->kind, LABEL_MOST, kind, sizeof(kind)));
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

static void print_jobs(const struct lm_comparison *c, FILE *out)
{
	const struct lm_jobs *jobs = &c->base_jobs;

	if (jobs->most && jobs->least == jobs->most && !c->jobs_differ)
		fprintf(out, ", %u jobs per task%s", jobs->least,
			jobs->told ? "" : " (worked out, not told)");
}

static void print_comparison(const struct lm_study *study, const struct lm_comparison *c,
			     const struct lm_doubts *doubts, FILE *out)
{
	char workload[TEXT_SPACE], base[TEXT_SPACE], now[TEXT_SPACE], name[512];

	lm_comparison_name(c, name, sizeof(name));
	fprintf(out, "%s%s%s -> %s", lm_study_text_of(name, LABEL_MOST, workload, sizeof(workload)),
		name[0] ? ": " : "",
		lm_study_text_of(c->base->label, LABEL_MOST, base, sizeof(base)),
		lm_study_text_of(c->now->label, LABEL_MOST, now, sizeof(now)));
	print_jobs(c, out);
	fputc('\n', out);
	if (study->spread)
		print_spread(study, c, out);
	print_changes(study, c, out);
	print_doubts(doubts, out);
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

static __attribute__((noinline)) void print_verdict(const struct lm_study *study, FILE *out)
{
	char verdict[1024], harmless[4 * sizeof(verdict)];

	lm_study_verdict(study, verdict, sizeof(verdict));
	fprintf(out, "%s\n",
		lm_study_text_of(verdict, sizeof(verdict), harmless, sizeof(harmless)));
}

static int write_text(const struct lm_study *study, FILE *out)
{
	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_contrast *contrast = &study->contrasts[i];

		for (size_t k = 0; k < contrast->comparisons.count; k++)
			print_comparison(study, &contrast->comparisons.items[k],
					 &contrast->doubts[k], out);
		print_doubts(&contrast->left_out, out);
		print_differences(&contrast->differences, out);
	}
	fprintf(out, "Visible: the smallest change that so many repeats would show.\n");
	print_verdict(study, out);
	fprintf(out, "# again: %s\n", study->command);
	return 0;
}

const struct lm_study_format lm_study_text = {
	.name = "text",
	.summary = "tables for people",
	.write = write_text,
};
