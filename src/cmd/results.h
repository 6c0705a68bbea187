/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results named on a command line: files read, runs sorted into sets by label. */
#ifndef LM_CMD_RESULTS_H
#define LM_CMD_RESULTS_H

#include <loadmix/error.h>
#include <loadmix/run.h>

#include <argp.h>

#include "cmd/standard.h"
#include "model/compare.h"

#define LM_MAX_SETS 256

struct lm_results_options {
	struct lm_standard_options standard;
	const char *args[LM_MAX_SETS]; /* FILE, "-", or LABEL=FILE[,FILE...] */
	size_t arg_count;
	const char *labels[LM_MAX_SETS]; /* sets to keep, in this order; none: all */
	size_t label_count;
	bool aim7_delay;     /* take AIM7's 10 idle seconds out of its results */
	struct lm_error err; /* what was wrong with an option's value */
};

/* A child parser for the options and the FILE arguments; its input is the struct. */
extern const struct argp lm_results_argp;
/* The children of a parser that has just that one. */
extern const struct argp_child lm_results_children[];

/* An argument is a file, not LABEL=FILE. */
bool lm_results_is_bare(const char *arg);

/* A command on results. */
struct lm_results_command {
	const char *name;
	const struct argp *argp;
	size_t size;                /* of its options, which begin with struct lm_results_options */
	void (*set)(void *options); /* what differs from zero before the parse; NULL: nothing */
	/* The work; again is the command that repeats it, ended by NULL. Returns an exit status. */
	int (*act)(void *options, const char *const *again);
};

/* Parse the command line, see that it names results, and act. Returns an exit status. */
int lm_results_command(const struct lm_results_command *command, int argc, char **argv);

struct lm_results {
	struct lm_runs *files; /* one a file, in the order of the arguments */
	size_t file_count;
	struct lm_set *sets; /* room for LM_MAX_SETS, as in the lists that follow */
	char **labels;       /* of the sets' runs */
	char **shown;        /* the set's label, where that tells it from another; or NULL */
	bool *given;         /* by LABEL=FILE, so that it is more than a name found in there */
	size_t set_count;
	bool whole; /* all of it was read */
};

/*
 * Read all files and sort their runs into sets. What readers could not use is told on standard
 * error. A file without LABEL= is split by the labels in it. Its runs are repeats of each other,
 * and never of another file's: a label continues a set of another file only when that has just
 * other workloads. So a table of several labels that names no workload, beside other files, takes
 * its file's name as one. Runs without a label are called after their kernel release, or else after
 * the file, and each file is a set. Sets of the same name are told apart by the file's. What a set
 * has twice of one run is left out and told. 0, or -1 with err; lm_results_close() in either case.
 */
int lm_results_open(const struct lm_results_options *options, struct lm_results *out,
		    struct lm_error *err);
void lm_results_close(struct lm_results *results);

/* The runs of all sets, in order and under their labels, as one list that borrows them: free() it.
 * NULL when memory ran out. */
struct lm_run *lm_results_all(const struct lm_results *results, size_t *count);

#endif
