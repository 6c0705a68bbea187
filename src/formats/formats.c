/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const struct lm_format *const lm_formats[] = {
	&lm_format_null,      &lm_format_journal,      &lm_format_table,
	&lm_format_progress,  &lm_format_plain,        &lm_format_single,
	&lm_format_multitask, &lm_format_suite7,       &lm_format_suite7_log,
	&lm_format_reaim,     &lm_format_reaim_csv,    &lm_format_reaim_log,
	&lm_format_reaim_ss,  &lm_format_reaim_mdata,  &lm_format_reaim_html,
	&lm_format_reaim_max, &lm_format_reaim_single, NULL,
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

void lm_print_again(const char *const *again, FILE *out)
{
	char *text = again ? lm_text_shell(again) : NULL;

	if (text)
		fprintf(out, "# again: %s\n", text);
	free(text);
}
