/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/figures.h"

#include "base/text.h"

#include <math.h>
#include <stddef.h>

struct figure {
	struct lm_figure_info info;
	size_t offset; /* in struct lm_record; LM_FIG_JTI is no double and has none */
};

#define AT(MEMBER) offsetof(struct lm_record, MEMBER)

static const struct figure figures[LM_FIGURES] = {
	[LM_FIG_JOBS_PER_MIN] = { { "jobs_per_min", "jobs/min", "jobs/min", true, 2 },
				  AT(jobs_per_min) },
	[LM_FIG_REAL] = { { "real_s", "real", "s", false, 2 }, AT(real_s) },
	[LM_FIG_CPU] = { { "cpu_s", "cpu", "s", false, 2 }, AT(cpu_s) },
	[LM_FIG_JTI] = { { "jti", "JTI", "", true, 0 }, 0 },
	[LM_FIG_USER] = { { "user_s", "user", "s", false, 2 }, AT(user_s) },
	[LM_FIG_SYSTEM] = { { "system_s", "system", "s", false, 2 }, AT(system_s) },
	[LM_FIG_JOBS_PER_MIN_TASK] = { { "jobs_per_min_task", "jobs/min/task", "jobs/min", true,
					 4 },
				       AT(jobs_per_min_task) },
	[LM_FIG_JOBS_PER_S_TASK] = { { "jobs_per_s_task", "jobs/s/task", "jobs/s", true, 4 },
				     AT(jobs_per_s_task) },
	[LM_FIG_STDDEV] = { { "stddev_s", "std dev", "s", false, 2 }, AT(stddev_s) },
};

const struct lm_figure_info *lm_figure_info(enum lm_figure figure)
{
	return &figures[figure].info;
}

int lm_figure_decimals(const struct lm_figure_info *info, double value)
{
	int decimals = info->decimals;

	while (decimals > 0 && decimals < 6 && value != 0 && fabs(value) * pow(10, decimals) < 1000)
		decimals++;
	return decimals;
}

enum lm_figure lm_figure_find(const char *name)
{
	enum lm_figure figure = 0;

	while (figure < LM_FIGURES && !lm_name_equal(name, figures[figure].info.name) &&
	       !lm_name_equal(name, figures[figure].info.title))
		figure++;
	return figure;
}

bool lm_figure_known(const struct lm_record *record, enum lm_figure figure)
{
	return !(record->unknown & 1u << figure);
}

double lm_figure_value(const struct lm_record *record, enum lm_figure figure)
{
	if (figure == LM_FIG_JTI)
		return record->jti;
	return *(const double *)(const void *)((const char *)record + figures[figure].offset);
}

void lm_figure_set(struct lm_record *record, enum lm_figure figure, double value)
{
	record->unknown &= ~(1u << figure);
	if (figure == LM_FIG_JTI)
		record->jti = (int)value;
	else
		*(double *)(void *)((char *)record + figures[figure].offset) = value;
}
