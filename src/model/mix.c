/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/mix.h"

#include <stdlib.h>

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
	mix->total_weight += weight;
	mix->count++;
	return 0;
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
