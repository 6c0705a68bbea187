/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/writers.h"

#include "model/runs.h"

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

bool lm_writer_keeps(const struct lm_record *record, unsigned columns, struct lm_losses *losses)
{
	if (!record->valid)
		losses->invalid++;
	else if ((record->unknown & columns) == columns)
		losses->unfit++;
	else
		return true;
	return false;
}

int lm_writer_needs_loads(const struct lm_runs *runs, const char *form, struct lm_error *err)
{
	for (size_t i = 0; i < runs->count; i++)
		if (lm_run_is_single(&runs->items[i]))
			return lm_error_at(err, runs->items[i].source, runs->items[i].line, 0,
					   "is of 'loadmix single', and %s has no place for the "
					   "names of kinds: convert it to journal, csv or json",
					   form);
	return 0;
}
