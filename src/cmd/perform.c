/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/perform.h"

#include "cmd/cmd.h"
#include "probes/probes.h"

void lm_sinks_close(struct lm_sink *sinks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sinks[i].close(sinks[i].state);
}

int lm_exit_status(int rc, const struct lm_session_outcome *outcome, const struct lm_error *err)
{
	int failed = rc < 0 ? lm_cmd_fail(err) : LM_EXIT_OK;

	if (outcome->signal)
		return 128 + outcome->signal;
	if (failed)
		return failed;
	return outcome->summary.invalid ? LM_EXIT_NO : LM_EXIT_OK;
}

int lm_perform(const struct lm_plan_box *box, struct lm_sink *sinks, size_t count,
	       struct lm_session_outcome *outcome)
{
	struct lm_session session = { .plan = &box->plan,
				      .policy = box->policy,
				      .probes = lm_probes,
				      .sinks = sinks,
				      .sink_count = count,
				      .before = box->before,
				      .before_count = box->before_count };
	struct lm_error err = { 0 };
	int rc = lm_session_run(&session, outcome, &err);

	lm_sinks_close(sinks, count);
	return lm_exit_status(rc, outcome, &err);
}
