/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading what the kernel and the system tell in small files. root comes before every path: "" for
 * this machine, or the directory of a made-up one. Sizes are bounded: what is longer is cut.
 */
#ifndef LM_PROBES_READFILE_H
#define LM_PROBES_READFILE_H

#include <loadmix/probe.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LM_TEXT_MAX      8192  /* of a fact */
#define LM_PROC_LINE_MAX 65536 /* of a line: mount options can be long */

/* Read a file into buf, without blanks and line ends at its end. 0, or -1: it cannot be read. */
int lm_read_text(char *buf, size_t size, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same, LM_TEXT_MAX at most, as a text to be freed. NULL: it cannot be read. */
char *lm_read_new(const char *root, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same for a file that is one whole number. */
int lm_read_number(int64_t *number, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The choice in brackets of "always [madvise] never"; all of text when there are none. Changes
 * text. */
char *lm_bracketed(char *text);

/* A fact for a file, null when it cannot be read. Return 0, or -1 when memory ran out. */
struct lm_file_fact {
	const char *key, *path;
};
int lm_text_files(struct lm_facts *out, const char *root, const struct lm_file_fact *files,
		  size_t count);
int lm_choice_files(struct lm_facts *out, const char *root, const struct lm_file_fact *files,
		    size_t count);
int lm_number_files(struct lm_facts *out, const char *root, const struct lm_file_fact *files,
		    size_t count);

/* The lines of a file, without their ends. A file that is not there has none. */
struct lm_file_lines {
	FILE *file;
	char *line;
};
void lm_file_lines_open(struct lm_file_lines *lines, const char *root, const char *path);
char *lm_file_lines_next(struct lm_file_lines *lines); /* NULL: no more */
void lm_file_lines_close(struct lm_file_lines *lines);

/* "key : value" or "key=value": the value when the line is of that key, else NULL. */
const char *lm_line_value(const char *line, const char *key);

/* The numbers of a list such as "0-3,8": set at to it and the rest to 0. */
struct lm_list {
	const char *at;
	unsigned next, last;
	bool within;
};
bool lm_list_next(struct lm_list *list, unsigned *number);

#endif
