/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/writers.h"

#include <string.h>

const struct lm_writer *const lm_writers[] = {
	&lm_writer_journal, &lm_writer_csv,    &lm_writer_suite7,
	&lm_writer_json,    &lm_writer_posted, NULL,
};

const struct lm_writer *lm_writer_find(const char *name)
{
	for (size_t i = 0; lm_writers[i]; i++)
		if (strcmp(lm_writers[i]->name, name) == 0)
			return lm_writers[i];
	return NULL;
}
