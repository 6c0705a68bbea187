/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of job kinds, one table a family file. */
#ifndef LM_JOBS_H
#define LM_JOBS_H

#include <loadmix/job.h>

extern const struct lm_job lm_jobs_integer[];
extern const struct lm_job lm_jobs_float[];
extern const struct lm_job lm_jobs_sieve[];
extern const struct lm_job lm_jobs_calls[];
extern const struct lm_job lm_jobs_numeric[];
extern const struct lm_job lm_jobs_math[];
extern const struct lm_job lm_jobs_libc[];
extern const struct lm_job lm_jobs_string[];
extern const struct lm_job lm_jobs_memory[];
extern const struct lm_job lm_jobs_brk[];
extern const struct lm_job lm_jobs_process[];
extern const struct lm_job lm_jobs_children[];
extern const struct lm_job lm_jobs_shell[];
extern const struct lm_job lm_jobs_ipc[];
extern const struct lm_job lm_jobs_ipc_local[];
extern const struct lm_job lm_jobs_shared_memory[];
extern const struct lm_job lm_jobs_meta[];
extern const struct lm_job lm_jobs_disk_src[];
extern const struct lm_job lm_jobs_disk[];
extern const struct lm_job lm_jobs_disk_direct[];
extern const struct lm_job lm_jobs_disk_async[];
extern const struct lm_job lm_jobs_disk_common[];

extern const struct lm_job *const lm_jobs[]; /* the list that users can name; ended by NULL */

/* Kinds that do nothing, for measuring the harness; only the bench and the tests list them. */
extern const struct lm_job lm_jobs_null[];

/* The script of a shell kind that was found when it was asked whether it is supported. NULL: it is
 * no such kind, or none was found. */
const char *lm_shell_script(const struct lm_job *job);

/* Make a kind of a command line as a workfile gives it: words, quotes and $VARIABLES as in a shell,
 * LOADMIX_DIR being the job's directory; no substitution of commands. The caller frees it with
 * free(). NULL with the reason in why. */
struct lm_job *lm_command_job(const char *name, const char *line, char *why, size_t size);

#endif
