/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are there when they are whole, also on file systems that can do less: the calls below
 * stand for those of the system and refuse what a test tells them to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/newfile.h"

static bool no_tmpfile, no_renameat2, no_link, no_fdopen, no_fsync;
static unsigned stored;  /* fsync() calls that went well */
static bool named_first; /* a name was given when nothing was stored yet */

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(ap, mode_t);
	va_end(ap);
	if (no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	named_first |= stored == 0;
	if (no_renameat2) {
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

int link(const char *from, const char *to)
{
	named_first |= stored == 0;
	if (no_link) {
		errno = EPERM;
		return -1;
	}
	return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	named_first |= stored == 0;
	return (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

/* newfile.c is the only one here that opens a stream of a descriptor. */
FILE *fdopen(int fd, const char *mode)
{
	char path[64];

	if (no_fdopen) {
		errno = ENOMEM;
		return NULL;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	(void)mode;
	return fopen(path, "we");
}

int fsync(int fd)
{
	if (no_fsync) {
		errno = EIO;
		return -1;
	}
	stored++;
	return (int)syscall(SYS_fsync, fd);
}

static char dir[] = "/tmp/loadmix-newfile.XXXXXX", path[64];

static int setup(void **state)
{
	(void)state;
	no_tmpfile = no_renameat2 = no_link = no_fdopen = no_fsync = named_first = false;
	stored = 0;
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/file", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static unsigned files(void)
{
	DIR *d = opendir(dir);
	unsigned n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

static int write_file(bool good)
{
	struct lm_newfile file;
	struct lm_error err = { 0 };

	if (lm_newfile_open(&file, path, &err) < 0)
		return -1;
	fputs("whole\n", file.stream);
	assert_int_not_equal(access(path, F_OK), 0);
	return lm_newfile_close(&file, good, &err);
}

static void assert_whole(void)
{
	char text[32] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	assert_string_equal(text, "whole\n");
	assert_int_equal(files(), 1);
	assert_int_equal(stored, 1);
	assert_false(named_first);
}

static void test_nameless(void **state)
{
	(void)state;
	assert_int_equal(write_file(true), 0);
	assert_whole();
}

static void test_without_tmpfile(void **state)
{
	(void)state;
	no_tmpfile = no_link = true;
	assert_int_equal(write_file(true), 0);
	assert_whole();
}

static void test_without_renameat2(void **state)
{
	(void)state;
	no_tmpfile = no_renameat2 = true;
	assert_int_equal(write_file(true), 0);
	assert_whole();
}

static void test_nothing_stays(void **state)
{
	(void)state;
	no_tmpfile = true;
	assert_int_equal(write_file(false), 0);
	assert_int_equal(files(), 0);
	no_fsync = true;
	assert_int_equal(write_file(true), -1);
	assert_int_equal(files(), 0);
	no_fdopen = true;
	assert_int_equal(write_file(true), -1);
	assert_int_equal(files(), 0);
	no_fdopen = no_fsync = false;
	no_renameat2 = no_link = true;
	assert_int_equal(write_file(true), -1);
	assert_int_equal(files(), 0);
}

/* Somebody else's file that came meanwhile. */
static void other_comes(bool renames)
{
	struct lm_newfile file;
	struct lm_error err = { 0 };
	FILE *other;
	char text[32] = "";

	no_renameat2 = !renames;
	assert_int_equal(lm_newfile_open(&file, path, &err), 0);
	fputs("ours\n", file.stream);
	other = fopen(path, "w");
	assert_non_null(other);
	fputs("theirs\n", other);
	fclose(other);
	assert_int_equal(lm_newfile_close(&file, true, &err), -1);
	assert_non_null(strstr(err.text, "exists already"));
	other = fopen(path, "r");
	assert_non_null(other);
	assert_non_null(fgets(text, sizeof(text), other));
	fclose(other);
	assert_string_equal(text, "theirs\n");
	assert_int_equal(files(), 1);
	unlink(path);
}

static void test_what_came_stays(void **state)
{
	(void)state;
	other_comes(true);
	no_tmpfile = true;
	other_comes(true);
	other_comes(false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nameless, setup, teardown),
		cmocka_unit_test_setup_teardown(test_without_tmpfile, setup, teardown),
		cmocka_unit_test_setup_teardown(test_without_renameat2, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_came_stays, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
