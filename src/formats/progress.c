/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far the run is, on standard error: a line of a terminal that is drawn anew, or a line a
 * step. */
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "formats/formats.h"

/* The cursor waits in the first column, and all below goes: when a terminal was made narrower, it
 * may have broken the line into several. */
#define CLEAR "\r\033[J"

struct progress {
	bool drawn;
};

/* --- the line ------------------------------------------------------------------------------ */

/* Pieces that fit; a number is never cut. */
struct line {
	char text[256];
	size_t used, room;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *l, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->text + l->used, l->room - l->used + 1, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n <= l->room - l->used)
		l->used += (size_t)n;
	else
		l->room = l->used; /* what comes after it is left out, too */
	l->text[l->used] = '\0';
}

static void line_open(struct line *l, size_t room)
{
	*l = (struct line){ .room = room < sizeof(l->text) ? room : sizeof(l->text) - 1 };
}

/* "1:02:03" or "2:03"; "?" for what is not known. */
static const char *clock_text(double seconds, char *buf, size_t size)
{
	uint64_t s = seconds > 0 && seconds < 1e15 ? (uint64_t)(seconds + 0.5) : 0;

	if (seconds < 0)
		snprintf(buf, size, "?");
	else if (s >= 3600)
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60,
			 s % 60);
	else
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
	return buf;
}

static void add_step(struct line *l, const struct lm_progress *p)
{
	if (p->steps)
		add(l, "step %u/%u", p->step, p->steps);
	else
		add(l, "step %u", p->step);
	add(l, ", %u %s", p->tasks, p->tasks == 1 ? "task" : "tasks");
}

static void add_left(struct line *l, const struct lm_progress *p)
{
	char buf[32];

	add(l, ", left %s", clock_text(p->step_left_s, buf, sizeof(buf)));
	add(l, ", sweep %s", clock_text(p->run_left_s, buf, sizeof(buf)));
}

static void describe(struct line *l, const struct lm_progress *p)
{
	char buf[32];

	add_step(l, p);
	if (p->elapsed_s > 0) {
		add(l, ", %" PRIu64 "/%" PRIu64 " jobs", p->jobs_done, p->jobs_total);
		add(l, ", %s", clock_text(p->elapsed_s, buf, sizeof(buf)));
	} else {
		add(l, ", starting");
	}
	add_left(l, p);
}

/* --- a line of a terminal ------------------------------------------------------------------ */

static unsigned columns(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}

bool lm_progress_can_draw(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") && columns() > 1;
}

/* In the background the line of the cursor is somebody else's. */
static bool is_ours(void)
{
	pid_t group = tcgetpgrp(STDERR_FILENO);

	return group <= 0 || group == getpgrp();
}

/* A terminal that was halted (Ctrl-S) must not halt the parent of running tasks. */
static bool takes_output(void)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && p.revents & POLLOUT;
}

static void progress_show(void *state, const struct lm_progress *p)
{
	struct progress *s = state;
	unsigned width = columns();
	struct line l;

	if (width < 2 || !is_ours() || !takes_output())
		return;
	line_open(&l, width - 1);
	describe(&l, p);
	dprintf(STDERR_FILENO, CLEAR "%s\r", l.text);
	s->drawn = true;
}

static void clear(struct progress *s)
{
	if (s->drawn && is_ours() && takes_output())
		dprintf(STDERR_FILENO, CLEAR);
	s->drawn = false;
}

static int progress_step(void *state, const struct lm_record *record, struct lm_error *err)
{
	(void)record;
	(void)err;
	clear(state);
	return 0;
}

static int progress_end(void *state, const struct lm_summary *summary, struct lm_error *err)
{
	(void)summary;
	(void)err;
	clear(state);
	return 0;
}

static void progress_close(void *state)
{
	clear(state);
	free(state);
}

static int progress_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	struct progress *s = calloc(1, sizeof(*s));

	(void)path;
	if (!s)
		return lm_error_sys(err, "a progress line");
	*out = (struct lm_sink){ .state = s,
				 .start = progress_show,
				 .progress = progress_show,
				 .step = progress_step,
				 .end = progress_end,
				 .close = progress_close };
	return 0;
}

const struct lm_format lm_format_progress = {
	.name = "progress",
	.summary = "one line of a terminal while a step runs; standard error",
	.open = progress_open,
};

/* --- a line a step ------------------------------------------------------------------------- */

/* Told when the step starts, and never while tasks run: no look at them is needed. */
static void plain_start(void *state, const struct lm_progress *p)
{
	struct line l;

	(void)state;
	line_open(&l, sizeof(l.text) - 1);
	add_step(&l, p);
	add(&l, ", %" PRIu64 " jobs", p->jobs_total);
	add_left(&l, p);
	fprintf(stderr, "loadmix: %s\n", l.text);
}

static void plain_close(void *state)
{
	(void)state;
}

static int plain_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	(void)path;
	(void)err;
	*out = (struct lm_sink){ .start = plain_start, .close = plain_close };
	return 0;
}

const struct lm_format lm_format_plain = {
	.name = "plain",
	.summary = "a line as each step starts; standard error",
	.open = plain_open,
};
