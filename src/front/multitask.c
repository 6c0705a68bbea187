/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/multitask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/doubts.h"
#include "cmd/perform.h"
#include "cmd/plan.h"
#include "cmd/standard.h"
#include "engine/signals.h"
#include "formats/formats.h"
#include "front/answers.h"
#include "front/directories.h"
#include "front/remarks.h"

#define MAX_SINKS 6

/* A sweep, with all that was made ready for it. */
struct iteration {
	struct lm_plan_box box;
	struct lm_sink sinks[MAX_SINKS];
	size_t sink_count;
};

struct multitask {
	struct lm_standard_options standard;
	bool fixed, newton, points, no_log, verbose, skip, no_sync;
	const char *journal;
	uint64_t max_tasks;
	struct lm_error err;     /* what was wrong with an option's value */
	const char *const *argv; /* as given */
	struct lm_answers answers;
	char label[2 * LM_PLAIN_LINE_SIZE];
	struct lm_directories directories;
	struct iteration iterations[LM_MAX_ASKED];
	size_t planned; /* of them, to be let go of */
};

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_JOURNAL = 0x500, KEY_MAX_TASKS, KEY_NO_SYNC, KEY_SKIP };

static const struct argp_option options_table[] = {
	{ NULL, 't', NULL, 0, "Keep the increment as it is given (default: it follows the times)",
	  0 },
	{ NULL, 'N', NULL, 0, "Go half the way when the crossover is near", 0 },
	{ NULL, 'f', NULL, 0, "Take the task counts from a file, whose name is asked for", 0 },
	{ "-nl", 0, NULL, OPTION_DOC, "Write no logfile.suite7", 0 },
	{ NULL, 'n', "l", OPTION_HIDDEN, NULL, 0 },
	{ NULL, 'v', NULL, 0, "Print the plan on standard error", 0 },
	{ NULL, 'd', "N", OPTION_ARG_OPTIONAL, "Accepted, as AIM7 has it; nothing changes", 0 },
	{ "journal", KEY_JOURNAL, "FILE", 0,
	  "Keep a journal, too; those of further iterations get a number after the name", 1 },
	{ "max-tasks", KEY_MAX_TASKS, "N", 0,
	  "Largest load on the way to the crossover (default: what the machine allows)", 1 },
	{ "no-sync", KEY_NO_SYNC, NULL, 0, "Do not sync() before every step", 1 },
	{ "skip-unsupported", KEY_SKIP, NULL, 0,
	  "Drop job kinds that cannot be run here from the mix, and say so", 1 },
	{ 0 },
};

/* Options whose values are more than text. */
static error_t parse_value(int key, const char *arg, struct multitask *m)
{
	uint64_t level;

	switch (key) {
	case 'n':
		m->no_log = true;
		return strcmp(arg, "l") ? lm_bad_value(&m->err, "-n", arg, "option: give -nl") : 0;
	case 'd':
		if (!arg || lm_parse_uint(arg, 0, UINT32_MAX, &level))
			return 0;
		return lm_bad_value(&m->err, "-d", arg, "number");
	case KEY_MAX_TASKS:
		if (lm_parse_uint(arg, 1, LM_MAX_TASKS, &m->max_tasks))
			return 0;
		return lm_bad_value(&m->err, "--max-tasks", arg, "number from 1 to 1000000");
	case ARGP_KEY_ARG:
		lm_error_set(&m->err, LM_ERR_INPUT,
			     "'%.100s' is one argument too many: there are options only", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct multitask *m = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &m->standard;
		return 0;
	case 't':
		m->fixed = true;
		return 0;
	case 'N':
		m->newton = true;
		return 0;
	case 'f':
		m->points = true;
		return 0;
	case 'v':
		m->verbose = true;
		return 0;
	case KEY_JOURNAL:
		m->journal = arg;
		return 0;
	case KEY_NO_SYNC:
		m->no_sync = true;
		return 0;
	case KEY_SKIP:
		m->skip = true;
		return 0;
	default:
		return parse_value(key, arg, m);
	}
}

static const struct argp_child children[] = { { &lm_standard_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.doc = "Run the mix in the file 'workfile' through sweeps of task counts, as AIM7's "
	       "command of this name does.\vWhat is to be run is asked for, an answer a line: name "
	       "and configuration of the machine, number of iterations, and for each of them "
	       "start, 1 (to the crossover) or 2 and the end, increment. The file 'config' names "
	       "the directories to work in. Results are added to suite7.ss and logfile.suite7.\n",
	.children = children,
};

/* --- plans --------------------------------------------------------------------------------- */

/* The loads that an iteration's answers ask for; range is room for their text. */
static void choose_loads(const struct multitask *m, const struct lm_sweep_answers *a, char *range,
			 size_t size, struct lm_sweep_options *out)
{
	if (m->points) {
		out->points = a->points;
		return;
	}
	if (a->end) {
		snprintf(range, size, "%u-%u:%u", a->start, a->end, a->increment);
	} else {
		snprintf(range, size, "%u-:%u", a->start, a->increment);
		out->until = "crossover";
		out->max_tasks = m->max_tasks;
	}
	out->tasks = range;
	out->adaptive = !m->fixed;
	out->newton = m->newton;
}

/* What loadmix run would be told for this iteration; NULL when memory ran out. */
static struct lm_run_options *options_of(const struct multitask *m, size_t index)
{
	struct lm_run_options *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->words =
		(struct lm_plan_words){ .dirs = "config", .filesize = "FILESIZE in the workfile" };
	run->workload.workload = "./workfile";
	run->workload.jobs = 100;
	run->output.label = m->label;
	run->output.no_sync = m->no_sync;
	run->dir_count = m->directories.count;
	for (size_t i = 0; i < m->directories.count; i++)
		run->dirs[i] = m->directories.paths[i];
	run->skip_unsupported = m->skip;
	run->argv = m->argv;
	run->told = index ? &m->iterations[index - 1].box.plan : NULL;
	return run;
}

static int open_plan(struct multitask *m, size_t index, lm_job_list kinds, struct lm_error *err)
{
	struct lm_run_options *run = options_of(m, index);
	char range[64], source[32];
	int rc;

	if (!run)
		return lm_error_sys(err, "options");
	choose_loads(m, &m->answers.sweeps[index], range, sizeof(range), &run->sweep);
	snprintf(source, sizeof(source), "iteration %zu", index + 1);
	run->sweep.source = source;
	m->planned++;
	rc = lm_plan_open(run, kinds, &m->iterations[index].box, err);
	free(run);
	return rc;
}

static int plan_iteration(struct multitask *m, size_t index, lm_job_list kinds,
			  struct lm_error *err)
{
	struct lm_plan_box *box = &m->iterations[index].box;
	int rc;

	if (open_plan(m, index, kinds, err) < 0)
		return -1;
	box->plan.machine = m->answers.machine;
	box->plan.configuration = m->answers.configuration;
	rc = index ? lm_doubts_warn_again(&box->plan, box->policy, &box->doubts, err)
		   : lm_doubts_warn(&box->plan, box->policy, &box->doubts, err);
	if (rc < 0)
		return -1;
	if (m->verbose)
		lm_plan_print(box, stderr);
	return 0;
}

/* Prompts are for the eyes of who answers, and no part of the results. */
static FILE *prompts(void)
{
	if (!isatty(STDIN_FILENO))
		return NULL;
	return !isatty(STDERR_FILENO) && isatty(STDOUT_FILENO) ? stdout : stderr;
}

static int plan_all(struct multitask *m, lm_job_list kinds, struct lm_error *err)
{
	/* what follows the answers is left for who reads next */
	setvbuf(stdin, NULL, _IONBF, 0);
	if (lm_directories_read("config", &m->directories, err) < 0 ||
	    lm_answers_read(stdin, prompts(), m->points, &m->answers, err) < 0)
		return -1;
	snprintf(m->label, sizeof(m->label), "%s, %s", m->answers.machine,
		 m->answers.configuration);
	for (size_t i = 0; i < m->answers.iterations; i++)
		if (plan_iteration(m, i, kinds, err) < 0)
			return -1;
	return 0;
}

/* --- sinks --------------------------------------------------------------------------------- */

static int add_sink(struct iteration *it, const struct lm_format *format, const char *path,
		    struct lm_error *err)
{
	if (format->open(path, &it->sinks[it->sink_count], err) < 0)
		return -1;
	it->sink_count++;
	return 0;
}

static int add_journal(const struct multitask *m, struct iteration *it, struct lm_error *err)
{
	size_t number = (size_t)(it - m->iterations) + 1;
	char *path;
	int rc;

	if (!m->journal)
		return 0;
	if (number == 1)
		return add_sink(it, &lm_format_journal, m->journal, err);
	if (asprintf(&path, "%s.%zu", m->journal, number) < 0)
		return lm_error_sys(err, "the name of a journal");
	rc = add_sink(it, &lm_format_journal, path, err);
	free(path);
	return rc;
}

/* What keeps the step comes before what shows it. */
static int open_sinks(const struct multitask *m, struct iteration *it, struct lm_error *err)
{
	if (add_journal(m, it, err) < 0 || add_sink(it, &lm_format_suite7, "suite7.ss", err) < 0)
		return -1;
	if (!m->no_log && add_sink(it, &lm_format_suite7_log, "logfile.suite7", err) < 0)
		return -1;
	if (isatty(STDERR_FILENO) && add_sink(it, &lm_format_progress, NULL, err) < 0)
		return -1;
	it->sinks[it->sink_count++] = lm_remarks("multitask");
	return add_sink(it, &lm_format_multitask, NULL, err);
}

static int open_all(struct multitask *m, lm_job_list kinds, struct lm_error *err)
{
	if (plan_all(m, kinds, err) < 0)
		return -1;
	lm_signals_hold();
	for (size_t i = 0; i < m->planned; i++)
		if (open_sinks(m, &m->iterations[i], err) < 0)
			return -1;
	return 0;
}

/* --- the run ------------------------------------------------------------------------------- */

/* An INVALID step does not keep the other iterations from being run. */
static int perform_all(struct multitask *m)
{
	struct lm_session_outcome outcome;
	int status = LM_EXIT_OK;

	for (size_t i = 0; i < m->planned && (status == LM_EXIT_OK || status == LM_EXIT_NO); i++) {
		struct iteration *it = &m->iterations[i];
		int one;

		if (i > 0) /* what was seen before the first is old by now */
			it->box.plan.environment = NULL;
		one = lm_perform(&it->box, it->sinks, it->sink_count, &outcome);

		it->sink_count = 0;
		lm_remark_signal("multitask", outcome.signal);
		status = one == LM_EXIT_OK ? status : one;
	}
	return status;
}

static void close_all(struct multitask *m)
{
	for (size_t i = 0; i < m->planned; i++) {
		lm_sinks_close(m->iterations[i].sinks, m->iterations[i].sink_count);
		lm_plan_close(&m->iterations[i].box);
	}
	lm_directories_free(&m->directories);
}

static int run(void *state, lm_job_list kinds)
{
	struct multitask *m = state;
	struct lm_error err = { 0 };
	int status;

	if (m->points && m->newton)
		lm_cmd_warn("-f names every task count: -N changes nothing");
	if (open_all(m, kinds, &err) < 0)
		status = lm_cmd_fail(&err);
	else
		status = perform_all(m);
	close_all(m);
	return status;
}

int lm_multitask(int argc, char **argv, lm_job_list kinds)
{
	struct multitask *m = calloc(1, sizeof(*m));
	const char **copy = calloc((size_t)argc + 1, sizeof(*copy));
	struct lm_error err = { 0 };
	int status, rc;

	if (!m || !copy) {
		lm_error_sys(&err, "options");
		status = lm_cmd_fail(&err);
	} else {
		memcpy(copy, argv, (size_t)argc * sizeof(*copy));
		m->argv = copy;
		rc = lm_standard_parse(&argp, argc, argv, m, &m->standard);
		status = rc < 0 ? LM_EXIT_USAGE : LM_EXIT_OK;
		if (m->err.code)
			status = lm_cmd_fail(&m->err);
		else if (rc == 0)
			status = lm_with_plugins(&m->standard, kinds, run, m);
	}
	free(copy);
	free(m);
	return status;
}
