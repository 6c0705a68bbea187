/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running gnuplot: a script in, a picture out. */
#ifndef LM_CMD_GNUPLOT_H
#define LM_CMD_GNUPLOT_H

#include <loadmix/error.h>

#include <stddef.h>
#include <stdio.h>

/* A script that is being written, then what gnuplot made of it. Zero-initialise. */
struct lm_gnuplot {
	FILE *script;
	char *script_text;
	size_t script_size;
	char *output;
	size_t size;
	char said[512]; /* on its standard error, the end of it */
	int signal;     /* that came meanwhile and ended it; 0: none */
};

/* Begin a script: what is written to gnuplot->script. 0, or -1 with err. */
int lm_gnuplot_open(struct lm_gnuplot *gnuplot, struct lm_error *err);

/*
 * Run gnuplot (the program that LOADMIX_GNUPLOT names, if it is set) on the script and keep what it
 * writes to its standard output. It has 30 s. When SIGINT, SIGTERM, SIGHUP or SIGQUIT comes, it is
 * ended, and signal tells which. 0, or -1 with err: there is no gnuplot, it failed, wrote nothing
 * or took too long. Whatever happens, nothing of it runs any more.
 */
int lm_gnuplot_run(struct lm_gnuplot *gnuplot, struct lm_error *err);
void lm_gnuplot_close(struct lm_gnuplot *gnuplot);

#endif
