/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line on a terminal that says how far the sweep is and when it may end. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

static unsigned terminal_columns(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col : 80;
}

/* Where the step is; the end is told from its pace, which is all there is to go by. */
static void describe(const struct lm_progress *p, char *buf, size_t size)
{
	double rate = p->elapsed_s > 0 ? (double)p->jobs_done / p->elapsed_s : 0;
	double left = (double)(p->jobs_total - p->jobs_done);
	char steps[16] = "", a[32], b[32];
	int used;

	if (p->steps)
		snprintf(steps, sizeof(steps), "/%u", p->steps);
	used = snprintf(buf, size, "step %u%s  %u tasks  %" PRIu64 "/%" PRIu64 " jobs  %s", p->step,
			steps, p->tasks, p->jobs_done, p->jobs_total,
			clock_text(p->elapsed_s, a, sizeof(a)));
	if (rate > 0)
		used += snprintf(buf + used, size - (size_t)used, "  step ends in %s",
				 clock_text(left / rate, a, sizeof(a)));
	if (rate > 0 && p->steps)
		snprintf(buf + used, size - (size_t)used, ", sweep in %s",
			 clock_text((left + (double)p->later_jobs) / rate, b, sizeof(b)));
}

static void progress_show(void *state, const struct lm_progress *p)
{
	char line[256];

	(void)state;
	describe(p, line, sizeof(line));
	fprintf(stderr, CLEAR_LINE "%.*s", (int)terminal_columns() - 1, line);
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
