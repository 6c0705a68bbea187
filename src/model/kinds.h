/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking job kinds up in a list, and checking the list. Pure. */
#ifndef LM_MODEL_KINDS_H
#define LM_MODEL_KINDS_H

#include <loadmix/error.h>
#include <loadmix/job.h>

/* The kind of that name ('-' and '_' interchangeable), or NULL. */
const struct lm_job *lm_kind_find(lm_job_list list, const char *name);

/* The index-th kind of the list over all families, or NULL past its end. */
const struct lm_job *lm_kind_at(lm_job_list list, size_t index);

/* Write up to three nearest known names into buf as "add_int, add_long"; "" when none is near.
 * Returns buf. */
const char *lm_kind_nearest(lm_job_list list, const char *name, char *buf, size_t size);

/* Check every descriptor: name, unit, run, class and factor set, names unique. 0, or -1 with err.
 * A fault here is a fault of the program (LM_ERR_SYSTEM). */
int lm_kinds_check(lm_job_list list, struct lm_error *err);

/* "cpu-int", "disk", ... */
const char *lm_class_name(enum lm_job_class class);

/* "aim7" or "reaim". */
const char *lm_semantics_name(enum lm_semantics semantics);
bool lm_semantics_parse(const char *text, enum lm_semantics *out);

/* Operations credited to one run at a file size, in KiB. */
uint64_t lm_job_ops(const struct lm_job *job, const uint64_t *params, uint64_t file_kib);

/* A parameter's value as people write it: "64K", "12". Returns buf. */
const char *lm_format_param(const struct lm_job_param *param, uint64_t value, char *buf,
			    size_t size);

#endif
