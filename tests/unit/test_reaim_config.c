/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration file of reaim: what it may hold, and where errors are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/reaim_config.h"

static int read_text(const char *text, struct lm_reaim_config *out, struct lm_error *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int rc;

	assert_non_null(in);
	*out = (struct lm_reaim_config){ 0 };
	rc = lm_reaim_config_read(in, "c", out, err);
	fclose(in);
	return rc;
}

static void test_keywords(void **state)
{
	struct lm_reaim_config c;
	struct lm_error err = { 0 };

	(void)state;
	assert_int_equal(read_text("\xef\xbb\xbf# a comment\r\n"
				   "FILESIZE 10k\r\n"
				   "poolsize: 1m # another\n"
				   "\n"
				   "  DiskDir\t/tmp/a b\n"
				   "DISKDIR : c#d\n"
				   "startusers 002\nENDUSERS 9\nIncrement 3\nJOBS 50\n"
				   "VERBOSE 0\nCROSSOVER 1\nbrief 1",
				   &c, &err),
			 0);
	assert_int_equal(c.filesize_kib, 10);
	assert_int_equal(c.poolsize_kib, 1024);
	assert_int_equal(c.dir_count, 2);
	assert_string_equal(c.dirs[0], "/tmp/a b");
	assert_string_equal(c.dirs[1], "c#d");
	assert_int_equal(c.dir_lines[1], 6);
	assert_int_equal(c.start, 2);
	assert_int_equal(c.end, 9);
	assert_int_equal(c.increment, 3);
	assert_int_equal(c.jobs, 50);
	assert_false(c.verbose);
	assert_true(c.crossover && c.brief);
	lm_reaim_config_free(&c);
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		long line, column;
		const char *told;
	} cases[] = {
		{ "FILESIZE 10", 1, 10, "no unit" },
		{ "\nPOOLSIZE ten", 2, 10, "'ten'" },
		{ "POOLSIZE", 1, 9, "a size" },
		{ "  JOBS 0", 1, 8, "a number from 1 to 100000" },
		{ "JOBS 1 2", 1, 6, "a number from 1" },
		{ "ENDUSERS 1000001", 1, 10, "a number from 1 to 1000000" },
		{ "BRIEF yes", 1, 7, "0 (off) or 1 (on)" },
		{ "DISKDIR # none", 1, 8, "a directory" },
		{ "# x\nDISCDIR /tmp", 2, 1, "one of the keywords FILESIZE, " },
		{ "JOBS 5\njobs 6", 2, 0, "already given in line 1" },
		{ "JOBS \x01", 1, 6, "binary data (byte 0x01)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct lm_reaim_config c;
		struct lm_error err = { 0 };

		assert_int_equal(read_text(cases[i].text, &c, &err), -1);
		assert_int_equal(err.code, LM_ERR_INPUT);
		assert_int_equal(err.line, cases[i].line);
		assert_int_equal(err.column, cases[i].column);
		assert_non_null(strstr(err.text, cases[i].told));
		lm_reaim_config_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keywords),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
