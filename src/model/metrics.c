/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/metrics.h"

#include "base/text.h"
#include "model/kinds.h"
#include "model/stats.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NS_PER_S 1e9

static double seconds(uint64_t ns)
{
	return (double)ns / NS_PER_S;
}

/* From start to end, 0 when that is no span. */
static double span_s(uint64_t start_ns, uint64_t end_ns)
{
	return end_ns > start_ns ? seconds(end_ns - start_ns) : 0;
}

static unsigned state_of(const struct lm_task_slot *slot)
{
	return atomic_load_explicit(&slot->state, memory_order_acquire);
}

/* A task that was killed can have left anything in its slot: no index goes past the samples. */
static unsigned jobs_of(const struct lm_step_result *result, const struct lm_task_slot *slot)
{
	uint64_t jobs = atomic_load_explicit(&slot->jobs_done, memory_order_acquire);

	return jobs < result->jobs_per_task ? (unsigned)jobs : result->jobs_per_task;
}

/* All jobs of a task, of which the samples of single mode hold only the last. */
static uint64_t all_jobs_of(const struct lm_step_result *result, const struct lm_task_slot *slot)
{
	if (result->period_s > 0)
		return atomic_load_explicit(&slot->jobs_done, memory_order_acquire);
	return jobs_of(result, slot);
}

static uint64_t last_end(const struct lm_step_result *result)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < result->tasks; i++) {
		uint64_t end = lm_result_slot(result, i)->end_ns;

		last = end > last ? end : last;
	}
	return last;
}

/* --- problems ---------------------------------------------------------------------------- */

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
	unsigned state = state_of(a->slot);

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
	unsigned state = state_of(slot);

	return state == LM_TASK_DONE || state == LM_TASK_FAILED;
}

/* True for a task that ended because the step was ended: told once for all of them. */
static bool ended_with_step(const struct lm_step_result *result, const struct lm_task_slot *slot)
{
	int status = slot->wait_status;

	if (result->end == LM_STEP_COMPLETE || finished(slot))
		return false;
	if (state_of(slot) == LM_TASK_UNBORN)
		return true;
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		return false;
	/* Killed while the deadline was still ahead: not by us. */
	return result->end != LM_STEP_DEADLINE || slot->end_ns >= result->deadline_ns;
}

static int judge_task(struct lm_record *record, const struct accused *a)
{
	int status = a->slot->wait_status;

	if (state_of(a->slot) == LM_TASK_FAILED)
		return add_failed_job(record, a);
	if (ended_with_step(a->result, a->slot))
		return 0;
	if (state_of(a->slot) == LM_TASK_DONE && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
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
	if (result->continued_ns > last_end(result))
		return add_problem(record, "the program was stopped when the last task ended: the "
					   "counters of the system are of a longer time");
	return 0;
}

/* What concerns the whole step comes first: only so many problems are kept. */
static int judge(const struct lm_mix *mix, const struct lm_step_result *result,
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
		struct accused a = { mix, result, slot, i, all_jobs_of(result, slot) };

		if (judge_task(record, &a) < 0)
			return -1;
	}
	record->valid = record->problem_total == 0;
	return 0;
}

/* --- figures of the step ----------------------------------------------------------------- */

static void add_up(const struct lm_step_result *result, struct lm_record *record)
{
	uint64_t user = 0, system = 0;

	for (unsigned i = 0; i < result->tasks; i++) {
		const struct lm_task_slot *slot = lm_result_slot(result, i);

		user += slot->user_ns;
		system += slot->system_ns;
		record->jobs_done += all_jobs_of(result, slot);
	}
	record->real_s = result->gate_ns ? span_s(result->gate_ns, last_end(result)) : 0;
	record->user_s = seconds(user);
	record->system_s = seconds(system);
	record->cpu_s = record->user_s + record->system_s;
}

static void set_rates(struct lm_record *record)
{
	double jobs = (double)record->jobs_done;

	if (record->real_s <= 0 || record->tasks == 0)
		return;
	record->jobs_per_min = jobs * 60 / record->real_s;
	record->jobs_per_min_task = record->jobs_per_min / record->tasks;
	record->jobs_per_s_task = jobs / record->real_s / record->tasks;
}

/* A task that never started has no elapsed time, and stays out of their deviation. */
static int set_spread(const struct lm_step_result *result, struct lm_record *record)
{
	double *elapsed = calloc((size_t)result->tasks + 1, sizeof(*elapsed));
	size_t n = 0;

	if (!elapsed)
		return -1;
	for (unsigned i = 0; i < result->tasks; i++) {
		const struct lm_task_slot *slot = lm_result_slot(result, i);

		if (slot->start_ns > 0)
			elapsed[n++] = span_s(slot->start_ns, slot->end_ns);
	}
	record->stddev_s = lm_stddev(elapsed, n);
	if (record->jobs_done > 0)
		record->jti = lm_jti(lm_mean(elapsed, n), record->stddev_s, n);
	free(elapsed);
	return 0;
}

/* --- figures of the kinds ---------------------------------------------------------------- */

/* The rows of a record, and where the durations of each are collected. */
struct kind_table {
	struct lm_kind_record *rows;
	size_t count;
	const struct lm_mix_entry **entries; /* by row */
	size_t *row_of;                      /* by entry */
	double *durations;                   /* of all rows, one after the other */
	double **next;                       /* by row: where its next duration goes */
};

static void kind_table_free(struct kind_table *t)
{
	free(t->entries);
	free(t->row_of);
	free(t->durations);
	free(t->next);
}

/* A row for every kind and its parameters, in the order in which the mix names them first. */
static int kind_table_rows(struct kind_table *t, const struct lm_mix *mix)
{
	size_t most = mix->count + 1;

	t->rows = calloc(most, sizeof(*t->rows));
	t->entries = calloc(most, sizeof(*t->entries));
	t->row_of = calloc(most, sizeof(*t->row_of));
	t->next = calloc(most, sizeof(*t->next));
	if (!t->rows || !t->entries || !t->row_of || !t->next)
		return -1;
	for (size_t i = 0; i < mix->count; i++) {
		const struct lm_mix_entry *entry = &mix->entries[i];
		size_t row = 0;

		while (row < t->count && strcmp(t->rows[row].name, entry->label))
			row++;
		t->row_of[i] = row;
		if (row < t->count)
			continue;
		t->entries[row] = entry;
		t->rows[row].name = entry->label;
		t->rows[row].unit = entry->job->unit;
		t->count++;
	}
	return 0;
}

/* Call see() for every job that ended ok. */
static void each_job(const struct lm_mix *mix, const struct lm_step_result *result,
		     struct kind_table *t,
		     void (*see)(struct kind_table *t, size_t row, const struct lm_sample *sample))
{
	for (unsigned i = 0; i < result->tasks; i++) {
		const struct lm_task_slot *slot = lm_result_slot(result, i);
		unsigned jobs = jobs_of(result, slot);

		for (unsigned k = 0; k < jobs; k++) {
			const struct lm_sample *sample = &slot->samples[k];

			if (sample->entry < mix->count)
				see(t, t->row_of[sample->entry], sample);
		}
	}
}

static void count_job(struct kind_table *t, size_t row, const struct lm_sample *sample)
{
	(void)sample;
	t->rows[row].jobs++;
}

static void collect_job(struct kind_table *t, size_t row, const struct lm_sample *sample)
{
	struct lm_kind_record *kind = &t->rows[row];
	double duration = seconds(sample->duration_ns);

	*t->next[row]++ = duration;
	kind->elapsed_s += duration;
	kind->user_s += seconds(sample->user_ns);
	kind->system_s += seconds(sample->system_ns);
}

/* Give every row its part of one array. */
static int kind_table_space(struct kind_table *t)
{
	size_t total = 0;

	for (size_t i = 0; i < t->count; i++)
		total += t->rows[i].jobs;
	t->durations = calloc(total + 1, sizeof(*t->durations));
	if (!t->durations)
		return -1;
	total = 0;
	for (size_t i = 0; i < t->count; i++) {
		t->next[i] = t->durations + total;
		total += t->rows[i].jobs;
	}
	return 0;
}

static void set_quantiles(struct lm_kind_record *kind, double *durations)
{
	size_t n = kind->jobs;

	lm_sort(durations, n);
	kind->min_s = lm_quantile(durations, n, 0);
	kind->median_s = lm_quantile(durations, n, 0.5);
	kind->p99_s = lm_quantile(durations, n, 0.99);
	kind->max_s = lm_quantile(durations, n, 1);
}

/* Operations credited to one run of an entry's kind. */
static double entry_ops(const struct lm_mix_entry *entry, const struct lm_step_result *result)
{
	return (double)lm_job_ops(entry->job, entry->params, result->file_kib);
}

/* Single mode has one kind, and counts more jobs than there are samples. */
static void set_single(const struct lm_step_result *result, const struct lm_record *record,
		       struct kind_table *t)
{
	const struct lm_task_slot *slot = lm_result_slot(result, 0);

	t->rows[0].jobs = record->jobs_done;
	t->rows[0].operations = (double)record->jobs_done * entry_ops(t->entries[0], result);
	t->rows[0].elapsed_s = span_s(slot->start_ns, slot->end_ns);
	t->rows[0].user_s = record->user_s;
	t->rows[0].system_s = record->system_s;
}

static int set_kinds(const struct lm_mix *mix, const struct lm_step_result *result,
		     struct lm_record *record)
{
	struct kind_table t = { 0 };
	int rc = kind_table_rows(&t, mix);

	if (rc == 0) {
		each_job(mix, result, &t, count_job);
		rc = kind_table_space(&t);
	}
	if (rc == 0) {
		each_job(mix, result, &t, collect_job);
		for (size_t i = 0; i < t.count; i++) {
			set_quantiles(&t.rows[i], t.next[i] - t.rows[i].jobs);
			t.rows[i].operations =
				(double)t.rows[i].jobs * entry_ops(t.entries[i], result);
		}
		if (result->period_s > 0)
			set_single(result, record, &t);
	}
	record->kinds = t.rows;
	record->kind_count = t.count;
	kind_table_free(&t);
	return rc;
}

/* --- the record -------------------------------------------------------------------------- */

int lm_metrics(const struct lm_mix *mix, const struct lm_step_result *result,
	       struct lm_record *record)
{
	*record = (struct lm_record){
		.step = record->step,
		.tasks = result->tasks,
		.jobs_per_task = result->jobs_per_task,
		.file_kib = result->file_kib,
		.deadline_s = result->deadline_s,
		.ready_s = seconds(result->ready_ns),
		.outside_s = record->outside_s,
		.system = record->system,
	};
	add_up(result, record);
	set_rates(record);
	if (set_spread(result, record) < 0 || set_kinds(mix, result, record) < 0)
		return -1;
	return judge(mix, result, record);
}

void lm_record_problem(struct lm_record *record, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vadd_problem(record, fmt, ap);
	va_end(ap);
	record->valid = false;
}

void lm_record_free(struct lm_record *record)
{
	for (size_t i = 0; i < record->problem_count; i++)
		free(record->problems[i]);
	free(record->problems);
	free(record->kinds);
	lm_facts_free(&record->system);
	*record = (struct lm_record){ 0 };
}
