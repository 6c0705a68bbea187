/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program as a whole: its streams, its lists, its commands. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/patience.h"
#include "cmd/cmd.h"
#include "formats/formats.h"
#include "model/kinds.h"
#include "policies/policies.h"
#include "probes/probes.h"

static const struct {
	const char *name, *summary;
	int (*run)(int argc, char **argv, lm_job_list kinds);
} commands[] = {
	{ "run", "run a workload through a sweep of task counts", lm_cmd_run },
	{ "single", "run each job kind alone for a period", lm_cmd_single },
	{ "summary", "print peak, crossover and sustained load of results", lm_cmd_summary },
	{ "compare", "tell what changed between results, and which jobs it is in", lm_cmd_compare },
	{ "gate", "the same as an exit status, for git bisect run", lm_cmd_gate },
	{ "report", "write a page that shows results", lm_cmd_report },
	{ "plot", "draw one figure of results, in a file or in the terminal", lm_cmd_plot },
	{ "convert", "write results in the form of another program", lm_cmd_convert },
	{ "list", "list job kinds and workloads", lm_cmd_list },
	{ "show", "show a workload's mix and what it needs", lm_cmd_show },
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static const char *program = "loadmix"; /* who speaks in messages */

int lm_cmd_fail(const struct lm_error *err)
{
	char text[sizeof(err->source) + sizeof(err->text) + 64];

	fprintf(stderr, "%s: %s\n", program, lm_error_format(err, text, sizeof(text)));
	return err->code == LM_ERR_INPUT ? LM_EXIT_USAGE : LM_EXIT_SYSTEM;
}

void lm_cmd_warn(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: warning: ", program);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* A stream that the caller closed must fail when it is written to, and must not become the
 * descriptor of the next file that is opened. */
static void hold_streams(void)
{
	sigset_t held;

	/* a reader that goes away and a limit on file size are write errors, which we tell; a
	 * terminal that stops its background's writers (tostop) gets our lines all the same; tasks
	 * unblock these again */
	sigemptyset(&held);
	sigaddset(&held, SIGPIPE);
	sigaddset(&held, SIGXFSZ);
	sigaddset(&held, SIGTTOU);
	sigprocmask(SIG_BLOCK, &held, NULL);
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static int help(FILE *out)
{
	fprintf(out, "Usage: loadmix COMMAND [OPTION...]\n"
		     "AIM7-compatible multitask workload engine.\n\nCommands:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
	fprintf(out, "\n'loadmix COMMAND --help' tells a command's options.\n"
		     "Exit status: 0 good; 1 some step is INVALID; 2 wrong usage or input; 3 the "
		     "system\n"
		     "refused; 128 + N ended by signal N.\n");
	return LM_EXIT_OK;
}

static int version(void)
{
	printf("loadmix %s\n"
	       "License GPL-2.0-or-later. There is no warranty, to the extent permitted by law.\n",
	       LM_VERSION);
	return LM_EXIT_OK;
}

static int check_lists(lm_job_list kinds, struct lm_error *err)
{
	if (lm_kinds_check(kinds, err) < 0 || lm_policies_check(err) < 0)
		return -1;
	if (lm_formats_check(err) < 0 || lm_probes_check(err) < 0)
		return -1;
	return 0;
}

static int dispatch(int argc, char **argv, lm_job_list kinds)
{
	char name[64];

	if (argc < 2) {
		help(stderr);
		return LM_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return help(stdout);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return version();
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		snprintf(name, sizeof(name), "loadmix %s", commands[i].name);
		argv[1] = name;
		return commands[i].run(argc - 1, argv + 1, kinds);
	}
	fprintf(stderr, "loadmix: '%.80s' is no command; 'loadmix --help' lists them\n", argv[1]);
	return LM_EXIT_USAGE;
}

/* A reader that never reads must not make us deaf to who asks us to stop. */
static void watch_readers(void)
{
	FILE *out = lm_patient_stream(STDOUT_FILENO), *messages = lm_patient_stream(STDERR_FILENO);

	if (out)
		stdout = out;
	if (messages) {
		setvbuf(messages, NULL, _IONBF, 0);
		stderr = messages;
	}
}

static void put_back(FILE **stream, FILE *before)
{
	if (*stream != before)
		fclose(*stream);
	*stream = before;
}

/* Results that did not reach their reader are an error, however late it shows. */
static int close_stdout(int status)
{
	int failed = ferror(stdout);
	int error;

	errno = EIO;
	failed |= fflush(stdout) != 0;
	error = errno;
	if (!failed && close(STDOUT_FILENO) < 0) {
		failed = 1;
		error = errno;
	}
	/* a signal and the gate's end of a bisection have been told about, and have statuses of
	 * their own */
	if (!failed || status == LM_EXIT_SYSTEM || status > 128)
		return status;
	fprintf(stderr, "%s: cannot write standard output: %s\n", program, strerror(error));
	/* the gate has a status of its own for what cannot be told */
	return status > LM_EXIT_SYSTEM ? status : LM_EXIT_SYSTEM;
}

int lm_program(const char *name, int argc, char **argv, lm_job_list kinds,
	       int (*act)(int argc, char **argv, lm_job_list kinds))
{
	FILE *out = stdout, *messages = stderr;
	struct lm_error err = { 0 };
	int status;

	program = name;
	hold_streams();
	watch_readers();
	if (check_lists(kinds, &err) < 0)
		status = lm_cmd_fail(&err);
	else
		status = close_stdout(act(argc, argv, kinds));
	put_back(&stdout, out);
	put_back(&stderr, messages);
	return status;
}

int lm_app_main(int argc, char **argv, lm_job_list kinds)
{
	return lm_program("loadmix", argc, argv, kinds, dispatch);
}
