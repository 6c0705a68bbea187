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

/* Parse a command's options. Returns -1 to go on, else an exit status. */
int lm_results_parse(const struct argp *argp, int argc, char **argv, void *input,
		     struct lm_results_options *options);

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
