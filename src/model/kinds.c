/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/kinds.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

#define NEAREST 3

const struct lm_job *lm_kind_at(lm_job_list list, size_t index)
{
	for (; *list; list++) {
		for (const struct lm_job *job = *list; job->name; job++) {
			if (index-- == 0)
				return job;
		}
	}
	return NULL;
}

const struct lm_job *lm_kind_find(lm_job_list list, const char *name)
{
	for (; *list; list++) {
		for (const struct lm_job *job = *list; job->name; job++) {
			if (lm_name_equal(job->name, name))
				return job;
		}
	}
	return NULL;
}

/* How far a known name is from what was written; UINT_MAX when that cannot have been meant. */
static unsigned remoteness(const char *known, const char *written)
{
	size_t length = strlen(written);
	unsigned distance = lm_name_distance(known, written);

	if (distance <= 1 + length / 4)
		return distance;
	/* "disk" may stand for each of its family, but less surely than one letter wrong. */
	if (length >= 3 && length < strlen(known)) {
		char start[64];

		snprintf(start, sizeof(start), "%.*s", (int)length, known);
		if (lm_name_distance(start, written) == 0)
			return 2 + (unsigned)length / 4;
	}
	return UINT_MAX;
}

struct near {
	const char *name;
	unsigned distance;
};

/* Keep the best, earlier ones first among equals. */
static void consider(struct near best[NEAREST], struct near one)
{
	for (size_t i = 0; i < NEAREST; i++) {
		if (one.distance < best[i].distance) {
			struct near worse = best[i];

			best[i] = one;
			one = worse;
		}
	}
}

const char *lm_kind_nearest(lm_job_list list, const char *name, char *buf, size_t size)
{
	struct near best[NEAREST] = { { "", UINT_MAX }, { "", UINT_MAX }, { "", UINT_MAX } };
	size_t used = 0;

	if (size == 0)
		return buf;
	for (; *list; list++) {
		for (const struct lm_job *job = *list; job->name; job++)
			consider(best, (struct near){ job->name, remoteness(job->name, name) });
	}
	buf[0] = '\0';
	for (size_t i = 0; i < NEAREST && best[i].distance != UINT_MAX; i++) {
		if (used + strlen(best[i].name) + 3 > size)
			break;
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "",
					 best[i].name);
	}
	return buf;
}

/* A name has to fit a workfile: one word that is neither a comment nor a parameter. */
static bool good_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
	size_t length = strlen(name);

	return length > 0 && length < 64 && strspn(name, allowed) == length;
}

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

static const char *fault_of_params(const struct lm_job_param *params)
{
	size_t n = 0;

	for (; params && params[n].name; n++) {
		const struct lm_job_param *p = &params[n];

		if (n == LM_MAX_PARAMS)
			return "it has more parameters than LM_MAX_PARAMS";
		if (!good_name(p->name) || !p->help || !is_plain(p->help))
			return "a parameter has no good name or no help";
		if (p->min > p->max || p->fallback > p->max ||
		    (p->fallback && p->fallback < p->min))
			return "a parameter's default is not between its bounds";
	}
	return NULL;
}

static const char *fault_of(const struct lm_job *job)
{
	if (!good_name(job->name))
		return "its name is not made of a-z, 0-9, _ and -";
	if (!job->unit || !job->unit[0] || !is_plain(job->unit))
		return "it has no unit of plain characters";
	if (!job->run)
		return "it has no run function";
	if ((unsigned)job->class >= LM_CLASS_COUNT)
		return "its class is none";
	if ((unsigned)job->ops_per > LM_OPS_PER_HALF_BLOCK)
		return "its operations are counted per nothing known";
	if (job->factor == 0 && !job->ops)
		return "it is credited no operations";
	if (job->flags & LM_JOB_COMMON && !(job->flags & LM_JOB_DIR))
		return "it needs the common file but takes no directory";
	return fault_of_params(job->params);
}

int lm_kinds_check(lm_job_list list, struct lm_error *err)
{
	const struct lm_job *job;

	for (size_t i = 0; (job = lm_kind_at(list, i)); i++) {
		const char *fault = fault_of(job);

		if (fault)
			return lm_error_set(err, LM_ERR_SYSTEM,
					    "the program is faulty: job kind '%s': %s", job->name,
					    fault);
		if (lm_kind_find(list, job->name) != job)
			return lm_error_set(err, LM_ERR_SYSTEM,
					    "the program is faulty: two job kinds are named '%s'",
					    job->name);
	}
	return 0;
}

const char *lm_class_name(enum lm_job_class class)
{
	static const char *const names[LM_CLASS_COUNT] = {
		[LM_CLASS_CPU_INT] = "cpu-int", [LM_CLASS_CPU_FLOAT] = "cpu-float",
		[LM_CLASS_LIBC] = "libc",       [LM_CLASS_MEMORY] = "memory",
		[LM_CLASS_PROCESS] = "process", [LM_CLASS_IPC] = "ipc",
		[LM_CLASS_FS_META] = "fs-meta", [LM_CLASS_DISK] = "disk",
		[LM_CLASS_SHELL] = "shell",
	};

	return (unsigned)class < LM_CLASS_COUNT ? names[class] : "unknown";
}

uint64_t lm_job_ops(const struct lm_job *job, const uint64_t *params, uint64_t file_kib)
{
	if (job->ops)
		return job->ops(
			&(struct lm_job_ctx){ .job = job, .params = params, .file_kib = file_kib });
	uint64_t blocks = 1;

	if (job->ops_per == LM_OPS_PER_BLOCK)
		blocks = file_kib;
	else if (job->ops_per == LM_OPS_PER_HALF_BLOCK)
		blocks = file_kib / 2;
	if (blocks != 0 && job->factor > UINT64_MAX / blocks)
		return UINT64_MAX;
	return blocks * job->factor;
}

const char *lm_format_param(const struct lm_job_param *param, uint64_t value, char *buf,
			    size_t size)
{
	if (param->is_size)
		return lm_format_bytes(value, buf, size);
	snprintf(buf, size, "%" PRIu64, value);
	return buf;
}

static const char *const semantics_names[] = { "aim7", "reaim" };

const char *lm_semantics_name(enum lm_semantics semantics)
{
	return semantics_names[semantics];
}

bool lm_semantics_parse(const char *text, enum lm_semantics *out)
{
	for (int i = 0; i < 2; i++) {
		if (strcmp(text, semantics_names[i]))
			continue;
		*out = (enum lm_semantics)i;
		return true;
	}
	return false;
}
