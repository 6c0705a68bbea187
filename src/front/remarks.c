/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/remarks.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int remark_step(void *state, const struct lm_record *r, struct lm_error *err)
{
	const char *program = state;

	(void)err;
	if (r->valid)
		return 0;
	for (size_t i = 0; i < r->problem_count; i++)
		fprintf(stderr, "%s: the step of %u %s is INVALID: %s\n", program, r->tasks,
			r->tasks == 1 ? "task" : "tasks", r->problems[i]);
	if (r->problem_total > r->problem_count)
		fprintf(stderr, "%s: and %zu more\n", program, r->problem_total - r->problem_count);
	return 0;
}

static void print_figures(const char *program, const struct lm_figures *f)
{
	fprintf(stderr, "%s: peak %.1f jobs/min at %u %s", program, f->peak_jobs_per_min,
		f->peak_tasks, f->peak_tasks == 1 ? "task" : "tasks");
	if (f->has_min_jti)
		fprintf(stderr, ", minimum JTI %d below %u tasks", f->min_jti, f->most_tasks);
	if (f->has_crossover)
		fprintf(stderr, ", crossover %.1f, sustained %.1f", f->crossover, f->sustained);
	else if (f->has_sustained)
		fprintf(stderr, ", no crossover, sustained %.1f up to %u tasks", f->sustained,
			f->most_tasks);
	fputc('\n', stderr);
}

static int remark_end(void *state, const struct lm_summary *s, struct lm_error *err)
{
	const char *program = state;

	(void)err;
	for (size_t i = 0; i < s->sweep_count; i++) {
		if (s->sweeps[i].peak_tasks)
			print_figures(program, &s->sweeps[i]);
		if (s->sweeps[i].ended.text[0])
			fprintf(stderr, "%s: ended: %s\n", program, s->sweeps[i].ended.text);
	}
	if (s->invalid)
		fprintf(stderr, "%s: %u of %u steps INVALID\n", program, s->invalid, s->steps);
	return 0;
}

static void remark_close(void *state)
{
	(void)state;
}

void lm_remark_signal(const char *program, int number)
{
	if (number)
		fprintf(stderr, "%s: ended early: %s\n", program, strsignal(number));
}

struct lm_sink lm_remarks(const char *program)
{
	return (struct lm_sink){ .state = (void *)(uintptr_t)program,
				 .step = remark_step,
				 .end = remark_end,
				 .close = remark_close };
}
