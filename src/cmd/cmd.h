/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands, and what they share. Only main() exits. */
#ifndef LM_CMD_H
#define LM_CMD_H

#include <loadmix/error.h>
#include <loadmix/job.h>

/* Exit statuses besides 128 + signal. */
enum { LM_EXIT_OK = 0, LM_EXIT_NO = 1, LM_EXIT_USAGE = 2, LM_EXIT_SYSTEM = 3 };

/*
 * What every program of the package does around its own work: hold the streams, check the lists,
 * and see that standard output reached its reader. name is who speaks in messages; returns the exit
 * status.
 */
int lm_program(const char *name, int argc, char **argv, lm_job_list kinds,
	       int (*act)(int argc, char **argv, lm_job_list kinds));

/* loadmix, with these job kinds; returns its exit status. */
int lm_app_main(int argc, char **argv, lm_job_list kinds);

/* The commands. argv[0] is "loadmix COMMAND". */
int lm_cmd_run(int argc, char **argv, lm_job_list kinds);
int lm_cmd_list(int argc, char **argv, lm_job_list kinds);
int lm_cmd_single(int argc, char **argv, lm_job_list kinds);
int lm_cmd_summary(int argc, char **argv, lm_job_list kinds);
int lm_cmd_compare(int argc, char **argv, lm_job_list kinds);
int lm_cmd_gate(int argc, char **argv, lm_job_list kinds);
int lm_cmd_report(int argc, char **argv, lm_job_list kinds);
int lm_cmd_plot(int argc, char **argv, lm_job_list kinds);
int lm_cmd_convert(int argc, char **argv, lm_job_list kinds);
int lm_cmd_show(int argc, char **argv, lm_job_list kinds);

/* Print the error on standard error and return the exit status for it. */
int lm_cmd_fail(const struct lm_error *err);

/* Print "PROGRAM: warning: ..." on standard error. */
void lm_cmd_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
