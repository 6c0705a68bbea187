/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes at all, given to the readers of results (libFuzzer; `make fuzz`). */
#include "formats/readers.h"
#include "model/figures.h"
#include "model/runs.h"

#include <math.h>
#include <stdint.h>
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
		lm_run_take_delay(&runs.items[i]);
		check(&runs.items[i]);
	}
	lm_runs_free(&runs);
	return 0;
}
