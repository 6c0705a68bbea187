/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/delay.h"

#include "model/figures.h"
#include "model/validity.h"

#include <math.h>
#include <string.h>

#define AIM7_DELAY_S 10
#define LEAST_REST_S 1 /* of which anything can be said: the file has tenths of seconds */

#define DELAY_TAKEN  "posted.aim7_delay_taken_s"

bool lm_run_delay_taken(const struct lm_run *run)
{
	return lm_facts_find(&run->environment, DELAY_TAKEN) != NULL;
}

/* Our own program writes these forms too, and says so. */
bool lm_run_has_delay(const struct lm_run *run)
{
	if (strncmp(run->version, "loadmix ", 8) == 0 || lm_run_delay_taken(run))
		return false;
	return strcmp(run->format, "suite7") == 0 || strcmp(run->format, "multitask") == 0 ||
	       strcmp(run->format, "posted") == 0;
}

/* What real was rounded to is more of the shorter time, and goes into the rates with it. */
static void restate_grains(struct lm_record *r, double factor)
{
	static const enum lm_figure rates[] = { LM_FIG_JOBS_PER_MIN, LM_FIG_JOBS_PER_MIN_TASK,
						LM_FIG_JOBS_PER_S_TASK };
	double work = r->real_s - AIM7_DELAY_S;
	double of_real = r->grains[LM_FIG_REAL] * AIM7_DELAY_S / (work * work);

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		r->grains[rates[i]] =
			hypot(r->grains[rates[i]] * factor, lm_figure_value(r, rates[i]) * of_real);
}

static void take_delay(struct lm_record *r)
{
	double factor;

	if (!lm_figure_known(r, LM_FIG_REAL)) {
		lm_record_problem(r, "real is not told, so AIM7's delay cannot be taken out");
		return;
	}
	if (r->real_s < AIM7_DELAY_S + LEAST_REST_S) {
		lm_record_problem(
			r, "real is %g s: too little is left without the %d s of AIM7's delay",
			r->real_s, AIM7_DELAY_S);
		return;
	}
	factor = r->real_s / (r->real_s - AIM7_DELAY_S);
	restate_grains(r, factor);
	r->real_s -= AIM7_DELAY_S;
	r->jobs_per_min *= factor;
	r->jobs_per_min_task *= factor;
	r->jobs_per_s_task *= factor;
}

size_t lm_run_take_delay(struct lm_run *run)
{
	bool no_memory = false;

	if (!lm_run_has_delay(run))
		return 0;
	if (lm_facts_number(&run->environment, DELAY_TAKEN, AIM7_DELAY_S) < 0)
		no_memory = true;
	for (size_t i = 0; i < run->count; i++)
		if (no_memory)
			lm_record_problem(&run->records[i], "no memory to take AIM7's delay out");
		else
			take_delay(&run->records[i]);
	return run->count;
}
