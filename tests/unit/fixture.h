/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A directory and a task's state to run file and disk kinds in; see the functions for checks. */
#ifndef LM_TESTS_FIXTURE_H
#define LM_TESTS_FIXTURE_H

#include <limits.h>

#include <loadmix/job.h>

/* ctx comes first: the context's report() finds the rest behind it. */
struct fixture {
	struct lm_job_ctx ctx;
	uint64_t params[LM_MAX_PARAMS];
	uint64_t block; /* parameter "block" of disk kinds; 0 = its default */
	char dir[PATH_MAX - 256];
	char text[2 * PATH_MAX + 256]; /* the first report of the last job, */
	int error;                     /* and its errno */
};

/* cmocka's fixture functions; the directory is in $TMPDIR. */
int set_up(void **state);
int tear_down(void **state);

/* Have a directory in another one instead. False when it cannot be made. */
bool move_to(struct fixture *f, const char *parent);

const struct lm_job *find(const char *name);
void remove_tree(const char *path);

/* Files and directories under the fixture's directory, itself included. */
unsigned count_entries(const struct fixture *f);
unsigned count_descriptors(void);

/* Have ctx tell of a kind, with its parameters. */
void choose(struct fixture *f, const struct lm_job *job);

/* The answer of the kind's supported(), the reason in f->text. */
enum lm_outcome ask(struct fixture *f, const struct lm_job *job);

/* What the engine does before the tasks start. */
void make_ready(struct fixture *f, const struct lm_job *job);
void write_common(const struct fixture *f, uint64_t blocks);
void corrupt_common(const struct fixture *f, uint64_t block);

/* Run a job; it must not leave a file or a descriptor. */
enum lm_outcome run_kind(struct fixture *f, const struct lm_job *job);
void assert_runs(struct fixture *f, const struct lm_job *job);
enum lm_outcome run_failing(struct fixture *f, const struct lm_job *job);

/* The state of a generator after so many draws from another. */
uint64_t state_after(uint64_t state, unsigned draws);

/* The report holds this text. */
void assert_text(const struct fixture *f, const char *want);

#endif
