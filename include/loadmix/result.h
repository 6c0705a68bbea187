/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What came of a load step: the raw samples that tasks leave in shared memory, and the record that
 * is made of them. Plain data. Times of samples are nanoseconds of CLOCK_MONOTONIC. */
#ifndef LOADMIX_RESULT_H
#define LOADMIX_RESULT_H

#include <loadmix/probe.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One job, written by its task. */
struct lm_sample {
	uint64_t start_ns, duration_ns;
	uint64_t user_ns, system_ns; /* of the task, and of what it waited for if the kind forks */
	uint32_t entry;   /* index into the mix; set before the fork: this is the order */
	uint32_t outcome; /* enum lm_outcome */
};

enum lm_task_state {
	LM_TASK_UNBORN,
	LM_TASK_WAITING,
	LM_TASK_RUNNING,
	LM_TASK_DONE,   /* every job of the list was run and was ok */
	LM_TASK_FAILED, /* a job failed: see failure; the task stopped there */
};

/* One task. Written by the task itself up to its end, by the parent before and after. */
struct lm_task_slot {
	_Alignas(64) _Atomic uint32_t state;
	_Atomic uint64_t jobs_done; /* jobs that ended ok; the job it is in has this index */
	uint64_t start_ns, end_ns;  /* end_ns of a task that was lost is when the parent noticed */
	int32_t pid;
	int32_t wait_status;         /* as wait4() gave it; parent */
	uint64_t user_ns, system_ns; /* wait4(): the task and all processes it waited for; parent */
	int32_t failure_errno;       /* 0: none, or the self-check found a wrong result */
	char failure[452]; /* the call and what it was about, or what was wrong; "" = none */
	struct lm_sample samples[];
};

/* Why a step ended. */
enum lm_step_end { LM_STEP_COMPLETE, LM_STEP_DEADLINE, LM_STEP_INTERRUPTED };

struct lm_step_result {
	unsigned tasks;
	unsigned jobs_per_task;
	double period_s; /* not 0: tasks repeated one kind for so long; samples hold the last jobs
			  */
	uint64_t file_kib;
	uint64_t ready_ns;    /* first fork to all tasks waiting at the gate */
	uint64_t gate_ns;     /* when the gate opened: the clock of the step starts here */
	uint64_t deadline_ns; /* of the clock: when the step would be ended */
	enum lm_step_end end;
	int signal;            /* LM_STEP_INTERRUPTED: which signal */
	bool held_gate;        /* the program was stopped between gate_ns and the tasks' start */
	uint64_t continued_ns; /* when the program was last continued after a stop, from the gate to
				* the second look at the system; 0: it was not stopped */
	double deadline_s;     /* what the step was allowed */
	unsigned strays;       /* processes that jobs left behind and that had to be killed */
	const unsigned char *slots;
	size_t slot_stride; /* bytes from one slot to the next */
};

static inline const struct lm_task_slot *lm_result_slot(const struct lm_step_result *r, unsigned i)
{
	return (const struct lm_task_slot *)(const void *)(r->slots + (size_t)i * r->slot_stride);
}

/* Figures of one entry's kind over all tasks of a step; kinds that stand on several lines of a
 * workfile are one row. Seconds. Durations are of jobs that ended ok. */
struct lm_kind_record {
	const char *name;
	const char *unit;  /* of the operations */
	uint64_t jobs;     /* that ended ok */
	double operations; /* credited to them */
	double elapsed_s, user_s, system_s;
	double min_s, median_s, p99_s, max_s; /* of one job; nearest rank; 0 when jobs is 0 */
};

/* Figures that results of other programs may lack (model/figures.h names them). */
enum lm_figure {
	LM_FIG_JOBS_PER_MIN,
	LM_FIG_REAL,
	LM_FIG_CPU,
	LM_FIG_JTI,
	LM_FIG_USER,
	LM_FIG_SYSTEM,
	LM_FIG_JOBS_PER_MIN_TASK,
	LM_FIG_JOBS_PER_S_TASK,
	LM_FIG_STDDEV,
	LM_FIGURES,
};

/* The figures of a load step (docs/figures.md has the formulas). Every number is finite. */
struct lm_record {
	unsigned step;      /* from 1, over all iterations */
	unsigned iteration; /* from 1 */
	unsigned tasks, jobs_per_task;
	char ended[32]; /* when, ISO 8601: "2026-01-02T03:04:05Z", without Z when the zone is not
			   known; "": not told */
	uint64_t file_kib;
	double deadline_s;  /* what the step was allowed */
	uint64_t jobs_done; /* tasks * jobs_per_task in a valid step */
	double real_s, cpu_s, user_s, system_s;
	double jobs_per_min, jobs_per_min_task, jobs_per_s_task; /* from jobs_done */
	double stddev_s;
	int jti;          /* 0 to 100 */
	double files_s;   /* making the common files, and sync() */
	double ready_s;   /* first fork to all tasks waiting at the gate */
	double outside_s; /* all of the step's wall time that is neither real_s nor files_s */
	bool valid;
	char **problems; /* why it is not, one sentence each, the first LM_MAX_PROBLEMS of them */
	size_t problem_count, problem_total;
	struct lm_kind_record *kinds;
	size_t kind_count;
	struct lm_facts system; /* what the probes counted from before the gate to after the end */
	/* of a step that was read back; both are 0 for one that was run here */
	unsigned
		unknown; /* bits 1 << enum lm_figure: figures that the file does not tell, 0 here */
	long line;       /* where it stands in its file, from 1 */
	double grains[LM_FIGURES]; /* what the figures are rounded to; 0: not rounded */
};

#define LM_MAX_PROBLEMS 20

/* Why a sweep ended, as half a sentence; "" when it came to the end of its list. */
struct lm_reason {
	char text[160];
};

/* What AIM7's report tells of a sweep (docs/figures.md). Over valid steps. */
struct lm_figures {
	unsigned iteration;       /* from 1 */
	unsigned loads;           /* different task counts */
	double peak_jobs_per_min; /* 0 when there is no valid step */
	unsigned peak_tasks;
	bool has_min_jti, has_crossover, has_sustained;
	int min_jti; /* over all loads but the largest */
	double crossover;
	double sustained;    /* up to the crossover, or to the largest load when there is none */
	unsigned most_tasks; /* the largest load */
	struct lm_reason ended;
};

/* The run so far. */
struct lm_summary {
	unsigned steps, invalid;
	double peak_jobs_per_min; /* over valid steps; 0 when there is none */
	unsigned peak_tasks;
	const char *stopped;             /* why the run ended early; NULL: it is complete */
	const struct lm_figures *sweeps; /* one an iteration */
	size_t sweep_count;
};

#endif
