/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes at all, given to the readers of results (libFuzzer; `make fuzz`). */
#include "formats/journal.h"
#include "formats/journal_json.h"
#include "formats/readers.h"
#include "model/delay.h"
#include "model/figures.h"
#include "model/runs.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct bytes {
	const uint8_t *at, *end;
};

static int next(void *state)
{
	struct bytes *b = state;

	return b->at < b->end ? *b->at++ : -1;
}

/* What holds of everything that was read. */
static void check(const struct lm_run *run)
{
	if (!run->label || !run->workload || !run->machine || !run->started)
		abort();
	for (size_t i = 0; i < run->count; i++) {
		const struct lm_record *r = &run->records[i];

		for (enum lm_figure f = 0; f < LM_FIGURES; f++)
			if (!isfinite(lm_figure_value(r, f)))
				abort();
		if (r->jti < 0 || r->jti > 100)
			abort();
	}
}

/* What a run is resumed from, and written as, is what was in the file. */
static void use(const struct lm_run *run)
{
	struct lm_facts now = { 0 };
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		abort();
	lm_journal_write(run, out, NULL);
	fclose(out);
	free(text);
	lm_facts_text(&now, "kernel.release", "6.2");
	if (run->head_text)
		json_decref(lm_journal_resume_line(run, "", &now));
	lm_facts_free(&now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, data + size };
	struct lm_runs runs = { 0 };
	struct lm_error err = { 0 };
	int rc = lm_runs_read(next, &bytes, "fuzz", &runs, &err);

	if ((rc < 0) != (err.code != LM_ERR_NONE) || (rc == 0 && runs.count == 0))
		abort();
	for (size_t i = 0; i < runs.count; i++) {
		check(&runs.items[i]);
		use(&runs.items[i]);
		lm_run_take_delay(&runs.items[i]);
		check(&runs.items[i]);
	}
	lm_runs_free(&runs);
	return 0;
}
