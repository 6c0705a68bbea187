/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/reaim_rows.h"

#include "formats/stream.h"

struct rows {
	struct lm_stream stream;
	const struct lm_reaim_layout *layout;
	double floor; /* jobs/min/task that the sweep is to end at, -1: it is not */
	bool crossed;
	struct lm_reaim_row row; /* the next one's figures of the tasks */
};

double lm_reaim_percent(const struct lm_reaim_row *row)
{
	return row->mean_s > 0 ? 100 * row->r->stddev_s / row->mean_s : 0;
}

static int rows_begin(void *state, const struct lm_plan *plan, const struct lm_facts *environment,
		      struct lm_error *err)
{
	struct rows *rows = state;

	rows->floor = plan->sweep.until == LM_UNTIL_CROSSOVER ? plan->sweep.floor : -1;
	if (rows->layout->head)
		rows->layout->head(rows->stream.out, plan, environment);
	return lm_stream_flush(&rows->stream, err);
}

/* A task that never started has no elapsed time. */
static int rows_samples(void *state, const struct lm_mix *mix, const struct lm_step_result *result,
			struct lm_error *err)
{
	struct lm_reaim_row *row = &((struct rows *)state)->row;
	unsigned started = 0;
	double sum = 0;

	(void)mix;
	(void)err;
	*row = (struct lm_reaim_row){ 0 };
	for (unsigned i = 0; i < result->tasks; i++) {
		const struct lm_task_slot *slot = lm_result_slot(result, i);
		double s = slot->end_ns > slot->start_ns
				   ? (double)(slot->end_ns - slot->start_ns) * 1e-9
				   : 0;

		if (slot->start_ns == 0)
			continue;
		row->longest_s = s > row->longest_s ? s : row->longest_s;
		row->shortest_s = !started || s < row->shortest_s ? s : row->shortest_s;
		sum += s;
		started++;
	}
	row->mean_s = started ? sum / started : 0;
	return 0;
}

static int rows_step(void *state, const struct lm_record *r, struct lm_error *err)
{
	struct rows *rows = state;

	rows->crossed = r->valid && r->jobs_per_min_task <= rows->floor;
	rows->row.r = r;
	if (rows->layout->row)
		rows->layout->row(rows->stream.out, &rows->row);
	return lm_stream_flush(&rows->stream, err);
}

static int rows_end(void *state, const struct lm_summary *summary, struct lm_error *err)
{
	struct rows *rows = state;

	if (rows->layout->end)
		rows->layout->end(rows->stream.out, summary, rows->crossed);
	return lm_stream_flush(&rows->stream, err);
}

int lm_reaim_rows_open(const char *path, const struct lm_reaim_layout *layout, struct lm_sink *out,
		       struct lm_error *err)
{
	struct rows *rows = lm_stream_state(sizeof(*rows), path, "rows of results", err);

	if (!rows)
		return -1;
	rows->layout = layout;
	*out = (struct lm_sink){ .state = rows,
				 .begin = rows_begin,
				 .samples = rows_samples,
				 .step = rows_step,
				 .end = rows_end,
				 .close = lm_stream_drop };
	return 0;
}
