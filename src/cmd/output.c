/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cmd/standard.h"
#include "model/kinds.h"

enum { KEY_NO_SYNC = 0x400, KEY_SEMANTICS };

static const struct argp_option options_table[] = {
	{ "label", 'l', "TEXT", 0, "What this run is called in its results", 0 },
	{ "output", 'o', "FILE", 0,
	  "Journal to write (default: a name made of workload, kernel release, time and process)",
	  0 },
	{ "no-sync", KEY_NO_SYNC, NULL, 0,
	  "Do not sync() before every step, nor in the kinds of re-aim-7", 0 },
	{ "semantics", KEY_SEMANTICS, "SUITE", 0,
	  "Whose work the kinds do where the two suites differ: aim7 (default), reaim", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct lm_output_options *o = state->input;

	switch (key) {
	case 'l':
		o->label = arg;
		return 0;
	case 'o':
		if (strcmp(arg, "-") == 0)
			return lm_bad_value(o->err, "--output", arg,
					    "file: a journal goes to a file with a name");
		o->output = arg;
		return 0;
	case KEY_NO_SYNC:
		o->no_sync = true;
		return 0;
	case KEY_SEMANTICS:
		if (lm_semantics_parse(arg, &o->semantics))
			return 0;
		return lm_bad_value(o->err, "--semantics", arg, "suite: give aim7 or reaim");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp lm_output_argp = { .options = options_table, .parser = parse };

void lm_default_output(const char *what, char *buf, size_t size)
{
	time_t now = time(NULL);
	struct utsname u;
	struct tm tm;
	char when[32];

	if (uname(&u) < 0)
		snprintf(u.release, sizeof(u.release), "unknown");
	strftime(when, sizeof(when), "%Y%m%dT%H%M%S", localtime_r(&now, &tm));
	snprintf(buf, size, "%.100s-%s-%s-%d.jsonl", what, u.release, when, (int)getpid());
}

const char **lm_copy_argv(const char *command, int argc, char **argv)
{
	const char **copy = calloc((size_t)argc + 2, sizeof(*copy));

	if (!copy)
		return NULL;
	copy[0] = "loadmix";
	copy[1] = command;
	for (int i = 1; i < argc; i++)
		copy[i + 1] = argv[i];
	return copy;
}

void lm_argv_drop(const char **argv, const char *value)
{
	size_t i = 0, words, first;

	if (!value)
		return;
	while (argv[i] && (value < argv[i] || value > argv[i] + strlen(argv[i])))
		i++;
	if (!argv[i])
		return;
	/* a value that is the whole of a word follows its option */
	first = value == argv[i] ? i - 1 : i;
	for (words = i; argv[words];)
		words++;
	memmove(argv + first, argv + i + 1, (words - i) * sizeof(*argv));
}
