/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the lines around a table tell. Pure. */
#ifndef LM_FORMATS_PROSE_H
#define LM_FORMATS_PROSE_H

#include "formats/dates.h"

#include <stdbool.h>

#define LM_PROSE_MAX 512 /* bytes that are kept of a text */

/* The head of a run in suite7.ss, or of our own table. */
struct lm_heading {
	char benchmark[LM_PROSE_MAX], version[LM_PROSE_MAX], machine[LM_PROSE_MAX];
	char date[LM_DATE_SIZE]; /* "" when it could not be read: then bad_date has it */
	char bad_date[LM_PROSE_MAX];
	char kernel[LM_PROSE_MAX], label[LM_PROSE_MAX], workload[LM_PROSE_MAX];
	unsigned jobs_per_task;
};

/* The line that names the fields of the next: "Benchmark Version Machine Run Date". */
bool lm_is_heading_names(const char *line);

/* Whether a line begins with AIM7's name. */
bool lm_is_heading(const char *line);

/* The line with the fields: expected, or one that begins with AIM7's name. false, and out
 * untouched, when it is none. */
bool lm_heading_parse(const char *line, bool expected, struct lm_heading *out);

/* "# fserver, 101 jobs per task, on vm 6.18.44, a label": the first line of our table. */
bool lm_own_heading_parse(const char *line, struct lm_heading *out);

/* Lines that programs print around their tables. */
enum lm_chatter {
	LM_CHATTER_NONE,
	LM_CHATTER_NOTHING, /* tells nothing */
	LM_CHATTER_BEGIN,   /* a run begins */
	LM_CHATTER_VARIANT, /* begins, too; text may have what somebody added: "without x" */
	LM_CHATTER_MAXIMUM, /* text is the highest jobs/min */
	LM_CHATTER_CROSSOVER,
	LM_CHATTER_ITERATION, /* text is its number */
	LM_CHATTER_OWN,       /* loadmix wrote the tables below; text is its version, and more */
	LM_CHATTER_PROBLEM,   /* text is why the row above is INVALID */
};

enum lm_chatter lm_chatter(const char *line, char text[LM_PROSE_MAX]);

/* The workload that a line names: "AIM7 dbase workload", "-f workfile.new_dbase". */
bool lm_prose_workload(const char *line, char out[LM_PROSE_MAX]);

/* What a caption tells beside the workload: "on ext3" of "AIM7 fserver workload, on ext3"; nothing
 * of "Second run:". */
void lm_prose_heading(const char *caption, const char *workload, char out[LM_PROSE_MAX]);

/* Could it stand above a table as its name? A rule of dashes and a command of a shell could not.
 * out: without the colon at its end. */
bool lm_prose_caption(const char *line, char out[LM_PROSE_MAX]);

#endif
