/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/formats.h"

#include <string.h>

const struct lm_format *const lm_formats[] = {
	&lm_format_null,
	&lm_format_journal,
	&lm_format_table,
	&lm_format_progress,
	&lm_format_plain,
	&lm_format_single,
	NULL,
};

int lm_formats_check(struct lm_error *err)
{
	for (size_t i = 0; lm_formats[i]; i++) {
		const struct lm_format *f = lm_formats[i];

		if (!f->name || !f->summary || !f->open)
			return lm_error_set(err, LM_ERR_SYSTEM, "format %zu is incomplete", i);
		for (size_t k = 0; k < i; k++)
			if (!strcmp(f->name, lm_formats[k]->name))
				return lm_error_set(err, LM_ERR_SYSTEM, "two formats named %s",
						    f->name);
	}
	return 0;
}
