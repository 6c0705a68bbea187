/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that a person reads while the sweep runs: a line a step. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "formats/formats.h"
#include "formats/stream.h"
#include "model/order.h"

struct table {
	struct lm_stream stream;
	unsigned iterations, iteration; /* of the last row */
	const char *const *again;       /* the command that repeats the run, or NULL */
};

/* What a table needs beside it when it is read a year later. */
static void print_head(FILE *out, const struct lm_plan *plan, const struct lm_facts *environment)
{
	char label[512], file[32], pool[32];

	fprintf(out, "# %s, %u jobs per task, on %s %s%s%s\n", plan->mix->name,
		plan->mix->jobs_per_task, lm_facts_text_of(environment, "host.name", "?"),
		lm_facts_text_of(environment, "kernel.release", "?"), *plan->label ? ", " : "",
		lm_text_quote(plan->label, strlen(plan->label), 100, label, sizeof(label)));
	fprintf(out, "# FILESIZE %s, POOLSIZE %s, order %s, seed %" PRIu64 "%s%s%s\n",
		lm_format_kib(plan->mix->filesize_kib, file, sizeof(file)),
		lm_format_kib(plan->mix->poolsize_kib, pool, sizeof(pool)),
		lm_order_name(plan->order), plan->seed,
		plan->semantics == LM_SEMANTICS_REAIM ? ", semantics reaim" : "",
		plan->cpu_list ? ", processors " : "", plan->cpu_list ? plan->cpu_list : "");
}

static int table_begin(void *state, const struct lm_plan *plan, const struct lm_facts *environment,
		       struct lm_error *err)
{
	struct table *t = state;

	t->iterations = plan->sweep.iterations;
	t->again = plan->again;
	print_head(t->stream.out, plan, environment);
	for (size_t i = 0; i < plan->skipped_count; i++)
		fprintf(t->stream.out, "# left out: %s\n", plan->skipped[i]);
	fprintf(t->stream.out, "%7s %12s %4s %10s %10s %10s %10s %14s\n", "Tasks", "Jobs/min",
		"JTI", "Real", "CPU", "User", "System", "Jobs/min/task");
	return lm_stream_flush(&t->stream, err);
}

static int table_step(void *state, const struct lm_record *r, struct lm_error *err)
{
	struct table *t = state;

	if (t->iterations > 1 && r->iteration != t->iteration)
		fprintf(t->stream.out, "# iteration %u of %u\n", r->iteration, t->iterations);
	t->iteration = r->iteration;
	fprintf(t->stream.out, "%7u %12.2f %4d %10.2f %10.2f %10.2f %10.2f %14.4f%s\n", r->tasks,
		r->jobs_per_min, r->jti, r->real_s, r->cpu_s, r->user_s, r->system_s,
		r->jobs_per_min_task, r->valid ? "" : "  INVALID");
	for (size_t i = 0; i < r->problem_count; i++)
		fprintf(t->stream.out, "        ! %s\n", r->problems[i]);
	if (r->problem_total > r->problem_count)
		fprintf(t->stream.out, "        ! and %zu more\n",
			r->problem_total - r->problem_count);
	return lm_stream_flush(&t->stream, err);
}

/* What AIM7's report has of two loads or more, and why the sweep ended there. */
static void print_figures(const struct table *t, const struct lm_figures *f)
{
	char lead[32] = "#";

	if (t->iterations > 1)
		snprintf(lead, sizeof(lead), "# iteration %u:", f->iteration);
	if (t->iterations > 1 && f->peak_tasks)
		fprintf(t->stream.out, "%s peak %.2f jobs/min at %u %s\n", lead,
			f->peak_jobs_per_min, f->peak_tasks, f->peak_tasks == 1 ? "task" : "tasks");
	if (f->has_min_jti)
		fprintf(t->stream.out, "%s minimum JTI %d below %u tasks, ", lead, f->min_jti,
			f->most_tasks);
	if (f->has_crossover)
		fprintf(t->stream.out, "crossover %.1f, sustained %.1f\n", f->crossover,
			f->sustained);
	else if (f->has_sustained)
		fprintf(t->stream.out, "no crossover, sustained %.1f up to %u tasks\n",
			f->sustained, f->most_tasks);
	else if (f->has_min_jti)
		fprintf(t->stream.out, "below the crossover from the first load on\n");
	if (f->ended.text[0])
		fprintf(t->stream.out, "%s ended: %s\n", lead, f->ended.text);
}

static int table_end(void *state, const struct lm_summary *s, struct lm_error *err)
{
	struct table *t = state;

	if (s->peak_tasks)
		fprintf(t->stream.out, "# peak %.2f jobs/min at %u %s; ", s->peak_jobs_per_min,
			s->peak_tasks, s->peak_tasks == 1 ? "task" : "tasks");
	else
		fprintf(t->stream.out, "# no valid step, so no peak; ");
	fprintf(t->stream.out, "%u %s, ", s->steps, s->steps == 1 ? "step" : "steps");
	if (s->invalid)
		fprintf(t->stream.out, "%u INVALID\n", s->invalid);
	else
		fprintf(t->stream.out, "%s valid\n", s->steps ? "all" : "none");
	for (size_t i = 0; i < s->sweep_count; i++)
		print_figures(t, &s->sweeps[i]);
	if (s->stopped)
		fprintf(t->stream.out, "# ended early: %s\n", s->stopped);
	lm_print_again(t->again, t->stream.out);
	return lm_stream_flush(&t->stream, err);
}

static int table_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	struct table *t = lm_stream_state(sizeof(*t), path, "a table", err);

	if (!t)
		return -1;
	*out = (struct lm_sink){ .state = t,
				 .begin = table_begin,
				 .step = table_step,
				 .end = table_end,
				 .close = lm_stream_drop };
	return 0;
}

const struct lm_format lm_format_table = {
	.name = "table",
	.summary = "a line a step, for people; standard output by default",
	.open = table_open,
};
