/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands, and what they share. Only main() exits. */
#ifndef LM_CMD_H
#define LM_CMD_H

#include <loadmix/error.h>
#include <loadmix/job.h>

/* Exit statuses besides 128 + signal. */
enum { LM_EXIT_OK = 0, LM_EXIT_NO = 1, LM_EXIT_USAGE = 2, LM_EXIT_SYSTEM = 3 };

/* Run the program with these job kinds; returns its exit status. */
int lm_app_main(int argc, char **argv, lm_job_list kinds);

/* The commands. argv[0] is "loadmix COMMAND". */
int lm_cmd_run(int argc, char **argv, lm_job_list kinds);
int lm_cmd_list(int argc, char **argv, lm_job_list kinds);
int lm_cmd_single(int argc, char **argv, lm_job_list kinds);
int lm_cmd_show(int argc, char **argv, lm_job_list kinds);

/* Print the error on standard error and return the exit status for it. */
int lm_cmd_fail(const struct lm_error *err);

/* Print "loadmix: warning: ..." on standard error. */
void lm_cmd_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
