/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be run: plain data that commands fill and everything below them reads. */
#ifndef LOADMIX_PLAN_H
#define LOADMIX_PLAN_H

#include <loadmix/job.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bounds that input is checked against. */
#define LM_MAX_TASKS    1000000u
#define LM_MAX_JOBS     100000u
#define LM_MAX_WEIGHT   1000000000u
#define LM_MAX_ENTRIES  65535u              /* entry indices are 16 bits wide in the order */
#define LM_MAX_SIZE_KIB ((uint64_t)1 << 40) /* 1 PiB */

/* One line of a workfile. */
struct lm_mix_entry {
	const struct lm_job *job;
	uint64_t weight; /* 1 to LM_MAX_WEIGHT */
	unsigned jobs;   /* jobs of this entry in one task, set by lm_mix_count_jobs() */
	uint64_t params[LM_MAX_PARAMS]; /* values in the order of job->params */
	char *label; /* the kind's name and the parameters that a workfile gave it */
	/* the plug-in or script that does the work, and a digest of its content, "" when it cannot
	 * be read; NULL: there is none */
	char *file, *digest;
	long line; /* where it stands in the workfile, from 1 */
};

/* A workload: job kinds with their weights, and the file sizes it asks for. */
struct lm_mix {
	char *name; /* "fserver" for workfile.fserver */
	char *path; /* the file it was read from */
	uint64_t filesize_kib, poolsize_kib;
	struct lm_job **made; /* kinds that the workfile itself defines */
	char **made_lines;    /* what it says of each: its command line */
	size_t made_count;
	struct lm_mix_entry *entries;
	size_t count;
	uint64_t total_weight;
	unsigned jobs_per_task; /* the sum of the entries' jobs */
};

/* Task counts start, start + step, ... up to end; end itself is always the last. */
struct lm_range {
	unsigned start, end, step;
};

/* What else ends a sweep, besides the end of its ranges. */
enum lm_until {
	LM_UNTIL_END,
	LM_UNTIL_CROSSOVER, /* jobs/min/task is at or below the sweep's floor */
	LM_UNTIL_PEAK,      /* jobs/min no longer grows */
};

/* What a sweep policy works from. */
struct lm_sweep {
	struct lm_range *ranges;
	size_t count;
	const char *policy; /* its name, for results */
	bool open;          /* the one range was given without an end: it ends at a guard */
	const char *guard;  /* open: what the guard is: "--max-tasks" */
	enum lm_until until;
	double floor;        /* LM_UNTIL_CROSSOVER: 1 for AIM7's, 60 for the quick one */
	double tolerance;    /* of a search for the peak, as a share: 0.05 */
	bool reaim;          /* adaptive: from when on as re-aim-7 does it, not as AIM7 */
	bool newton;         /* adaptive: near the crossover as the newton policy */
	unsigned iterations; /* whole sweeps, one after another; 0 is 1 */
};

enum lm_order { LM_ORDER_AIM7, LM_ORDER_SHUFFLE };

struct lm_facts;

struct lm_plan {
	const struct lm_mix *mix;
	struct lm_sweep sweep;
	unsigned jobs; /* jobs per task asked for; mix->jobs_per_task is what rounding made of it */
	enum lm_order order;
	uint64_t seed;
	enum lm_semantics semantics;
	const char *data_dir;       /* where scripts of shell kinds are, "" when there is none */
	const char *const *skipped; /* "KIND: reason" of entries left out as unsupported */
	size_t skipped_count;
	const char *const *warnings; /* what makes the figures doubtful, told before the run */
	size_t warning_count;
	/* what the probes told of the machine before the run; NULL: they are yet to be asked */
	const struct lm_facts *environment;
	double period_s;   /* not 0: each task repeats its one kind for so long (single mode) */
	const char *label; /* "" when none was given */
	/* what the user of multitask calls the machine and its set-up; NULL: was not asked */
	const char *machine, *configuration;
	const char *const *dirs; /* absolute paths of the test directories */
	size_t dir_count;        /* at least 1 */
	const unsigned *cpus;    /* processors that tasks are pinned to */
	size_t cpu_count;        /* 0: not pinned */
	const char *cpu_list;    /* the same as text, NULL when not pinned */
	double step_timeout_s;   /* 0: see lm_step_timeout_s() */
	bool sync;               /* sync() before the gate opens */
	bool start_delay;        /* wait 10 s inside the measured time, as AIM7 does */
	const char *const *argv; /* the command that this run was started by, ended by NULL */
	/* the same without its journal, which is there now; NULL: not known */
	const char *const *again;
	/* where it was given; NULL: not known */
	const char *cwd;
};

#endif
