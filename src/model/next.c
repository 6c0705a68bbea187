/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/next.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define QUICK_FLOOR 60
#define WINDOW      5    /* steps that the rule for the peak looks at */
#define FLAT        0.01 /* of their mean */

bool lm_sweep_foreseeable(const struct lm_policy *policy, const struct lm_sweep *sweep)
{
	return policy->foreseeable && !sweep->open && sweep->until == LM_UNTIL_END;
}

static bool too_many_invalid(const struct lm_record *records, size_t count, struct lm_reason *why)
{
	if (count < LM_MOST_INVALID)
		return false;
	for (size_t i = count - LM_MOST_INVALID; i < count; i++)
		if (records[i].valid)
			return false;
	snprintf(why->text, sizeof(why->text), "%d steps in a row are INVALID", LM_MOST_INVALID);
	return true;
}

static bool has_crossed(const struct lm_sweep *sweep, const struct lm_record *last,
			struct lm_reason *why)
{
	if (!last->valid || last->jobs_per_min_task > sweep->floor)
		return false;
	snprintf(why->text, sizeof(why->text),
		 "crossover: jobs/min/task is %.4f at %u task%s, not above %g",
		 last->jobs_per_min_task, last->tasks, last->tasks == 1 ? "" : "s", sweep->floor);
	return true;
}

/* The last WINDOW valid jobs/min, the newest first; false when there are fewer. */
static bool take_window(const struct lm_record *records, size_t count, double *window)
{
	size_t n = 0;

	for (size_t i = count; i > 0 && n < WINDOW; i--)
		if (records[i - 1].valid)
			window[n++] = records[i - 1].jobs_per_min;
	return n == WINDOW;
}

/* re-aim-7's rule: it falls, or it has become flat. Nothing is new after an INVALID step. */
static bool has_peaked(const struct lm_record *records, size_t count, struct lm_reason *why)
{
	double window[WINDOW], mean = 0, squares = 0;

	if (!records[count - 1].valid || !take_window(records, count, window))
		return false;
	for (size_t i = 0; i < WINDOW; i++)
		mean += window[i] / WINDOW;
	for (size_t i = 0; i < WINDOW; i++)
		squares += (window[i] - mean) * (window[i] - mean) / WINDOW;
	if (window[0] < window[1] && window[0] < mean * (1 - FLAT))
		snprintf(why->text, sizeof(why->text),
			 "peak passed: jobs/min is below the step before and the mean of the last "
			 "%d steps",
			 WINDOW);
	else if (sqrt(squares) < mean * FLAT)
		snprintf(why->text, sizeof(why->text),
			 "peak reached: jobs/min has stayed the same for %d steps", WINDOW);
	else
		return false;
	return true;
}

static bool is_over(const struct lm_policy *policy, const struct lm_sweep *sweep,
		    const struct lm_record *records, size_t count, struct lm_reason *why)
{
	if (count == 0 || lm_sweep_foreseeable(policy, sweep))
		return false;
	if (too_many_invalid(records, count, why))
		return true;
	if (sweep->until == LM_UNTIL_CROSSOVER)
		return has_crossed(sweep, &records[count - 1], why);
	/* the search has a tolerance and finds its end itself */
	if (sweep->until == LM_UNTIL_PEAK && sweep->tolerance == 0)
		return has_peaked(records, count, why);
	return false;
}

int lm_sweep_next(const struct lm_policy *policy, const struct lm_sweep *sweep,
		  const struct lm_record *records, size_t count, unsigned *tasks,
		  struct lm_reason *why)
{
	why->text[0] = '\0';
	if (is_over(policy, sweep, records, count, why))
		return 0;
	if (policy->next(sweep, records, count, tasks, why))
		return 1;
	if (!why->text[0] && sweep->open)
		snprintf(why->text, sizeof(why->text), "the limit of %u task%s (%s)",
			 sweep->ranges[0].end, sweep->ranges[0].end == 1 ? "" : "s", sweep->guard);
	return 0;
}

unsigned lm_sweep_largest(const struct lm_sweep *sweep)
{
	unsigned most = 1;

	for (size_t i = 0; i < sweep->count; i++)
		most = sweep->ranges[i].end > most ? sweep->ranges[i].end : most;
	return most;
}

int lm_until_parse(const char *text, struct lm_sweep *sweep, struct lm_error *err)
{
	uint64_t floor = 1;

	if (strncmp(text, "crossover=", 10) == 0 &&
	    !lm_parse_uint(text + 10, 1, LM_MAX_TASKS, &floor))
		return lm_error_at(err, "--until", 0, 11,
				   "'%.100s' is no number of jobs/min/task: give one from 1 to %u",
				   text + 10, LM_MAX_TASKS);
	sweep->floor = (double)floor;
	if (strncmp(text, "crossover=", 10) == 0 || strcmp(text, "crossover") == 0) {
		sweep->until = LM_UNTIL_CROSSOVER;
	} else if (strcmp(text, "quick") == 0) {
		sweep->until = LM_UNTIL_CROSSOVER;
		sweep->floor = QUICK_FLOOR;
	} else if (strcmp(text, "peak") == 0) {
		sweep->until = LM_UNTIL_PEAK;
	} else if (strcmp(text, "end") == 0) {
		sweep->until = LM_UNTIL_END;
	} else {
		return lm_error_at(err, "--until", 0, 0,
				   "'%.100s' is no end of a sweep: give crossover, crossover=N, "
				   "quick, peak or end",
				   text);
	}
	return 0;
}

const char *lm_until_name(enum lm_until until)
{
	switch (until) {
	case LM_UNTIL_CROSSOVER:
		return "crossover";
	case LM_UNTIL_PEAK:
		return "peak";
	case LM_UNTIL_END:
		break;
	}
	return "end";
}
