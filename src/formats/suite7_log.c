/* SPDX-License-Identifier: GPL-2.0-or-later */
/* logfile.suite7, AIM7's log: a line a job, added to what is there (docs/formats.md). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "formats/append.h"
#include "formats/formats.h"

struct log {
	struct lm_append file;
	char *lines; /* of the step that has just ended, until its record tells whether it is valid
		      */
	size_t size;
};

static int log_begin(void *state, const struct lm_plan *plan, const struct lm_facts *environment,
		     struct lm_error *err)
{
	struct log *log = state;
	char date[32], *text = NULL;
	int size, rc;

	(void)environment;
	lm_now_date(date, sizeof(date));
	size = asprintf(&text, "%s%s\n%s\n%s\n%s\n", lm_append_line_end(&log->file),
			plan->machine ? plan->machine : plan->label,
			plan->configuration ? plan->configuration : "", date, plan->mix->name);
	if (size < 0)
		return lm_error_sys(err, "a line of '%s'", log->file.path);
	rc = lm_append_write(&log->file, text, (size_t)size, err);
	free(text);
	return rc;
}

static uint64_t ms(uint64_t ns)
{
	return (ns + 500000) / 1000000;
}

/* A label may hold parameters; columns are separated by blanks. */
static void print_label(FILE *out, const char *label)
{
	for (; *label; label++)
		putc_unlocked(*label == ' ' ? ',' : *label, out);
}

static void print_task(FILE *out, const struct lm_mix *mix, const struct lm_step_result *result,
		       const struct lm_task_slot *slot)
{
	for (unsigned i = 0; i < result->jobs_per_task; i++) {
		const struct lm_sample *s = &slot->samples[i];

		/* what a task that was killed has left may be anything */
		if (s->entry >= mix->count)
			continue;
		fprintf(out, "%u ", result->tasks);
		print_label(out, mix->entries[s->entry].label);
		fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", ms(s->duration_ns),
			ms(s->user_ns), ms(s->system_ns));
	}
	fprintf(out, "%u job_timing %" PRIu64 " 0 0\n", result->tasks,
		ms(slot->end_ns - slot->start_ns));
}

static int log_samples(void *state, const struct lm_mix *mix, const struct lm_step_result *result,
		       struct lm_error *err)
{
	struct log *log = state;
	FILE *out;
	int failed;

	if (result->end != LM_STEP_COMPLETE)
		return 0;
	out = open_memstream(&log->lines, &log->size);
	if (!out)
		return lm_error_sys(err, "the lines of a step in '%s'", log->file.path);
	for (unsigned i = 0; i < result->tasks; i++)
		print_task(out, mix, result, lm_result_slot(result, i));
	failed = ferror(out);
	failed |= fclose(out) != 0;
	return failed ? lm_error_sys(err, "the lines of a step in '%s'", log->file.path) : 0;
}

static int log_step(void *state, const struct lm_record *record, struct lm_error *err)
{
	struct log *log = state;
	int rc = 0;

	if (record->valid && log->lines)
		rc = lm_append_write(&log->file, log->lines, log->size, err);
	free(log->lines);
	log->lines = NULL;
	return rc;
}

static void log_close(void *state)
{
	struct log *log = state;

	lm_append_close(&log->file);
	free(log->lines);
	free(log);
}

static int log_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	struct log *log = calloc(1, sizeof(*log));

	if (!log)
		return lm_error_sys(err, "logfile.suite7");
	if (lm_append_open(&log->file, path ? path : "logfile.suite7", err) < 0) {
		free(log);
		return -1;
	}
	*out = (struct lm_sink){ .state = log,
				 .begin = log_begin,
				 .samples = log_samples,
				 .step = log_step,
				 .close = log_close };
	return 0;
}

const struct lm_format lm_format_suite7_log = {
	.name = "suite7-log",
	.summary = "AIM7's logfile.suite7: a line a job, added to what is there",
	.open = log_open,
};
