/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison for mails and trackers that show Markdown. */
#include <math.h>
#include <string.h>

#include "formats/studies.h"
#include "model/figures.h"

/* Text is data: nothing in it is markup. */
static __attribute__((noinline)) void put(FILE *out, const char *text)
{
	char harmless[4 * LM_STUDY_SENTENCE + 8];

	for (text = lm_study_text_of(text, LM_STUDY_SENTENCE, harmless, sizeof(harmless)); *text;
	     text++) {
		if (strchr("\\`*_{}[]<>()#+!|~&", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void number(FILE *out, double value, const char *format)
{
	if (isnan(value))
		fputc('-', out);
	else
		fprintf(out, format, value);
	fputs(" | ", out);
}

static void change_row(FILE *out, unsigned tasks, const struct lm_figure_info *info,
		       const struct lm_change *c)
{
	int decimals = lm_figure_decimals(info, fmin(c->base.mean, c->now.mean));
	char percent[32], p[32];

	lm_study_percent(c->percent, percent, sizeof(percent));
	fprintf(out, "| %u | %s | %.*f (%zu) | %.*f (%zu) | ", tasks, info->title, decimals,
		c->base.mean, c->base.n, decimals, c->now.mean, c->now.n);
	fprintf(out, c->significant ? "**%s** | " : "%s | ", percent);
	if (isnan(c->low))
		fputs("- | ", out);
	else
		fprintf(out, "%+.1f to %+.1f %% | ", c->low, c->high);
	fprintf(out, "%s | ", lm_study_p(c->p, p, sizeof(p)));
	number(out, c->mde, "%.1f %%");
	fprintf(out, "%s |\n", !c->significant ? "" : c->worse ? "worse" : "better");
}

static void spread_row(FILE *out, unsigned tasks, const struct lm_figure_info *info,
		       const char *side, const struct lm_stat *s)
{
	int decimals = lm_figure_decimals(info, s->min);

	fprintf(out, "| %u | %s | %s | %.*f | %.*f | %.*f | %.*f | %zu |\n", tasks, info->title,
		side, decimals, s->min, decimals, s->mean, decimals, s->max, decimals + 1,
		s->stddev, s->n);
}

static void spread_table(FILE *out, const struct lm_study *study, const struct lm_comparison *c)
{
	fputs("\n\n| Tasks | Figure | Side | Min | Avg | Max | Dev | n |\n"
	      "| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
	      out);
	for (size_t i = 0; i < c->count; i++)
		lm_study_spread(out, study, &c->cells[i], spread_row);
}

static void change_table(FILE *out, const struct lm_study *study, const struct lm_comparison *c)
{
	fputs(study->spread ? "\n" : "\n\n", out);
	fputs("| Tasks | Figure | Base (n) | New (n) | Change | 95 % interval | p | Visible | |\n"
	      "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
	      out);
	for (size_t i = 0; i < c->count; i++)
		lm_study_changes(out, study, &c->cells[i], change_row);
}

static void blame_table(FILE *out, const struct lm_cell *cell)
{
	const struct lm_blame *b = &cell->blame;

	fprintf(out,
		"\nWhich jobs, at %u %s: a task takes %+.3g s.\n\n"
		"| Kind | Share | Change s/task | User | System | Waiting |\n"
		"| --- | ---: | ---: | ---: | ---: | ---: |\n",
		cell->tasks, cell->tasks == 1 ? "task" : "tasks", b->change_s);
	for (size_t i = 0; i < b->count; i++) {
		const struct lm_blame_row *r = &b->rows[i];

		fputs("| ", out);
		put(out, r->kind);
		fputs(" | ", out);
		number(out, r->share, "%.1f %%");
		fprintf(out, "%+.3f | %+.3f | %+.3f | %+.3f |\n", r->change_s, r->user_s,
			r->system_s, r->wait_s);
	}
}

static void doubts(FILE *out, const struct lm_doubts *d)
{
	if (d->count)
		fputc('\n', out);
	for (size_t i = 0; i < d->count; i++) {
		fputs("- ", out);
		put(out, d->texts[i]);
		fputc('\n', out);
	}
}

static void comparison(FILE *out, const struct lm_study *study, const struct lm_comparison *c,
		       const struct lm_doubts *of_it)
{
	char name[512];

	lm_comparison_name(c, name, sizeof(name));
	fputs("## ", out);
	put(out, name[0] ? name : "workload");
	fputs(": ", out);
	put(out, c->base->label);
	fputs(" to ", out);
	put(out, c->now->label);
	if (study->spread)
		spread_table(out, study, c);
	change_table(out, study, c);
	doubts(out, of_it);
	for (size_t i = 0; i < c->count; i++)
		if (lm_study_blames(study, &c->cells[i]))
			blame_table(out, &c->cells[i]);
	fputc('\n', out);
}

static void differences(FILE *out, const struct lm_differences *d)
{
	if (d->count == 0)
		return;
	fputs("What else differs:\n\n| What | Base | New | |\n| --- | --- | --- | --- |\n", out);
	for (size_t i = 0; i < d->count; i++) {
		fputs("| ", out);
		put(out, d->items[i].key);
		fputs(" | ", out);
		put(out, d->items[i].base);
		fputs(" | ", out);
		put(out, d->items[i].now);
		fprintf(out, " | %s |\n", d->items[i].expected ? "expected" : "");
	}
	fputc('\n', out);
}

static int write_markdown(const struct lm_study *study, FILE *out)
{
	char verdict[1024];

	lm_study_verdict(study, verdict, sizeof(verdict));
	put(out, verdict);
	fputs("\n\n", out);
	for (size_t i = 0; i + 1 < study->set_count; i++) {
		const struct lm_contrast *contrast = &study->contrasts[i];

		for (size_t k = 0; k < contrast->comparisons.count; k++)
			comparison(out, study, &contrast->comparisons.items[k],
				   &contrast->doubts[k]);
		doubts(out, &contrast->left_out);
		if (contrast->left_out.count)
			fputc('\n', out);
		differences(out, &contrast->differences);
	}
	fputs("Again: ", out);
	put(out, study->command);
	fputc('\n', out);
	return 0;
}

const struct lm_study_format lm_study_markdown = {
	.name = "markdown",
	.summary = "tables in Markdown",
	.write = write_markdown,
};
