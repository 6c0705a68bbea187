/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

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
