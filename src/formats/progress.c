/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line on a terminal that says how far the sweep is and when it may end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/formats.h"

#define CLEAR_LINE "\r\033[K"

/* "1:02:03" or "2:03". */
static const char *clock_text(double seconds, char *buf, size_t size)
{
	uint64_t s = seconds > 0 ? (uint64_t)(seconds + 0.5) : 0;

	if (s >= 3600)
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60,
			 s % 60);
	else
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
	return buf;
}

static void progress_show(void *state, const struct lm_progress *p)
{
	double rate = p->elapsed_s > 0 ? (double)p->jobs_done / p->elapsed_s : 0;
	char steps[16] = "", elapsed[32], left[32], later[32];

	(void)state;
	if (p->steps)
		snprintf(steps, sizeof(steps), "/%u", p->steps);
	fprintf(stderr, CLEAR_LINE "step %u%s  %u tasks  %" PRIu64 "/%" PRIu64 " jobs  %s", p->step,
		steps, p->tasks, p->jobs_done, p->jobs_total,
		clock_text(p->elapsed_s, elapsed, sizeof(elapsed)));
	/* the pace of this step is all there is to go by */
	if (rate > 0)
		fprintf(stderr, "  step ends in about %s, sweep in %s",
			clock_text((double)(p->jobs_total - p->jobs_done) / rate, left,
				   sizeof(left)),
			clock_text((double)(p->jobs_total - p->jobs_done + p->later_jobs) / rate,
				   later, sizeof(later)));
	fflush(stderr);
}

static void clear(void)
{
	fputs(CLEAR_LINE, stderr);
	fflush(stderr);
}

static int progress_step(void *state, const struct lm_record *record, struct lm_error *err)
{
	(void)state;
	(void)record;
	(void)err;
	clear();
	return 0;
}

static int progress_end(void *state, const struct lm_summary *summary, struct lm_error *err)
{
	(void)state;
	(void)summary;
	(void)err;
	clear();
	return 0;
}

static void progress_close(void *state)
{
	(void)state;
}

static int progress_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	(void)path;
	(void)err;
	*out = (struct lm_sink){ .progress = progress_show,
				 .step = progress_step,
				 .end = progress_end,
				 .close = progress_close };
	return 0;
}

const struct lm_format lm_format_progress = {
	.name = "progress",
	.summary = "one line on a terminal while a step runs; standard error",
	.open = progress_open,
};
