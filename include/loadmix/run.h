/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs that were read back, from our journal or from what another program left. Plain data. */
#ifndef LOADMIX_RUN_H
#define LOADMIX_RUN_H

#include <loadmix/result.h>

#include <stdbool.h>
#include <stddef.h>

/* One run: a label, a workload, and its steps in the order of the file. Texts are "" and never
 * NULL when the file does not tell them. */
struct lm_run {
	char *source;   /* the file */
	long line;      /* where it begins there, from 1 */
	char *format;   /* "journal", "suite7", "multitask", "reaim", "posted", ... */
	char *label;    /* what it is called: --label, a kernel, or the machine's name */
	char *workload; /* "fserver" */
	char *machine, *version;
	char *started;          /* as ISO 8601, as far as it is told */
	char *head_text;        /* journal: its first line as it stands there; else NULL */
	char *tail_text;        /* journal: its last line in the same way, if it is there */
	unsigned jobs_per_task; /* 0: not told */
	/* jobs_per_task not told: between which numbers it is, from rates and times as they were
	 * printed; both 0: nothing is known */
	double jobs_least, jobs_most;
	bool complete;         /* journal: its last line is there, and says so; others: true */
	bool torn;             /* journal: a last line was begun and not ended */
	long good_bytes;       /* journal: length of the file up to the last whole line */
	long step_bytes;       /* journal: the same without its last step, if that line is the last
				* of the body; else -1 */
	long body_bytes;       /* journal: the same without the line that ends the run */
	struct lm_facts plan;  /* journal: what was to be run, "seed", "sweep.0.start" ... */
	struct lm_facts means; /* journal: "KIND.command" of the mix's command kinds, "KIND.file"
				* and "KIND.digest" of those of plug-ins and scripts */
	struct lm_facts environment; /* keys as the probes make them; others: what the file says
				      * beside the figures */
	struct lm_record *records;
	size_t count;
};

/* Something that a reader found and did not use. */
struct lm_note {
	char *source;
	long line;  /* from 1 */
	char *text; /* what was found and why it was not used */
};

/* All that was read. Zero-initialise; lm_runs_free() empties it. */
struct lm_runs {
	struct lm_run *items;
	size_t count;
	struct lm_note *notes;
	size_t note_count, notes_beyond; /* the last note counts those that are not kept */
	char **names;                    /* what names and units of kinds in the records point to */
	size_t name_count;
	size_t *slots; /* of a hash table: index into names, and 1; 0: free */
	size_t slot_count;
};

#endif
