/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands that run jobs and write a journal share. */
#ifndef LM_CMD_OUTPUT_H
#define LM_CMD_OUTPUT_H

#include <loadmix/error.h>
#include <loadmix/job.h>

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

struct lm_output_options {
	const char *label, *output; /* NULL: not given */
	enum lm_semantics semantics;
	bool no_sync;
	struct lm_error *err; /* where a wrong value is told; set before the parse */
};

/* A child parser; its input is the struct. */
extern const struct argp lm_output_argp;

/* A name in the current directory such as fserver-6.1.0-20260102T030405-4711.jsonl: workload,
 * kernel release, time, and the process id, since two runs may begin in one second. */
void lm_default_output(const char *what, char *buf, size_t size);

/* The command line as it was given, "loadmix COMMAND ...", ended by NULL, for the journal: argp
 * reorders argv in place. The caller frees it with free(). NULL without memory. */
const char **lm_copy_argv(const char *command, int argc, char **argv);

/* Take an option's value, a pointer into one of the words, out of such a list, and the option with
 * it. NULL takes nothing out. */
void lm_argv_drop(const char **argv, const char *value);

#endif
