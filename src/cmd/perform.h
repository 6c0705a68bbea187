/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a plan, for every command and front end that does. */
#ifndef LM_CMD_PERFORM_H
#define LM_CMD_PERFORM_H

#include <loadmix/sink.h>

#include "cmd/plan.h"
#include "engine/session.h"

/* Run the plan's session, close the sinks, tell errors on standard error. Returns the exit status:
 * 128 + signal, 1 when a step is INVALID, 3 when it could not go on. */
int lm_perform(const struct lm_plan_box *box, struct lm_sink *sinks, size_t count,
	       struct lm_session_outcome *outcome);

/* The exit status for a session that returned rc; its error, if any, is told. A signal comes first:
 * what it keeps from being written is an error, too. */
int lm_exit_status(int rc, const struct lm_session_outcome *outcome, const struct lm_error *err);

void lm_sinks_close(struct lm_sink *sinks, size_t count);

#endif
