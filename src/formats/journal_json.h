/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a journal as JSON objects. A NULL object is one that memory ran out for. */
#ifndef LM_FORMATS_JOURNAL_JSON_H
#define LM_FORMATS_JOURNAL_JSON_H

#include <jansson.h>
#include <loadmix/plan.h>
#include <loadmix/result.h>
#include <loadmix/run.h>

#define LM_JOURNAL_SCHEMA 1

json_t *lm_journal_run_line(const struct lm_plan *plan, const struct lm_facts *environment);

/* The same for a run that was not run here. */
json_t *lm_journal_foreign_line(const struct lm_run *run);

/* foreign: what is 0 is not told. */
json_t *lm_journal_step_line(const struct lm_record *record, bool foreign);

/* That the run was gone on with after its steps so far, which of them is run again ("": none), and
 * what is not as it was. */
json_t *lm_journal_resume_line(const struct lm_run *before, const char *again,
			       const struct lm_facts *environment);

/* ended: the time of day, "" when it is not known. */
json_t *lm_journal_end_line(const struct lm_summary *summary, const char *ended);

/* Facts "group.name" as objects in an object; only those whose key has the prefix, without it. */
json_t *lm_journal_facts(const struct lm_facts *facts, const char *prefix);

/* The line, with its line feed, and its length. Takes the object over. NULL without memory. */
char *lm_journal_dump(json_t *line, size_t *length);

#endif
