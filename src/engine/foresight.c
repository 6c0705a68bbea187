/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/foresight.h"

#include "model/next.h"

unsigned lm_iterations(const struct lm_plan *plan)
{
	return plan->sweep.iterations ? plan->sweep.iterations : 1;
}

int lm_foresight_learn(struct lm_foresight *f, const struct lm_record *record)
{
	f->around_s += record->files_s + record->outside_s;
	return record->valid ? lm_curve_add(&f->curve, record->tasks, record->real_s) : 0;
}

/* Count the steps and jobs of so many sweeps, from a step of each on. */
static void count_steps(struct lm_foresight *f, size_t from, unsigned sweeps)
{
	struct lm_reason why;
	unsigned tasks;

	for (size_t n = from;
	     sweeps > 0 && lm_sweep_next(f->policy, &f->plan->sweep, NULL, n, &tasks, &why); n++) {
		f->progress.steps += sweeps;
		f->outlook.later_jobs += (uint64_t)sweeps * tasks * f->plan->mix->jobs_per_task;
		f->outlook.later_s += sweeps * lm_curve_at(&f->curve, tasks);
	}
}

/* What is left to do after this step, as far as the policy can tell. */
static void look_ahead(struct lm_foresight *f, size_t before, size_t in_sweep, size_t sweeps)
{
	f->progress.steps = 0;
	f->outlook = (struct lm_outlook){ .step_s = lm_curve_at(&f->curve, f->progress.tasks) };
	if (!lm_sweep_foreseeable(f->policy, &f->plan->sweep))
		return;
	f->outlook.foreseen = true;
	f->progress.steps = f->progress.step;
	count_steps(f, in_sweep + 1, 1);
	count_steps(f, 0, lm_iterations(f->plan) - (unsigned)sweeps - 1);
	if (before)
		f->outlook.around_s =
			f->around_s / (double)before * (f->progress.steps - f->progress.step);
}

void lm_foresight_expect(struct lm_foresight *f, unsigned tasks, size_t before, size_t in_sweep,
			 size_t sweeps)
{
	f->progress.step = (unsigned)before + 1;
	f->progress.tasks = tasks;
	f->progress.jobs_total = (uint64_t)tasks * f->plan->mix->jobs_per_task;
	look_ahead(f, before, in_sweep, sweeps);
	lm_foresight_advance(f, 0, 0);
}

void lm_foresight_advance(struct lm_foresight *f, uint64_t jobs_done, double elapsed_s)
{
	struct lm_left left =
		lm_estimate(&f->outlook, jobs_done, f->progress.jobs_total, elapsed_s);

	f->progress.jobs_done = jobs_done;
	f->progress.elapsed_s = elapsed_s;
	f->progress.step_left_s = left.step_s;
	f->progress.run_left_s = left.run_s;
}

void lm_foresight_free(struct lm_foresight *f)
{
	lm_curve_free(&f->curve);
}
