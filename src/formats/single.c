/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of single mode: a line a kind, with the times of its runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/formats.h"

/* Three digits that count, and a unit: "3.12us", "45.1ms", "1.02s". */
static const char *time_text(double s, char *buf, size_t size)
{
	static const struct {
		double scale;
		const char *unit;
	} units[] = { { 1e9, "ns" }, { 1e6, "us" }, { 1e3, "ms" }, { 1, "s" } };
	size_t i = 0;
	double value = s * units[0].scale;

	while (i + 1 < sizeof(units) / sizeof(*units) && value >= 999.5)
		value = s * units[++i].scale;
	snprintf(buf, size, "%.*f%s",
		 value < 9.995   ? 2
		 : value < 99.95 ? 1
				 : 0,
		 value, units[i].unit);
	return buf;
}

static int flush(struct lm_error *err)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return lm_error_sys(err, "cannot write the table");
}

static int single_begin(void *state, const struct lm_plan *plan, const struct lm_facts *environment,
			struct lm_error *err)
{
	*(const char *const **)state = plan->again;
	(void)environment;
	printf("%-24s %8s %9s %11s %8s %8s %8s %8s %5s %5s %14s  %s\n", "Job kind", "Elapsed",
	       "Runs", "Runs/s", "Min", "Median", "P99", "Max", "User", "Sys", "Operations/s",
	       "Unit");
	return flush(err);
}

static void print_row(const struct lm_kind_record *k, bool valid)
{
	/* of a kind that did not end one run nothing can be told */
	double per_s = k->jobs && k->elapsed_s > 0 ? 1 / k->elapsed_s : 0;
	char a[32], b[32], c[32], d[32];

	printf("%-24s %8.3f %9" PRIu64 " %11.2f %8s %8s %8s %8s %4.0f%% %4.0f%% %14.1f  %s%s\n",
	       k->name, k->elapsed_s, k->jobs, (double)k->jobs * per_s,
	       time_text(k->min_s, a, sizeof(a)), time_text(k->median_s, b, sizeof(b)),
	       time_text(k->p99_s, c, sizeof(c)), time_text(k->max_s, d, sizeof(d)),
	       100 * k->user_s * per_s, 100 * k->system_s * per_s, k->operations * per_s, k->unit,
	       valid ? "" : "  INVALID");
}

static int single_end(void *state, const struct lm_summary *summary, struct lm_error *err)
{
	(void)summary;
	lm_print_again(*(const char *const **)state, stdout);
	return flush(err);
}

static int single_step(void *state, const struct lm_record *r, struct lm_error *err)
{
	(void)state;
	for (size_t i = 0; i < r->kind_count; i++)
		print_row(&r->kinds[i], r->valid);
	for (size_t i = 0; i < r->problem_count; i++)
		printf("        ! %s\n", r->problems[i]);
	return flush(err);
}

static void single_close(void *state)
{
	free(state);
}

static int single_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	const char *const **again = calloc(1, sizeof(*again)); /* the command that repeats it */

	(void)path;
	if (!again)
		return lm_error_sys(err, "a table");
	*out = (struct lm_sink){ .state = again,
				 .begin = single_begin,
				 .step = single_step,
				 .end = single_end,
				 .close = single_close };
	return 0;
}

const struct lm_format lm_format_single = {
	.name = "single",
	.summary = "a line a kind with the times of its runs; standard output",
	.open = single_open,
};
