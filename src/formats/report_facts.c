/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a report is made of: the sets, what differs between them, and what was planned. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/gnuplot.h"
#include "formats/html.h"
#include "formats/report_parts.h"

static void text_cell(FILE *out, const char *text)
{
	fputs("<td class=\"text\">", out);
	lm_html_text(out, text[0] ? text : "unknown");
	fputs("</td>", out);
}

/* --- sets ------------------------------------------------------------------------------------- */

/* ISO dates are in the order of their letters. */
static void widen(const char *when, const char **first, const char **last)
{
	if (when[0] == '\0')
		return;
	if (!*first || strcmp(when, *first) < 0)
		*first = when;
	if (!*last || strcmp(when, *last) > 0)
		*last = when;
}

static void dates_cell(FILE *out, const struct lm_set *set)
{
	const char *first = NULL, *last = NULL;

	for (size_t i = 0; i < set->count; i++) {
		widen(set->runs[i]->started, &first, &last);
		for (size_t k = 0; k < set->runs[i]->count; k++)
			widen(set->runs[i]->records[k].ended, &first, &last);
	}
	fputs("<td class=\"date\">", out);
	lm_html_text(out, first ? first : "not told");
	if (first && strcmp(first, last) != 0) {
		fputs(" to ", out);
		lm_html_text(out, last);
	}
	fputs("</td>", out);
}

static void steps_cell(FILE *out, const struct lm_set *set)
{
	size_t steps = 0, invalid = 0;

	for (size_t i = 0; i < set->count; i++) {
		steps += set->runs[i]->count;
		for (size_t k = 0; k < set->runs[i]->count; k++)
			invalid += !set->runs[i]->records[k].valid;
	}
	fprintf(out, "<td>%zu</td><td>%zu</td>", steps, invalid);
}

static void sources_cell(FILE *out, const struct lm_set *set)
{
	fputs("<td class=\"text path\">", out);
	for (size_t i = 0; i < set->count; i++) {
		if (i && strcmp(set->runs[i]->source, set->runs[i - 1]->source) == 0)
			continue;
		fputs(i ? ", " : "", out);
		lm_html_text(out, set->runs[i]->source);
	}
	fputs("</td>", out);
}

void lm_report_sets(const struct lm_report *report, FILE *out)
{
	const struct lm_study *study = report->study;

	lm_report_open_table(out, "What is shown");
	fputs("<thead><tr><th scope=\"col\" class=\"text\">Label</th><th scope=\"col\" "
	      "class=\"text\">Side</th><th scope=\"col\">Runs</th><th scope=\"col\">Steps</th><th "
	      "scope=\"col\">INVALID</th><th scope=\"col\" class=\"text\">When</th><th "
	      "scope=\"col\" class=\"text\">Files</th></tr></thead><tbody>\n",
	      out);
	for (size_t i = 0; i < study->set_count; i++) {
		fputs("<tr><th scope=\"row\" class=\"text\">", out);
		lm_html_text(out, study->sets[i].label);
		fprintf(out, "</th><td class=\"text\">%s</td><td>%zu</td>",
			study->set_count < 2 ? "alone"
			: i                  ? "new"
					     : "base",
			study->sets[i].count);
		steps_cell(out, &study->sets[i]);
		dates_cell(out, &study->sets[i]);
		sources_cell(out, &study->sets[i]);
		fputs("</tr>\n", out);
	}
	fputs("</tbody>", out);
	lm_report_close_table(out);
}

/* --- differences ------------------------------------------------------------------------------ */

static void difference_rows(FILE *out, const struct lm_differences *d)
{
	for (size_t i = 0; i < d->count; i++) {
		fputs("<tr><th scope=\"row\" class=\"text\">", out);
		lm_html_text(out, d->items[i].key);
		fputs("</th>", out);
		text_cell(out, d->items[i].base);
		text_cell(out, d->items[i].now);
		fprintf(out, "<td class=\"text\">%s</td></tr>\n",
			d->items[i].expected ? "expected" : "<strong>look at it</strong>");
	}
}

static void differences(FILE *out, const struct lm_study *study, size_t i)
{
	const struct lm_contrast *contrast = &study->contrasts[i];

	fputs("<h3>", out);
	lm_html_text(out, study->sets[0].label);
	fputs(" to ", out);
	lm_html_text(out, study->sets[i + 1].label);
	fputs("</h3>\n", out);
	for (size_t k = 0; k < contrast->left_out.count; k++) {
		fputs("<p class=\"note\">", out);
		lm_html_text(out, contrast->left_out.texts[k]);
		fputs("</p>\n", out);
	}
	if (contrast->differences.count == 0) {
		fputs("<p>Nothing that the results tell.</p>\n", out);
		return;
	}
	lm_report_open_table(out, "What else differs");
	fputs("<thead><tr><th scope=\"col\" class=\"text\">What</th><th scope=\"col\" "
	      "class=\"text\">Base</th><th scope=\"col\" class=\"text\">New</th><th scope=\"col\" "
	      "class=\"text\">Expected</th></tr></thead><tbody>\n",
	      out);
	difference_rows(out, &contrast->differences);
	fputs("</tbody>", out);
	lm_report_close_table(out);
}

void lm_report_differences(const struct lm_report *report, FILE *out)
{
	const struct lm_study *study = report->study;

	if (study->set_count < 2)
		return;
	fputs("<section>\n<h2 id=\"differs\">What else differs</h2>\n", out);
	for (size_t i = 0; i + 1 < study->set_count; i++)
		differences(out, study, i);
	fputs("</section>\n", out);
}

/* --- plans ------------------------------------------------------------------------------------ */

/* The words of "command.0", "command.1", ... as a shell takes them; the caller frees it. NULL when
 * the run does not tell. */
static char *command_of(const struct lm_run *run)
{
	const char **argv = calloc(run->plan.count + 1, sizeof(*argv));
	char key[32], *text;
	size_t n = 0;

	for (; argv && n < run->plan.count; n++) {
		snprintf(key, sizeof(key), "command.%zu", n);
		argv[n] = lm_facts_text_of(&run->plan, key, NULL);
		if (!argv[n])
			break;
	}
	text = argv && n ? lm_text_shell(argv) : NULL;
	free(argv);
	return text;
}

static void fact_row(FILE *out, const struct lm_fact *fact)
{
	if (strncmp(fact->key, "command.", 8) == 0)
		return;
	fputs("<tr><th scope=\"row\" class=\"text\">", out);
	lm_html_text(out, fact->key);
	fputs("</th>", out);
	if (fact->type == LM_FACT_NUMBER)
		lm_html_number(out, "%.12g", fact->number);
	else
		text_cell(out, fact->type == LM_FACT_TEXT ? fact->text : "");
	fputs("</tr>\n", out);
}

static void plan(FILE *out, const struct lm_set *set, const struct lm_run *run)
{
	char *command = command_of(run);

	fputs("<details><summary>Plan of ", out);
	lm_html_text(out, set->label);
	if (run->workload[0]) {
		fputs(", ", out);
		lm_html_text(out, run->workload);
	}
	fputs("</summary>\n", out);
	if (command) {
		fputs("<p>It was run by:</p>\n<pre>", out);
		lm_html_text(out, command);
		fputs("</pre>\n", out);
	}
	lm_report_open_table(out, "Plan");
	fputs("<thead><tr><th scope=\"col\" class=\"text\">What</th><th scope=\"col\">Value</th>"
	      "</tr></thead><tbody>\n",
	      out);
	for (size_t i = 0; i < run->plan.count; i++)
		fact_row(out, &run->plan.items[i]);
	fputs("</tbody>", out);
	lm_report_close_table(out);
	fputs("</details>\n", out);
	free(command);
}

/* The first run of each workload in a set stands for its repeats. */
static bool is_first(const struct lm_set *set, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (strcmp(set->runs[i]->workload, set->runs[run]->workload) == 0)
			return false;
	return true;
}

void lm_report_plans(const struct lm_report *report, FILE *out)
{
	const struct lm_study *study = report->study;

	fputs("<section>\n<h2 id=\"plan\">Plan</h2>\n", out);
	for (size_t i = 0; i < study->set_count; i++)
		for (size_t k = 0; k < study->sets[i].count; k++)
			if (study->sets[i].runs[k]->plan.count && is_first(&study->sets[i], k))
				plan(out, &study->sets[i], study->sets[i].runs[k]);
	fputs("<p>This report is made again by:</p>\n<pre>", out);
	lm_html_text(out, study->command);
	fputs("</pre>\n</section>\n", out);
}
