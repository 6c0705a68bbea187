/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stored result, beyond what a sink and a reader are: writing runs that were read, and going on
 * with a journal that was broken off (docs/formats.md). */
#ifndef LM_FORMATS_JOURNAL_H
#define LM_FORMATS_JOURNAL_H

#include <loadmix/error.h>
#include <loadmix/run.h>
#include <loadmix/sink.h>

#include <stdio.h>

/* Write a run as a journal. A journal's own first and last line are written as they stood; of a run
 * from elsewhere what it does not tell is null. 0, or -1 with err. */
int lm_journal_write(const struct lm_run *run, FILE *out, struct lm_error *err);

/* A journal's first line with another label, to free(). NULL with err. */
char *lm_journal_relabel(const char *head_text, const char *label, struct lm_error *err);

/*
 * Open a journal to read and append, and lock it: -1 with err when it is no regular file, or some
 * other process writes it. The lock is gone when any descriptor of the file is closed in this
 * process, so read it through this one.
 */
int lm_journal_lock(const char *path, struct lm_error *err);

/* An lm_getbyte over a descriptor; it starts at the beginning of the file. Zero-initialise but for
 * fd. */
struct lm_journal_input {
	int fd;
	long at; /* offset of what buf holds */
	size_t next, size;
	unsigned char buf[65536];
};
int lm_journal_byte(void *input);

/*
 * A sink that goes on with the journal of that run, which stays the caller's: at begin it cuts off
 * a torn line and the last line of a run that was stopped, and adds a line of type "resume". It
 * takes fd over, a descriptor from lm_journal_lock(). again is what is told of a step that was
 * taken back from the run, whose body then ends before it; "": none was.
 */
int lm_journal_continue(int fd, const char *path, const struct lm_run *run, const char *again,
			struct lm_sink *out, struct lm_error *err);

/* Something that is not as it was. */
struct lm_journal_change {
	char *key;       /* "plan.seed", "mix.3.weight", "kernel.release" */
	char *was, *now; /* as JSON; NULL: it is not there */
};
struct lm_journal_changes {
	struct lm_journal_change *items; /* the first LM_MAX_CHANGES */
	size_t count;
};
#define LM_MAX_CHANGES 1000

/* Where plan and mix of a run's journal are not those of a plan made now. Fields that the journal
 * is too old to have are passed over. 0, or -1 with err; free in either case. */
int lm_journal_plan_changes(const struct lm_run *run, const struct lm_plan *plan,
			    struct lm_journal_changes *out, struct lm_error *err);

/* The same of the environment, without what is never the same: free memory and the load. */
int lm_journal_environment_changes(const struct lm_run *run, const struct lm_facts *environment,
				   struct lm_journal_changes *out, struct lm_error *err);

void lm_journal_changes_free(struct lm_journal_changes *changes);

#endif
