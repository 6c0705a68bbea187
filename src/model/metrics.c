/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/metrics.h"

#include "model/kinds.h"
#include "model/slots.h"
#include "model/stats.h"
#include "model/validity.h"

#include <stdlib.h>
#include <string.h>

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

/* --- figures of the step ----------------------------------------------------------------- */

static void add_up(const struct lm_step_result *result, struct lm_record *record)
{
	uint64_t user = 0, system = 0;

	for (unsigned i = 0; i < result->tasks; i++) {
		const struct lm_task_slot *slot = lm_result_slot(result, i);

		user += slot->user_ns;
		system += slot->system_ns;
		record->jobs_done += lm_slot_all_jobs(result, slot);
	}
	record->real_s = result->gate_ns ? span_s(result->gate_ns, lm_step_last_end(result)) : 0;
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
		unsigned jobs = lm_slot_jobs(result, slot);

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
	return lm_validity_judge(mix, result, record);
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
