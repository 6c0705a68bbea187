/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suite7.ss, AIM7's result file: every run adds a block to it (docs/formats.md). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "formats/append.h"
#include "formats/formats.h"
#include "formats/writers.h"
#include "model/delay.h"
#include "model/figures.h"
#include "model/runs.h"

/* Takes text over, which may be NULL for want of memory. */
static int add(struct lm_append *file, char *text, int size, struct lm_error *err)
{
	int rc = size < 0 ? lm_error_sys(err, "a line of '%s'", file->path)
			  : lm_append_write(file, text, (size_t)size, err);

	if (size >= 0)
		free(text);
	return rc;
}

static int suite7_begin(void *state, const struct lm_plan *plan, const struct lm_facts *environment,
			struct lm_error *err)
{
	struct lm_append *file = state;
	char date[32], *text = NULL;
	int size;

	(void)environment;
	lm_now_date(date, sizeof(date));
	size = asprintf(&text,
			"%s%sBenchmark\tVersion\tMachine\tRun Date\n"
			"%s\t\"loadmix " LM_VERSION "\"\t%s\t%s\n\n"
			"Tasks\tJobs/Min\tJTI\tReal\tCPU\tJobs/sec/task\n",
			lm_append_line_end(file), lm_append_is_empty(file) ? "" : "\n",
			plan->mix->name, plan->machine ? plan->machine : plan->label, date);
	return add(file, text, size, err);
}

/* A row has no room to say that it is not to be believed, so there is none. */
static int suite7_step(void *state, const struct lm_record *r, struct lm_error *err)
{
	char *text = NULL;
	int size;

	if (!r->valid)
		return 0;
	size = asprintf(&text, "%u\t%.1f\t\t%d\t%.1f\t%.1f\t%.4f\n", r->tasks, r->jobs_per_min,
			r->jti, r->real_s, r->cpu_s, r->jobs_per_s_task);
	return add(state, text, size, err);
}

static void suite7_close(void *state)
{
	lm_append_close(state);
	free(state);
}

static int suite7_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	struct lm_append *file = malloc(sizeof(*file));

	if (!file)
		return lm_error_sys(err, "suite7.ss");
	if (lm_append_open(file, path ? path : "suite7.ss", err) < 0) {
		free(file);
		return -1;
	}
	*out = (struct lm_sink){
		.state = file, .begin = suite7_begin, .step = suite7_step, .close = suite7_close
	};
	return 0;
}

const struct lm_format lm_format_suite7 = {
	.name = "suite7",
	.summary = "AIM7's suite7.ss: a block a run, added to what is there",
	.open = suite7_open,
};

/* --- runs that were read back ------------------------------------------------------------------
 */

/* A text that cannot be told from the tabs and lines around it. Not even an empty one is: readers
 * take blanks at the ends of lines off. */
static void put_text(FILE *out, const char *text)
{
	if (text[strspn(text, " \t\r\n")] == '\0')
		text = "-";
	for (; *text; text++)
		fputc(strchr("\t\r\n", *text) ? ' ' : *text, out);
}

static void put_figure(FILE *out, const struct lm_record *r, enum lm_figure figure, int decimals)
{
	if (lm_figure_known(r, figure))
		fprintf(out, "%.*f", decimals, lm_figure_value(r, figure));
	else
		fputc('-', out);
}

static void put_row(FILE *out, const struct lm_record *r)
{
	fprintf(out, "%u\t", r->tasks);
	put_figure(out, r, LM_FIG_JOBS_PER_MIN, 1);
	fputs("\t\t", out);
	put_figure(out, r, LM_FIG_JTI, 0);
	fputc('\t', out);
	put_figure(out, r, LM_FIG_REAL, 1);
	fputc('\t', out);
	put_figure(out, r, LM_FIG_CPU, 1);
	fputc('\t', out);
	put_figure(out, r, LM_FIG_JOBS_PER_S_TASK, 4);
	fputc('\n', out);
}

/* Times without AIM7's delay are told by our name. */
static void put_version(FILE *out, const struct lm_run *run)
{
	bool ours = strncmp(run->version, "loadmix ", 8) == 0;

	fputc('"', out);
	if (lm_run_has_delay(run) || ours) {
		put_text(out, run->version);
	} else {
		fputs("loadmix " LM_VERSION, out);
		if (run->version[0] && strcmp(run->format, "journal") != 0) {
			fputs(" (", out);
			put_text(out, run->version);
			fputc(')', out);
		}
	}
	fputc('"', out);
}

static void put_head(FILE *out, const struct lm_run *run, bool *begun)
{
	char date[64];

	lm_iso_date(run->started, date, sizeof(date));
	fprintf(out, "%sBenchmark\tVersion\tMachine\tRun Date\n", *begun ? "\n" : "");
	*begun = true;
	put_text(out, run->workload);
	fputc('\t', out);
	put_version(out, run);
	fputc('\t', out);
	put_text(out, run->label);
	fputc('\t', out);
	put_text(out, date);
	fputs("\n\nTasks\tJobs/Min\tJTI\tReal\tCPU\tJobs/sec/task\n", out);
}

/* A block an iteration, as AIM7 has them. */
static void put_run(FILE *out, const struct lm_run *run, bool *begun, struct lm_losses *losses)
{
	static const unsigned columns = 1u << LM_FIG_JOBS_PER_MIN | 1u << LM_FIG_JTI |
					1u << LM_FIG_REAL | 1u << LM_FIG_CPU |
					1u << LM_FIG_JOBS_PER_S_TASK;
	unsigned iteration = 0;

	for (size_t i = 0; i < run->count; i++) {
		const struct lm_record *r = &run->records[i];

		if (!lm_writer_keeps(r, columns, losses))
			continue;
		if (r->iteration != iteration)
			put_head(out, run, begun);
		iteration = r->iteration;
		put_row(out, r);
	}
}

static int write_suite7(const struct lm_runs *runs, FILE *out, struct lm_losses *losses,
			struct lm_error *err)
{
	bool begun = false;

	if (lm_writer_needs_loads(runs, "suite7.ss", err) < 0)
		return -1;
	for (size_t i = 0; i < runs->count; i++)
		put_run(out, &runs->items[i], &begun, losses);
	return 0;
}

const struct lm_writer lm_writer_suite7 = {
	.name = "suite7",
	.summary = "AIM7's suite7.ss; INVALID steps, which it cannot mark, are left out",
	.write = write_suite7,
};
