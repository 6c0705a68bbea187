/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What system this is: kernel, distribution, library. */
#include <dirent.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "probes/probes.h"
#include "probes/readfile.h"

static const struct lm_file_fact files[] = {
	{ "kernel.command_line", "/proc/cmdline" },
	{ "kernel.clock_source",
	  "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
};

static int kernel(struct lm_facts *out)
{
	struct utsname u;
	bool known = uname(&u) == 0;

	return lm_facts_text(out, "host.name", known ? u.nodename : NULL) |
	       lm_facts_text(out, "kernel.release", known ? u.release : NULL) |
	       lm_facts_text(out, "kernel.version", known ? u.version : NULL) |
	       lm_facts_text(out, "host.machine", known ? u.machine : NULL);
}

/* A value of os-release, without its quotes. */
static int release_value(const char *root, const char *path, const char *name, char *buf,
			 size_t size)
{
	struct lm_file_lines lines;
	const char *value = NULL;
	char *line;

	lm_file_lines_open(&lines, root, path);
	while (!value && (line = lm_file_lines_next(&lines)))
		value = lm_line_value(line, name);
	if (value) {
		value += strspn(value, "\"'");
		snprintf(buf, size, "%.*s", (int)strcspn(value, "\"'"), value);
	}
	lm_file_lines_close(&lines);
	return value ? 0 : -1;
}

static int distribution(const char *root, struct lm_facts *out)
{
	static const char *const names[][2] = { { "os.name", "PRETTY_NAME" },
						{ "os.id", "ID" },
						{ "os.version", "VERSION_ID" } };
	char text[256];
	int rc = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool found = release_value(root, "/etc/os-release", names[i][1], text,
					   sizeof(text)) == 0 ||
			     release_value(root, "/usr/lib/os-release", names[i][1], text,
					   sizeof(text)) == 0;

		rc |= lm_facts_text(out, names[i][0], found ? text : NULL);
	}
	return rc;
}

static int c_library(struct lm_facts *out)
{
	char text[64];

	snprintf(text, sizeof(text), "glibc %s", gnu_get_libc_version());
	return lm_facts_text(out, "os.c_library", text);
}

/* dir_rtns_1 reads /bin, whose size differs from system to system. */
static int bin_entries(const char *root, struct lm_facts *out)
{
	char path[4096];
	DIR *dir;
	double n = 0;

	snprintf(path, sizeof(path), "%s/bin", root);
	dir = opendir(path);
	if (!dir)
		return lm_facts_text(out, "bin.entries", NULL);
	while (readdir(dir))
		n++;
	closedir(dir);
	return lm_facts_number(out, "bin.entries", n);
}

int lm_system_facts(const char *root, struct lm_facts *out)
{
	return kernel(out) | lm_text_files(out, root, files, sizeof(files) / sizeof(*files)) |
	       distribution(root, out) | c_library(out) | bin_entries(root, out);
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_system_facts("", out);
}

const struct lm_probe lm_probe_system = { .name = "system", .describe = describe };
