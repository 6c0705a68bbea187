/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single mode when it cannot go on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/alone.h"
#include "jobs/jobs.h"
#include "model/mix.h"
#include "model/sweep.h"

#include <stdio.h>
#include <string.h>

struct heard {
	unsigned ends;
	char stopped[1024];
};

static int hear_end(void *state, const struct lm_summary *summary, struct lm_error *err)
{
	struct heard *heard = state;

	(void)err;
	heard->ends++;
	snprintf(heard->stopped, sizeof(heard->stopped), "%s",
		 summary->stopped ? summary->stopped : "");
	return 0;
}

/* Its directory is not there. */
static int run_nowhere(struct heard *heard, struct lm_error *err)
{
	const char *const dirs[] = { "/nonexistent/directory" };
	struct lm_range once = { 1, 1, 1 };
	struct lm_mix mix = { .name = strdup("one"), .path = strdup("one") };
	struct lm_sink sink = { .state = heard, .end = hear_end };
	struct lm_session_outcome outcome;
	struct lm_plan plan = { .mix = &mix,
				.sweep = { .ranges = &once, .count = 1, .iterations = 1 },
				.dirs = dirs,
				.dir_count = 1,
				.label = "",
				.data_dir = "",
				.cwd = "/",
				.period_s = 0.01,
				.jobs = 1 };
	int rc;

	assert_int_equal(lm_mix_add(&mix, &lm_jobs_integer[0], 1, 1), 0);
	rc = lm_alone_run(&plan, &sink, 1, &outcome, err);
	assert_null(outcome.summary.stopped);
	lm_mix_free(&mix);
	return rc;
}

static void an_error_is_told(void **state)
{
	struct heard heard = { 0 };
	struct lm_error err = { 0 };

	(void)state;
	assert_int_equal(run_nowhere(&heard, &err), -1);
	assert_int_equal(err.code, LM_ERR_SYSTEM);
	assert_non_null(strstr(err.text, "/nonexistent/directory"));
	assert_int_equal(heard.ends, 1);
	assert_string_equal(heard.stopped, err.text);
}

static void also_when_nobody_asks(void **state)
{
	struct heard heard = { 0 };

	(void)state;
	assert_int_equal(run_nowhere(&heard, NULL), -1);
	assert_int_equal(heard.ends, 1);
	assert_non_null(strstr(heard.stopped, "/nonexistent/directory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_is_told),
		cmocka_unit_test(also_when_nobody_asks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
