/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one error object. A function that can fail takes a struct lm_error * as its last argument
 * and returns -1 or NULL. The caller owns the object and may pass NULL. The first error wins:
 * setting an error that is already set changes nothing. Zero-initialise it.
 */
#ifndef LOADMIX_ERROR_H
#define LOADMIX_ERROR_H

/* What went wrong, in the classes that the exit status tells apart. */
enum lm_error_code {
	LM_ERR_NONE = 0,
	LM_ERR_INPUT,  /* wrong usage or unreadable input: exit 2 */
	LM_ERR_SYSTEM, /* the system refused (fork, disk, limits, output): exit 3 */
};

struct lm_error {
	enum lm_error_code code;
	long line, column; /* 1-based; 0 = does not apply */
	char source[512];  /* file name, option or ""; cut in the middle when it is longer */
	char text[1024];   /* what was found, what was expected, what to do */
};

/* Set an error that belongs to no place in a file. Always returns -1. */
int lm_error_set(struct lm_error *err, enum lm_error_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Set an LM_ERR_SYSTEM error; ": <strerror(errno)>" is appended. Always returns -1. */
int lm_error_sys(struct lm_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Set an LM_ERR_INPUT error at a place in a source (line and column from 1, 0 = none).
 * Always returns -1. */
int lm_error_at(struct lm_error *err, const char *source, long line, long column, const char *fmt,
		...) __attribute__((format(printf, 5, 6)));

/* Write "source:line:column: text" (the parts that are set) into buf; returns buf. */
const char *lm_error_format(const struct lm_error *err, char *buf, unsigned long size);

#endif
