/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/reaim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/alone.h"
#include "cmd/cmd.h"
#include "cmd/doubts.h"
#include "cmd/perform.h"
#include "cmd/plan.h"
#include "engine/signals.h"
#include "formats/formats.h"
#include "front/earlier.h"
#include "front/reaim_options.h"
#include "front/remarks.h"
#include "front/tools.h"
#include "model/mix.h"

#define MAX_SINKS 12

struct reaim {
	struct lm_reaim_options options;
	struct lm_run_options run;
	struct lm_plan_box box;
	struct lm_tools tools;
	struct lm_sink sinks[MAX_SINKS];
	size_t sink_count;
};

/* --- sinks --------------------------------------------------------------------------------- */

struct result_file {
	const struct lm_format *format;
	const char *name;
	bool after_prefix;
};

static const struct result_file sweep_files[] = {
	{ &lm_format_reaim_csv, ".csv", true },
	{ &lm_format_reaim_log, ".log", true },
	{ &lm_format_reaim_ss, "multiuser.ss", false },
	{ NULL, NULL, false },
};

static const struct result_file brief_files[] = {
	{ &lm_format_reaim_mdata, "stp_mdata.txt", false },
	{ &lm_format_reaim_html, "stp_hdata.html", false },
	{ &lm_format_reaim_max, "maxjobs.txt", false },
	{ NULL, NULL, false },
};

static const struct result_file single_files[] = {
	{ &lm_format_reaim_single, "singleuser.ss", false },
	{ NULL, NULL, false },
};

static int add_sink(struct reaim *m, const struct lm_format *format, const char *path,
		    struct lm_error *err)
{
	if (format->open(path, &m->sinks[m->sink_count], err) < 0)
		return -1;
	m->sink_count++;
	return 0;
}

static int add_files(struct reaim *m, const struct result_file *files, struct lm_error *err)
{
	const char *prefix = m->options.prefix ? m->options.prefix : "reaim";
	char path[PATH_MAX];

	for (; files->format; files++) {
		if ((size_t)snprintf(path, sizeof(path), "%s%s", files->after_prefix ? prefix : "",
				     files->name) >= sizeof(path))
			return lm_error_set(err, LM_ERR_INPUT,
					    "the prefix is too long (--logprefix)");
		if (lm_earlier_keep(path, err) < 0 || add_sink(m, files->format, path, err) < 0)
			return -1;
	}
	return 0;
}

/* Files come first: a step is in them before anybody reads it. The tools come before all, since
 * their report belongs to the step. */
static int open_sinks(struct reaim *m, struct lm_error *err)
{
	bool alone = m->options.one_user;

	m->sink_count = 0;
	if (m->options.tool)
		m->sinks[m->sink_count++] = lm_tools_sink(&m->tools);
	if (add_files(m, alone ? single_files : sweep_files, err) < 0)
		return -1;
	if (!alone && (m->options.brief || m->options.config.brief) &&
	    add_files(m, brief_files, err) < 0)
		return -1;
	if (isatty(STDERR_FILENO) && add_sink(m, &lm_format_progress, NULL, err) < 0)
		return -1;
	m->sinks[m->sink_count++] = lm_remarks("reaim");
	return add_sink(m, alone ? &lm_format_reaim_single : &lm_format_reaim, NULL, err);
}

/* --- the runs ------------------------------------------------------------------------------ */

/* A kind that stands on several lines is run once. */
static void drop_doubles(struct lm_mix *mix)
{
	for (size_t i = 0; i < mix->count;) {
		size_t k = 0;

		while (strcmp(mix->entries[k].label, mix->entries[i].label) != 0)
			k++;
		if (k < i)
			lm_mix_drop(mix, i);
		else
			i++;
	}
}

static int run_alone(struct reaim *m)
{
	struct lm_session_outcome outcome;
	struct lm_error err = { 0 };
	int rc;

	drop_doubles(&m->box.mix);
	m->box.plan.period_s = m->options.period_s;
	m->box.plan.step_timeout_s = lm_alone_timeout_s(m->options.period_s);
	rc = lm_alone_run(&m->box.plan, m->sinks, m->sink_count, &outcome, &err);
	lm_sinks_close(m->sinks, m->sink_count);
	lm_remark_signal("reaim", outcome.signal);
	return lm_exit_status(rc, &outcome, &err);
}

static int run_once(struct reaim *m)
{
	struct lm_session_outcome outcome;
	struct lm_error err = { 0 };
	int status;

	lm_signals_hold();
	if (open_sinks(m, &err) < 0) {
		lm_sinks_close(m->sinks, m->sink_count);
		return lm_cmd_fail(&err);
	}
	if (m->options.one_user)
		return run_alone(m);
	status = lm_perform(&m->box, m->sinks, m->sink_count, &outcome);
	lm_remark_signal("reaim", outcome.signal);
	return status;
}

/* An INVALID step in one run says nothing of the next. */
static int repeat(struct reaim *m)
{
	uint64_t runs = m->options.repeat ? m->options.repeat : 1;
	int status = LM_EXIT_OK;

	for (uint64_t i = 0; i < runs && status <= LM_EXIT_NO; i++) {
		int now = run_once(m);

		status = now > status ? now : status;
		m->box.plan.environment = NULL; /* it is of the time before this run */
	}
	return status;
}

static int with_tools(struct reaim *m)
{
	const struct lm_reaim_options *o = &m->options;
	struct lm_error err = { 0 };
	int status;

	if (o->tool && lm_tools_open(&m->tools, o->tool, o->tool_args, o->tool_timeout_s, &err) < 0)
		status = lm_cmd_fail(&err);
	else
		status = repeat(m);
	lm_tools_close(&m->tools);
	return status;
}

static int run_plan(void *state, lm_job_list kinds)
{
	struct reaim *m = state;
	struct lm_error err = { 0 };
	int status;

	if (lm_plan_open(&m->run, kinds, &m->box, &err) < 0 ||
	    lm_doubts_warn(&m->box.plan, m->box.policy, &m->box.doubts, &err) < 0) {
		status = lm_cmd_fail(&err);
	} else {
		if (m->options.verbose || m->options.config.verbose)
			lm_plan_print(&m->box, stderr);
		status = with_tools(m);
	}
	lm_plan_close(&m->box);
	return status;
}

int lm_reaim(int argc, char **argv, lm_job_list kinds)
{
	struct reaim *m = calloc(1, sizeof(*m));
	struct lm_error err = { 0 };
	int status;

	if (!m) {
		lm_error_sys(&err, "options");
		return lm_cmd_fail(&err);
	}
	status = lm_reaim_options_parse(argc, argv, &m->options);
	if (status < 0) {
		if (lm_reaim_options_run(&m->options, &m->run, &err) < 0)
			status = lm_cmd_fail(&err);
		else
			status = lm_with_plugins(&m->options.standard, kinds, run_plan, m);
	}
	lm_reaim_options_free(&m->options);
	free(m);
	return status;
}
