/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/sweep.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cmd/standard.h"
#include "engine/limits.h"
#include "formats/points.h"
#include "model/next.h"
#include "model/sweep.h"
#include "policies/policies.h"

#define MAX_ITERATIONS 1000

/* --- options ------------------------------------------------------------------------------- */

enum {
	KEY_POINTS = 0x300,
	KEY_UNTIL,
	KEY_ADAPTIVE,
	KEY_NEWTON,
	KEY_TOLERANCE,
	KEY_MAX_TASKS,
	KEY_ITERATIONS,
	KEY_REPEAT,
};

static const struct argp_option options_table[] = {
	{ "tasks", 't', "LIST", 0,
	  "Task counts of the sweep: 4, 4-32:4 or 1,5,9,50, or 1-:4 without an end (default: 1, 2, "
	  "4, ... up to twice the processors)",
	  0 },
	{ "points", KEY_POINTS, "FILE", 0, "Take the task counts from a file, one a line", 0 },
	{ "until", KEY_UNTIL, "RULE", 0,
	  "End the sweep early: at the crossover (jobs/min/task of 1 or less), crossover=N (of N), "
	  "quick (60), at the peak; end: not",
	  0 },
	{ "adaptive", KEY_ADAPTIVE, "SUITE", OPTION_ARG_OPTIONAL,
	  "Let the increment follow the real times, as aim7 (default) or reaim does", 0 },
	{ "newton", KEY_NEWTON, NULL, 0, "Go half the way when the crossover is near", 0 },
	{ "tolerance", KEY_TOLERANCE, "PERCENT", 0,
	  "With --until peak: search for the peak with as few steps as this takes, such as 5%", 0 },
	{ "max-tasks", KEY_MAX_TASKS, "N", 0,
	  "Largest load of a sweep without an end (default: what the machine allows)", 0 },
	{ "iterations", KEY_ITERATIONS, "N", 0, "Run the whole sweep N times (default 1)", 0 },
	{ "repeat", KEY_REPEAT, "N", 0, "The same", 0 },
	{ 0 },
};

static error_t take_adaptive(struct lm_sweep_options *o, const char *suite)
{
	o->adaptive = true;
	o->reaim = suite && strcmp(suite, "reaim") == 0;
	if (!suite || o->reaim || strcmp(suite, "aim7") == 0)
		return 0;
	return lm_bad_value(&o->err, "--adaptive", suite, "suite: give aim7 or reaim");
}

static error_t take_tolerance(struct lm_sweep_options *o, const char *arg)
{
	double percent;

	if (!lm_parse_percent(arg, 0.1, 50, &percent))
		return lm_bad_value(&o->err, "--tolerance", arg,
				    "share in percent from 0.1 to 50, such as 5%");
	o->tolerance = percent / 100;
	return 0;
}

static error_t parse_value(int key, const char *arg, struct lm_sweep_options *o)
{
	switch (key) {
	case KEY_ADAPTIVE:
		return take_adaptive(o, arg);
	case KEY_TOLERANCE:
		return take_tolerance(o, arg);
	case KEY_MAX_TASKS:
		if (lm_parse_uint(arg, 1, LM_MAX_TASKS, &o->max_tasks))
			return 0;
		return lm_bad_value(&o->err, "--max-tasks", arg, "number from 1 to 1000000");
	case KEY_ITERATIONS:
	case KEY_REPEAT:
		if (lm_parse_uint(arg, 1, MAX_ITERATIONS, &o->iterations))
			return 0;
		return lm_bad_value(&o->err, key == KEY_REPEAT ? "--repeat" : "--iterations", arg,
				    "number from 1 to 1000");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_sweep_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		o->iterations = 1;
		return 0;
	case 't':
		o->tasks = arg;
		return 0;
	case KEY_POINTS:
		o->points = arg;
		return 0;
	case KEY_UNTIL:
		o->until = arg;
		return 0;
	case KEY_NEWTON:
		o->newton = true;
		return 0;
	default:
		return parse_value(key, arg, o);
	}
}

const struct argp lm_sweep_argp = { .options = options_table, .parser = parse };

/* --- the loads ----------------------------------------------------------------------------- */

/* 1, 2, 4, ... until the processors are more than busy. */
static void default_tasks(const struct lm_plan *plan, char *buf, size_t size)
{
	size_t cpus = plan->cpu_count, used = 0;
	cpu_set_t allowed;

	if (!cpus && sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
		cpus = (size_t)CPU_COUNT(&allowed);

	for (size_t n = 1; used < size; n *= 2) {
		used += (size_t)snprintf(buf + used, size - used, "%s%zu", n > 1 ? "," : "", n);
		if (n >= 2 * cpus)
			return;
	}
}

static bool chooses_increments(const struct lm_sweep_options *o)
{
	return o->adaptive || o->newton || o->tolerance > 0;
}

/* The option that does. */
static const char *chooser(const struct lm_sweep_options *o)
{
	if (o->tolerance > 0)
		return "--tolerance";
	return o->adaptive ? "--adaptive" : "--newton";
}

/* Where the loads come from, as errors name it. */
static const char *source_of(const struct lm_sweep_options *o)
{
	return o->source ? o->source : "--tasks";
}

static int read_loads(const struct lm_sweep_options *o, struct lm_plan *plan, struct lm_error *err)
{
	char usual[256];

	if (o->points)
		return lm_points_load(o->points, &plan->sweep, err);
	if (o->tasks)
		return lm_sweep_parse(o->tasks, source_of(o), &plan->sweep, err);
	if (chooses_increments(o) || o->max_tasks || plan->sweep.until != LM_UNTIL_END)
		return lm_sweep_parse("1-:1", source_of(o), &plan->sweep, err);
	default_tasks(plan, usual, sizeof(usual));
	return lm_sweep_parse(usual, source_of(o), &plan->sweep, err);
}

/* --- what does not go together ------------------------------------------------------------- */

static int check_options(const struct lm_sweep_options *o, const struct lm_sweep *sweep,
			 struct lm_error *err)
{
	if (o->points && o->tasks)
		return lm_error_set(err, LM_ERR_INPUT,
				    "--points and --tasks both name the task counts: give one");
	if (o->points && chooses_increments(o))
		return lm_error_set(err, LM_ERR_INPUT,
				    "--points names every task count, but %s chooses them: give "
				    "--tasks with a range",
				    chooser(o));
	if (o->tolerance > 0 && (o->adaptive || o->newton))
		return lm_error_set(err, LM_ERR_INPUT,
				    "--tolerance searches for the peak in steps of its own: leave "
				    "out --adaptive and --newton");
	if (o->tolerance > 0 && sweep->until != LM_UNTIL_PEAK)
		return lm_error_set(err, LM_ERR_INPUT,
				    "--tolerance is of the search for the peak: add --until peak");
	return 0;
}

static int check_loads(const struct lm_sweep_options *o, const struct lm_sweep *sweep,
		       struct lm_error *err)
{
	if (chooses_increments(o) && (sweep->count != 1 || (o->tasks && !strchr(o->tasks, '-'))))
		return lm_error_at(err, source_of(o), 0, 0,
				   "'%.100s' names every task count, but %s chooses them: give a "
				   "range such as 1-100 or 1-",
				   o->tasks, chooser(o));
	if (o->tolerance > 0 && sweep->ranges[0].step != 1)
		return lm_error_at(err, source_of(o), 0, 0,
				   "--tolerance chooses the increments itself: leave out ':%u'",
				   sweep->ranges[0].step);
	if (sweep->open && sweep->until == LM_UNTIL_END && !o->max_tasks)
		return lm_error_at(err, source_of(o), 0, 0,
				   "the range has no end: give one (1-100), or --until crossover, "
				   "--until peak or --max-tasks N");
	if (!sweep->open && o->max_tasks && lm_sweep_largest(sweep) > o->max_tasks)
		return lm_error_at(err, "--max-tasks", 0, 0,
				   "%u is below the largest load that was asked for, %u",
				   (unsigned)o->max_tasks, lm_sweep_largest(sweep));
	return 0;
}

/* A range without an end gets one. */
static int set_guard(const struct lm_sweep_options *o, struct lm_plan *plan, struct lm_error *err)
{
	struct lm_range *range = plan->sweep.ranges;

	if (!plan->sweep.open)
		return 0;
	range->end = (unsigned)o->max_tasks;
	plan->sweep.guard = "--max-tasks";
	if (!o->max_tasks)
		range->end = lm_limits_most_tasks(plan, &plan->sweep.guard);
	if (range->start <= range->end)
		return 0;
	return lm_error_at(err, source_of(o), 0, 0,
			   "the sweep starts at %u tasks, above its limit of %u (%s)%s",
			   range->start, range->end, plan->sweep.guard,
			   o->max_tasks ? "" : ": give --max-tasks to go there nevertheless");
}

static const struct lm_policy *policy_of(const struct lm_sweep_options *o,
					 const struct lm_sweep *sweep)
{
	if (o->tolerance > 0)
		return &lm_policy_peak;
	if (o->adaptive)
		return &lm_policy_adaptive;
	if (o->newton)
		return &lm_policy_newton;
	return sweep->count == 1 ? &lm_policy_fixed : &lm_policy_points;
}

int lm_sweep_choose(const struct lm_sweep_options *o, struct lm_plan *plan,
		    const struct lm_policy **policy, struct lm_error *err)
{
	struct lm_sweep *sweep = &plan->sweep;

	if (o->until && lm_until_parse(o->until, sweep, err) < 0)
		return -1;
	if (check_options(o, sweep, err) < 0 || read_loads(o, plan, err) < 0 ||
	    check_loads(o, sweep, err) < 0 || set_guard(o, plan, err) < 0)
		return -1;
	*policy = policy_of(o, sweep);
	sweep->policy = (*policy)->name;
	sweep->tolerance = o->tolerance;
	sweep->reaim = o->reaim;
	sweep->newton = o->newton;
	sweep->iterations = (unsigned)o->iterations;
	return 0;
}

/* --- showing it ---------------------------------------------------------------------------- */

void lm_sweep_print(const struct lm_sweep *sweep, FILE *out)
{
	fprintf(out, "sweep      %s", sweep->policy);
	if (sweep->reaim)
		fprintf(out, ", as reaim");
	else if (sweep->newton && strcmp(sweep->policy, "newton") != 0)
		fprintf(out, ", newton near the crossover");
	if (sweep->until == LM_UNTIL_CROSSOVER)
		fprintf(out, ", until jobs/min/task is %g or less", sweep->floor);
	else if (sweep->until == LM_UNTIL_PEAK)
		fprintf(out, ", until the peak");
	if (sweep->tolerance > 0)
		fprintf(out, " is found within %g%%", sweep->tolerance * 100);
	fputc('\n', out);
	if (sweep->open)
		fprintf(out, "limit      %u tasks (%s)\n", sweep->ranges[0].end, sweep->guard);
}
