/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/mix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/kinds.h"

int lm_mix_add(struct lm_mix *mix, const struct lm_job *job, uint64_t weight, long line)
{
	size_t n = mix->count;

	if (n >= LM_MAX_ENTRIES)
		return -1;
	/* The array doubles whenever its length is a power of two, so no capacity is kept. */
	if ((n & (n - 1)) == 0) {
		struct lm_mix_entry *grown =
			reallocarray(mix->entries, n ? 2 * n : 1, sizeof(*grown));

		if (!grown)
			return -1;
		mix->entries = grown;
	}
	mix->entries[n] = (struct lm_mix_entry){ .job = job, .weight = weight, .line = line };
	mix->entries[n].label = strdup(job->name);
	if (!mix->entries[n].label)
		return -1;
	for (size_t i = 0; job->params && job->params[i].name; i++)
		mix->entries[n].params[i] = job->params[i].fallback;
	mix->total_weight += weight;
	mix->count++;
	return 0;
}

int lm_mix_own(struct lm_mix *mix, struct lm_job *job, const char *line)
{
	struct lm_job **more = reallocarray(mix->made, mix->made_count + 1, sizeof(*more));
	char **lines = reallocarray(mix->made_lines, mix->made_count + 1, sizeof(*lines));

	if (more)
		mix->made = more;
	if (lines)
		mix->made_lines = lines;
	if (!more || !lines || !(lines[mix->made_count] = strdup(line)))
		return -1;
	more[mix->made_count++] = job;
	return 0;
}

const char *lm_mix_command(const struct lm_mix *mix, const struct lm_job *job)
{
	for (size_t i = 0; i < mix->made_count; i++)
		if (mix->made[i] == job)
			return mix->made_lines[i];
	return NULL;
}

/* Index of a kind's parameter, -1 when it has none of that name. */
static int find_param(const struct lm_job *job, const char *name)
{
	for (int i = 0; job->params && job->params[i].name; i++)
		if (!strcmp(job->params[i].name, name))
			return i;
	return -1;
}

static bool parse_value(const struct lm_job_param *param, const char *text, uint64_t *value)
{
	if (!param->is_size)
		return lm_parse_uint(text, param->min, param->max, value);
	return lm_parse_bytes(text, value) && *value >= param->min && *value <= param->max;
}

/* "disk_rd block=64K": what was given, in the order in which it was given. */
static int relabel(struct lm_mix_entry *entry, const char *name, const char *value)
{
	char *label;

	if (asprintf(&label, "%s %s=%s", entry->label, name, value) < 0)
		return -1;
	free(entry->label);
	entry->label = label;
	return 0;
}

int lm_mix_set_param(struct lm_mix *mix, const char *name, const char *value, const char *source,
		     long line, long column, struct lm_error *err)
{
	struct lm_mix_entry *entry = &mix->entries[mix->count - 1];
	const struct lm_job_param *param;
	int index = find_param(entry->job, name);
	char min[32], max[32];

	if (index < 0)
		return lm_error_at(err, source, line, column,
				   "%s has no parameter '%.40s' ('loadmix list -v' shows them)",
				   entry->job->name, name);
	param = &entry->job->params[index];
	if (!parse_value(param, value, &entry->params[index]))
		return lm_error_at(err, source, line, column,
				   "'%.40s' is no value for %s of %s: give one from %s to %s",
				   value, name, entry->job->name,
				   lm_format_param(param, param->min, min, sizeof(min)),
				   lm_format_param(param, param->max, max, sizeof(max)));
	snprintf(min, sizeof(min), " %s=", param->name);
	if (strstr(entry->label, min))
		return lm_error_at(err, source, line, column, "%s is given twice", name);
	if (relabel(entry, name, lm_format_param(param, entry->params[index], max, sizeof(max))) <
	    0)
		return lm_error_sys(err, "parameter %s", name);
	return 0;
}

static void free_entry(struct lm_mix_entry *entry)
{
	free(entry->label);
	free(entry->file);
	free(entry->digest);
}

void lm_mix_drop(struct lm_mix *mix, size_t index)
{
	struct lm_mix_entry *entry = &mix->entries[index];

	mix->total_weight -= entry->weight;
	free_entry(entry);
	memmove(entry, entry + 1, (mix->count - index - 1) * sizeof(*entry));
	mix->count--;
}

void lm_mix_count_jobs(struct lm_mix *mix, unsigned jobs)
{
	uint64_t total = mix->total_weight;

	mix->jobs_per_task = 0;
	for (size_t i = 0; i < mix->count; i++) {
		struct lm_mix_entry *entry = &mix->entries[i];
		/* floor(x + 1/2) over the common denominator 2 * total: no fraction is lost. The
		 * bounds of plan.h keep the product below 2^49. */
		uint64_t count = (2 * entry->weight * jobs + total) / (2 * total);

		entry->jobs = count ? (unsigned)count : 1;
		mix->jobs_per_task += entry->jobs;
	}
}

void lm_mix_free(struct lm_mix *mix)
{
	for (size_t i = 0; i < mix->count; i++)
		free_entry(&mix->entries[i]);
	for (size_t i = 0; i < mix->made_count; i++) {
		free(mix->made[i]);
		free(mix->made_lines[i]);
	}
	free(mix->made);
	free(mix->made_lines);
	free(mix->name);
	free(mix->path);
	free(mix->entries);
	*mix = (struct lm_mix){ 0 };
}

bool lm_mix_needs(const struct lm_mix *mix, unsigned flags)
{
	for (size_t i = 0; i < mix->count; i++) {
		if (mix->entries[i].job->flags & flags)
			return true;
	}
	return false;
}

uint64_t lm_mix_file_kib(const struct lm_mix *mix, unsigned tasks)
{
	return mix->filesize_kib + mix->poolsize_kib / (tasks ? tasks : 1);
}

uint64_t lm_mix_disk_kib(const struct lm_mix *mix, unsigned tasks)
{
	uint64_t size = lm_mix_file_kib(mix, tasks), files = (uint64_t)tasks + 1;

	if (!lm_mix_needs(mix, LM_JOB_DIR))
		return 0;
	return size > UINT64_MAX / files ? UINT64_MAX : size * files;
}

double lm_step_timeout_s(const struct lm_plan *plan, unsigned tasks)
{
	if (plan->step_timeout_s > 0)
		return plan->step_timeout_s;
	return 3600.0 + 60.0 * tasks;
}
