/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AIM7's table on standard output, which programs read by their own rules (docs/formats.md). */
#include <stdio.h>
#include <time.h>

#include "formats/formats.h"
#include "formats/stream.h"

struct table {
	struct lm_stream stream;
	bool crossed; /* has been told */
};

static int multitask_begin(void *state, const struct lm_plan *plan,
			   const struct lm_facts *environment, struct lm_error *err)
{
	struct table *t = state;

	(void)plan;
	(void)environment;
	/* above the head: programs take the line below it for the first row */
	fputs(LM_NO_DELAY_MARK "Tasks    jobs/min  jti  jobs/min/task      real       cpu\n",
	      t->stream.out);
	return lm_stream_flush(&t->stream, err);
}

/* AIM7's "%5d%12.2f%5d%15.4f%10.2f%10.2f   <ctime>", with a blank between columns even where a
 * figure is wider than AIM7 thought. */
static void print_row(FILE *out, const struct lm_record *r)
{
	time_t now = time(NULL);
	char date[64];
	struct tm tm;

	strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", localtime_r(&now, &tm));
	fprintf(out, "%5u %11.2f %4d %14.4f %9.2f %9.2f   %s%s\n", r->tasks, r->jobs_per_min,
		r->jti, r->jobs_per_min_task, r->real_s, r->cpu_s, date,
		r->valid ? "" : "  INVALID");
}

static int multitask_step(void *state, const struct lm_record *r, struct lm_error *err)
{
	struct table *t = state;

	print_row(t->stream.out, r);
	if (r->valid && r->jobs_per_min_task <= 1.0 && !t->crossed) {
		fputs("Crossover achieved.\n", t->stream.out);
		t->crossed = true;
	}
	return lm_stream_flush(&t->stream, err);
}

static int multitask_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	struct table *t = lm_stream_state(sizeof(*t), path, "a table", err);

	if (!t)
		return -1;
	*out = (struct lm_sink){ .state = t,
				 .begin = multitask_begin,
				 .step = multitask_step,
				 .close = lm_stream_drop };
	return 0;
}

const struct lm_format lm_format_multitask = {
	.name = "multitask",
	.summary = "AIM7's table: a line a step; standard output by default",
	.open = multitask_open,
};
