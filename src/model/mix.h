/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload's mix: from weights to job counts, sizes and needs. Pure. */
#ifndef LM_MODEL_MIX_H
#define LM_MODEL_MIX_H

#include <loadmix/error.h>
#include <loadmix/plan.h>

/* Append an entry, with the kind's default parameters; 0, or -1 when memory ran out or
 * LM_MAX_ENTRIES is reached. */
int lm_mix_add(struct lm_mix *mix, const struct lm_job *job, uint64_t weight, long line);

/* Take over a kind that the workfile defines by that command line; it is freed with the mix. 0, or
 * -1 without memory. */
int lm_mix_own(struct lm_mix *mix, struct lm_job *job, const char *line);

/* The command line of a kind that the workfile defines, NULL for another. */
const char *lm_mix_command(const struct lm_mix *mix, const struct lm_job *job);

/* Set a parameter of the last entry from text, "64K" or "12". 0, or -1 with err (LM_ERR_INPUT), in
 * which source, line and column say where the parameter stands. */
int lm_mix_set_param(struct lm_mix *mix, const char *name, const char *value, const char *source,
		     long line, long column, struct lm_error *err);

/* Drop an entry, say one that is not supported here. Count jobs anew afterwards. */
void lm_mix_drop(struct lm_mix *mix, size_t index);

/* Set every entry's jobs and jobs_per_task for J jobs a task (1 to LM_MAX_JOBS): weight / total * J
 * rounded half up, in exact integers, never below 1. */
void lm_mix_count_jobs(struct lm_mix *mix, unsigned jobs);

/* Free what the mix owns and make it empty. */
void lm_mix_free(struct lm_mix *mix);

/* True when some entry's kind has one of the flags. */
bool lm_mix_needs(const struct lm_mix *mix, unsigned flags);

/* KiB of one file at a load: filesize + poolsize / tasks, integer division. */
uint64_t lm_mix_file_kib(const struct lm_mix *mix, unsigned tasks);

/* KiB that a step can need in one directory at most: file size * (tasks + 1); 0 when no kind of the
 * mix works in a directory. Saturates at UINT64_MAX. */
uint64_t lm_mix_disk_kib(const struct lm_mix *mix, unsigned tasks);

/* Seconds that a step of the plan may take: step_timeout_s, or when that is 0 an hour and a
 * minute a task. */
double lm_step_timeout_s(const struct lm_plan *plan, unsigned tasks);

#endif
