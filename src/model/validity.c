/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/validity.h"

#include "base/text.h"
#include "model/slots.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static int vadd_problem(struct lm_record *record, const char *fmt, va_list ap)
{
	char *text;

	record->problem_total++;
	if (record->problem_count >= LM_MAX_PROBLEMS)
		return 0;
	if (!record->problems)
		record->problems = calloc(LM_MAX_PROBLEMS, sizeof(*record->problems));
	if (!record->problems || vasprintf(&text, fmt, ap) < 0)
		return -1;
	record->problems[record->problem_count++] = text;
	return 0;
}

__attribute__((format(printf, 2, 3))) static int add_problem(struct lm_record *record,
							     const char *fmt, ...)
{
	va_list ap;
	int result;

	va_start(ap, fmt);
	result = vadd_problem(record, fmt, ap);
	va_end(ap);
	return result;
}

/* One task of a step, as its problem is told. */
struct accused {
	const struct lm_mix *mix;
	const struct lm_step_result *result;
	const struct lm_task_slot *slot;
	unsigned task;
	uint64_t jobs;
};

static const char *kind_of(const struct accused *a)
{
	uint32_t entry;

	if (a->jobs >= a->result->jobs_per_task && a->result->period_s <= 0)
		return "no job";
	entry = a->slot->samples[a->jobs % a->result->jobs_per_task].entry;
	return entry < a->mix->count ? a->mix->entries[entry].label : "unknown kind";
}

/* "job 17 of 101"; in single mode nobody knows of how many. */
static const char *place_of(const struct accused *a, char *buf, size_t size)
{
	int used = snprintf(buf, size, "job %" PRIu64, a->jobs + 1);

	if (a->result->period_s <= 0)
		snprintf(buf + used, size - (size_t)used, " of %u", a->result->jobs_per_task);
	return buf;
}

/* No space, no memory, no descriptors...: the machine was too small, and nothing was wrong. */
static bool lacked_resource(const struct accused *a)
{
	return a->slot->samples[a->jobs % a->result->jobs_per_task].outcome == LM_JOB_NO_RESOURCE;
}

static int add_failed_job(struct lm_record *record, const struct accused *a)
{
	const struct lm_task_slot *slot = a->slot;
	size_t length = strnlen(slot->failure, sizeof(slot->failure));
	char text[4 * sizeof(slot->failure) + 4], place[48];

	/* Names of files are in it, and it was cut where its space ended. */
	lm_text_quote(slot->failure, length, sizeof(slot->failure), text, sizeof(text));
	return add_problem(record, "task %u (pid %d), %s, %s%s: %s%s%s", a->task, (int)slot->pid,
			   place_of(a, place, sizeof(place)), kind_of(a),
			   lacked_resource(a) ? " lacked a resource" : "",
			   text[0] ? text : "it failed and did not say why",
			   slot->failure_errno ? ": " : "",
			   slot->failure_errno ? strerror(slot->failure_errno) : "");
}

/* How a task ended that did not reach its end: "was killed by signal 9 (Killed)". */
static const char *end_text(int status, char *buf, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(buf, size, "was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (WIFEXITED(status))
		snprintf(buf, size, "exited with status %d", WEXITSTATUS(status));
	else
		snprintf(buf, size, "was lost (wait status %d)", status);
	return buf;
}

static int add_lost_task(struct lm_record *record, const struct accused *a)
{
	char end[128], where[256], place[48];
	unsigned state = lm_slot_state(a->slot);

	if (a->slot->pid <= 0)
		return add_problem(record, "task %u was never forked", a->task);
	if (state < LM_TASK_RUNNING)
		snprintf(where, sizeof(where), "before it started");
	else if (a->jobs >= a->result->jobs_per_task && a->result->period_s <= 0)
		snprintf(where, sizeof(where), "after its last job");
	else
		snprintf(where, sizeof(where), "in %s, %.180s", place_of(a, place, sizeof(place)),
			 kind_of(a));
	return add_problem(record, "task %u (pid %d) %s %s", a->task, (int)a->slot->pid,
			   end_text(a->slot->wait_status, end, sizeof(end)), where);
}

static bool finished(const struct lm_task_slot *slot)
{
	unsigned state = lm_slot_state(slot);

	return state == LM_TASK_DONE || state == LM_TASK_FAILED;
}

/* True for a task that ended because the step was ended: told once for all of them. */
static bool ended_with_step(const struct lm_step_result *result, const struct lm_task_slot *slot)
{
	int status = slot->wait_status;

	if (result->end == LM_STEP_COMPLETE || finished(slot))
		return false;
	if (lm_slot_state(slot) == LM_TASK_UNBORN)
		return true;
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		return false;
	/* Killed while the deadline was still ahead: not by us. */
	return result->end != LM_STEP_DEADLINE || slot->end_ns >= result->deadline_ns;
}

static int judge_task(struct lm_record *record, const struct accused *a)
{
	int status = a->slot->wait_status;

	if (lm_slot_state(a->slot) == LM_TASK_FAILED)
		return add_failed_job(record, a);
	if (ended_with_step(a->result, a->slot))
		return 0;
	if (lm_slot_state(a->slot) == LM_TASK_DONE && WIFEXITED(status) &&
	    WEXITSTATUS(status) == 0 &&
	    (a->jobs == a->result->jobs_per_task || (a->result->period_s > 0 && a->jobs > 0)))
		return 0;
	return add_lost_task(record, a);
}

/* Seconds as people write them: no more decimals than needed, a point in every locale. */
static const char *seconds_text(double s, char *buf, size_t size)
{
	uint64_t ms = s > 0 && s < 1e15 ? (uint64_t)(s * 1000 + 0.5) : 0;
	int used = snprintf(buf, size, "%" PRIu64, ms / 1000);
	char *end;

	if (ms % 1000 == 0)
		return buf;
	snprintf(buf + used, size - (size_t)used, ".%03u", (unsigned)(ms % 1000));
	end = buf + strlen(buf);
	while (end[-1] == '0')
		*--end = '\0';
	return buf;
}

static int judge_end(struct lm_record *record, const struct lm_step_result *result)
{
	unsigned unfinished = 0;
	char limit[32];

	for (unsigned i = 0; i < result->tasks; i++)
		unfinished += !finished(lm_result_slot(result, i));
	if (result->end == LM_STEP_DEADLINE)
		return add_problem(record,
				   "the step deadline of %s s passed with %u of %u tasks "
				   "unfinished",
				   seconds_text(result->deadline_s, limit, sizeof(limit)),
				   unfinished, result->tasks);
	return add_problem(record, LM_INTERRUPTED "%d (%s) with %u of %u tasks unfinished",
			   result->signal, strsignal(result->signal), unfinished, result->tasks);
}

/* Tasks run on while the program is stopped, and take their times themselves: a stop does harm only
 * where the program itself is to look at the clock or at the system. */
static int judge_stops(struct lm_record *record, const struct lm_step_result *result)
{
	if (result->held_gate)
		return add_problem(record, "the program was stopped while the start gate opened: "
					   "the real time is too long");
	if (result->continued_ns > lm_step_last_end(result))
		return add_problem(record, "the program was stopped when the last task ended: the "
					   "counters of the system are of a longer time");
	return 0;
}

/* What concerns the whole step comes first: only so many problems are kept. */
int lm_validity_judge(const struct lm_mix *mix, const struct lm_step_result *result,
		      struct lm_record *record)
{
	if (result->tasks == 0 && add_problem(record, "the step had no tasks") < 0)
		return -1;
	if (result->end != LM_STEP_COMPLETE && judge_end(record, result) < 0)
		return -1;
	if (judge_stops(record, result) < 0)
		return -1;
	if (result->strays > 0 &&
	    add_problem(record, "jobs left %u process%s behind that had to be killed",
			result->strays, result->strays == 1 ? "" : "es") < 0)
		return -1;
	for (unsigned i = 0; i < result->tasks; i++) {
		const struct lm_task_slot *slot = lm_result_slot(result, i);
		struct accused a = { mix, result, slot, i, lm_slot_all_jobs(result, slot) };

		if (judge_task(record, &a) < 0)
			return -1;
	}
	record->valid = record->problem_total == 0;
	return 0;
}

void lm_record_problem(struct lm_record *record, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vadd_problem(record, fmt, ap);
	va_end(ap);
	record->valid = false;
}
