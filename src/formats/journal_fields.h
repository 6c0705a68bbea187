/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking JSON objects of a journal apart, with nothing taken for granted. */
#ifndef LM_FORMATS_JOURNAL_FIELDS_H
#define LM_FORMATS_JOURNAL_FIELDS_H

#include <jansson.h>
#include <loadmix/error.h>
#include <loadmix/run.h>

/* An object, and what was found wrong with it first. */
struct lm_fields {
	const json_t *object;
	bool broken;
	char why[200];
};

/* A field may be null, or not be there at all in journals of an earlier version. */
enum { LM_NULLABLE = 1, LM_OPTIONAL = 2 };

/* Say what is wrong, in a sentence; the first one counts. */
void lm_fields_wrong(struct lm_fields *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Set *out and return true; false and *out left alone when the field is null, is missing or is
 * wrong. Numbers are not negative. */
bool lm_field_number(struct lm_fields *f, const char *name, unsigned flags, double *out);
bool lm_field_count(struct lm_fields *f, const char *name, unsigned flags, uint64_t most,
		    uint64_t *out);
bool lm_field_bool(struct lm_fields *f, const char *name, bool *out);
bool lm_field_text(struct lm_fields *f, const char *name, unsigned flags, const char **out);
const json_t *lm_field_array(struct lm_fields *f, const char *name, unsigned flags);
const json_t *lm_field_object(struct lm_fields *f, const char *name, unsigned flags);

/* Facts of an object with what is in it: "sweep.0.start". Values that nothing of ours has (too
 * deep, too long a key, too many) are left out and counted in *left_out. 0, or -1 with err. */
int lm_fields_facts(const json_t *object, const char *prefix, struct lm_facts *out,
		    size_t *left_out, struct lm_error *err);

/* The run that step lines are of. */
struct lm_step_place {
	struct lm_runs *runs;
	struct lm_run *run;
	const json_t *kinds; /* has the names of the mix as keys; NULL: they are not known */
	bool single;         /* single mode counts more jobs than it keeps the times of */
};

/* A step line as a record of the run. What makes it unusable is in f->why; then the run is as it
 * was. 0, or -1 with err when memory ran out. */
int lm_journal_take_step(struct lm_fields *f, long line, const struct lm_step_place *place,
			 struct lm_error *err);

#endif
