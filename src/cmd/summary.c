/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix summary: peak, JTI, crossover and sustained load of results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/results.h"
#include "formats/formats.h"
#include "model/runs.h"
#include "model/summary.h"

#define LABEL_MOST 300

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->input;
	return 0;
}

static const struct argp argp = {
	.parser = parse,
	.args_doc = "FILE...",
	.doc = "Print the figures of every sweep in the results: peak jobs/min, minimum JTI over "
	       "all "
	       "loads but the largest, crossover, sustained load.\vA FILE is a journal, suite7.ss, "
	       "a "
	       "table that was posted; - is standard input.\n",
	.children = lm_results_children,
};

static void print_label(const char *text, int width)
{
	char harmless[4 * LABEL_MOST + 8] = "-";

	if (text[0])
		lm_text_quote(text, strlen(text), LABEL_MOST, harmless, sizeof(harmless));
	printf("%s%*s ", harmless, lm_text_fill(harmless, width), "");
}

static void print_figures(const struct lm_figures *f, bool knows_jti)
{
	printf("%6u ", f->loads);
	if (f->peak_tasks)
		printf("%12.1f %8u ", f->peak_jobs_per_min, f->peak_tasks);
	else
		printf("%12s %8s ", "-", "-");
	if (f->has_min_jti && knows_jti)
		printf("%8d ", f->min_jti);
	else
		printf("%8s ", "-");
	if (f->has_crossover)
		printf("%10.1f ", f->crossover);
	else
		printf("%10s ", "none");
	if (f->has_sustained)
		printf("%10.1f", f->sustained);
	else
		printf("%10s", "-");
	if (f->has_sustained && !f->has_crossover)
		printf("  up to %u tasks", f->most_tasks);
	putchar('\n');
}

static bool knows(const struct lm_record *records, size_t count, enum lm_figure figure)
{
	for (size_t i = 0; i < count; i++)
		if (records[i].unknown & 1u << figure)
			return false;
	return true;
}

static void print_sweep(const char *label, const char *workload, const struct lm_record *records,
			size_t count, const struct lm_figures *figures)
{
	unsigned invalid = 0;

	for (size_t i = 0; i < count; i++)
		invalid += !records[i].valid;
	print_label(label, 24);
	print_label(workload, 12);
	printf("%5u ", records->iteration);
	print_figures(figures, knows(records, count, LM_FIG_JTI));
	if (invalid)
		printf("# %u INVALID %s left out\n", invalid,
		       invalid == 1 ? "step is" : "steps are");
}

/* Each iteration is a sweep of its own. */
static int print_run(const char *label, const struct lm_run *run, struct lm_error *err)
{
	char kernel[4 * LABEL_MOST + 8];
	size_t from = 0;

	if (lm_run_is_single(run)) {
		printf("# %s:%ld: each kind was run alone, which is no sweep: no figures\n",
		       run->source, run->line);
		from = run->count;
	}
	while (from < run->count) {
		struct lm_figures figures = { 0 };
		size_t to = from;

		while (to < run->count &&
		       run->records[to].iteration == run->records[from].iteration)
			to++;
		if (knows(run->records + from, to - from, LM_FIG_JOBS_PER_MIN)) {
			if (lm_figures(run->records + from, to - from, &figures) < 0)
				return lm_error_sys(err, "the figures of a sweep");
			print_sweep(label, run->workload, run->records + from, to - from, &figures);
		} else {
			printf("# %s:%ld: no jobs/min, so no figures\n", run->source, run->line);
		}
		from = to;
	}
	if (lm_run_other_kernel(run))
		printf("# %s: the run was resumed under another kernel, %s\n", run->source,
		       lm_text_quote(lm_run_other_kernel(run), strlen(lm_run_other_kernel(run)),
				     LABEL_MOST, kernel, sizeof(kernel)));
	if (!run->complete)
		printf("# %s: the run was not completed\n", run->source);
	return 0;
}

static int summarise(const struct lm_results_options *o, const char *const *again)
{
	struct lm_results results;
	struct lm_error err = { 0 };
	int rc = lm_results_open(o, &results, &err);

	if (rc == 0)
		printf("%-24s %-12s %5s %6s %12s %8s %8s %10s %10s\n", "Label", "Workload", "Sweep",
		       "Loads", "Peak", "at tasks", "Min JTI", "Crossover", "Sustained");
	for (size_t i = 0; rc == 0 && i < results.set_count; i++)
		for (size_t k = 0; rc == 0 && k < results.sets[i].count; k++)
			rc = print_run(results.sets[i].label, results.sets[i].runs[k], &err);
	if (rc == 0)
		lm_print_again(again, stdout);
	lm_results_close(&results);
	return rc < 0 ? lm_cmd_fail(&err) : LM_EXIT_OK;
}

static int act(void *options, const char *const *again)
{
	return summarise(options, again);
}

int lm_cmd_summary(int argc, char **argv, lm_job_list kinds)
{
	static const struct lm_results_command command = { .name = "summary",
							   .argp = &argp,
							   .size = sizeof(
								   struct lm_results_options),
							   .act = act };

	(void)kinds;
	return lm_results_command(&command, argc, argv);
}
