/* SPDX-License-Identifier: GPL-2.0-or-later */
/* re-aim-7's report of single mode: a line a kind, on standard output and in singleuser.ss. */
#include <inttypes.h>

#include "formats/formats.h"
#include "formats/reaim_rows.h"

static void single_head(FILE *out, const struct lm_plan *plan, const struct lm_facts *environment)
{
	(void)plan;
	(void)environment;
	fprintf(out, "%4s  %-24s %10s %12s %14s %18s\n", "Test", "Test name", "Elapsed",
		"Iterations", "Iterations/s", "Operations/s");
}

static void single_row(FILE *out, const struct lm_reaim_row *row)
{
	const struct lm_record *r = row->r;

	for (size_t i = 0; i < r->kind_count; i++) {
		const struct lm_kind_record *k = &r->kinds[i];
		/* of a kind that did not end one run nothing can be told */
		double per_s = k->jobs && k->elapsed_s > 0 ? 1 / k->elapsed_s : 0;

		fprintf(out, "%4u  %-24s %10.2f %12" PRIu64 " %14.5f %18.2f %s%s\n", r->step,
			k->name, k->elapsed_s, k->jobs, (double)k->jobs * per_s,
			k->operations * per_s, k->unit, r->valid ? "" : "  INVALID");
	}
}

static int single_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	static const struct lm_reaim_layout layout = { single_head, single_row, NULL };

	return lm_reaim_rows_open(path, &layout, out, err);
}

const struct lm_format lm_format_reaim_single = {
	.name = "reaim-single",
	.summary = "singleuser.ss: a line a kind; standard output by default",
	.open = single_open,
};
