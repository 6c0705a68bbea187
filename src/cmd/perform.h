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

/* The exit status for a session that came to its end, or was ended by a signal. */
int lm_exit_status(const struct lm_session_outcome *outcome);

void lm_sinks_close(struct lm_sink *sinks, size_t count);

#endif
