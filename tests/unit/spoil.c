/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const struct lm_job *const spoilt_families[] = {
	spoilt_integer, spoilt_float,  spoilt_sieve,  spoilt_calls,   spoilt_numeric, spoilt_math,
	spoilt_libc,    spoilt_string, spoilt_memory, spoilt_process, NULL,
};

struct fault fault;
uint64_t bytes_copied;
char reported[512];

bool spoil(const char *function)
{
	if (!fault.function || strcmp(fault.function, function) != 0)
		return false;
	return fault.calls && --fault.calls == 0;
}

int prepare_spoilt(void **state)
{
	(void)state;
	if (!getenv("PATH"))
		setenv("PATH", "/usr/bin:/bin", 1);
	for (size_t i = 0; spoilt_families[i]; i++)
		for (const struct lm_job *job = spoilt_families[i]; job->name; job++)
			if (job->prepare && job->prepare())
				return -1;
	return 0;
}

const struct lm_job *find_spoilt(const char *name)
{
	for (size_t i = 0; spoilt_families[i]; i++)
		for (const struct lm_job *job = spoilt_families[i]; job->name; job++)
			if (strcmp(job->name, name) == 0)
				return job;
	fail_msg("there is no kind %s", name);
	return NULL;
}

static void report(struct lm_job_ctx *ctx, int error, const char *fmt, va_list ap)
{
	(void)ctx;
	(void)error;
	vsnprintf(reported, sizeof(reported), fmt, ap);
}

enum lm_outcome run_spoilt(const struct lm_job *job, enum lm_semantics semantics)
{
	uint64_t params[LM_MAX_PARAMS] = { 0 };
	struct lm_job_ctx ctx = {
		.job = job,
		.params = params,
		.tasks = 1,
		.semantics = semantics,
		.report = report,
	};

	for (int i = 0; job->params && job->params[i].name; i++)
		params[i] = job->params[i].fallback;
	reported[0] = '\0';
	return job->run(&ctx);
}
