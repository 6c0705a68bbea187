/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison in the form that kernel people post. */
#include "formats/posted_table.h"
#include "formats/studies.h"

static int write_posted(const struct lm_study *study, FILE *out)
{
	if (!study->spread)
		return lm_posted_table(study->sets, study->set_count, out);
	for (size_t i = 0; i < study->figure_count; i++)
		if (lm_posted_spread(study->sets, study->set_count, study->figures[i], out) < 0)
			return -1;
	return 0;
}

const struct lm_study_format lm_study_posted = {
	.name = "posted",
	.summary = "kernel Tasks Jobs/Min Real CPU, all sets in one table",
	.write = write_posted,
};
