/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/points.h"
#include "model/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A file in memory; a byte of 1 is a read error. */
static int next(void *state)
{
	const char **at = state;

	if (**at == 1) {
		errno = EIO;
		return -2;
	}
	return **at ? (unsigned char)*(*at)++ : -1;
}

static void test_read(void **state)
{
	static const struct {
		const char *text;
		size_t count;
		unsigned tasks[4];
	} cases[] = {
		{ "4\n8\n2\n4\n", 4, { 4, 8, 2, 4 } },
		{ "# loads\n\n 04\t# first\n8#second\n", 2, { 4, 8 } },
		{ "1\r\n1000000\r\n", 2, { 1, 1000000 } },
		{ "1\r2\r", 2, { 1, 2 } },
		{ "\xef\xbb\xbf"
		  "7",
		  1,
		  { 7 } },
		{ "\f\n3", 1, { 3 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lm_sweep sweep = { 0 };
		struct lm_error err = { 0 };
		const char *at = cases[i].text;

		assert_int_equal(lm_points_read(next, &at, "p", &sweep, &err), 0);
		assert_int_equal(sweep.count, cases[i].count);
		for (size_t k = 0; k < sweep.count; k++) {
			assert_int_equal(sweep.ranges[k].start, cases[i].tasks[k]);
			assert_int_equal(sweep.ranges[k].end, cases[i].tasks[k]);
		}
		assert_false(sweep.open);
		lm_sweep_free(&sweep);
	}
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		long line, column;
		const char *part;
	} cases[] = {
		{ "", 1, 1, "without a task count" },
		{ "# nothing\n\n", 2, 1, "without a task count" },
		{ "4\n  x\n", 2, 3, "'x': expected a task count" },
		{ "0\n", 1, 1, "'0': expected a task count from 1" },
		{ "4\n1000001\n", 2, 1, "'1000001': expected" },
		{ "-4\n", 1, 1, "'-4'" },
		{ "4.5\n", 1, 1, "'4.5'" },
		{ "4 8\n", 1, 3, "'8': expected the end of the line" },
		{ "4,8\n", 1, 1, "'4,8'" },
		{ "4\r8 #\r 9 9", 3, 4, "'9': expected the end" },
		{ "12\x7f", 1, 3, "binary data (byte 0x7f)" },
		{ "4\n5\n\1", 0, 0, "cannot be read: " },
		{ "4\r\1", 0, 0, "cannot be read: " },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lm_sweep sweep = { 0 };
		struct lm_error err = { 0 };
		const char *at = cases[i].text;

		assert_int_equal(lm_points_read(next, &at, "p", &sweep, &err), -1);
		assert_int_equal(err.code, LM_ERR_INPUT);
		assert_string_equal(err.source, "p");
		assert_int_equal(err.line, cases[i].line);
		assert_int_equal(err.column, cases[i].column);
		if (!strstr(err.text, cases[i].part))
			fail_msg("case %zu: '%s' lacks '%s'", i, err.text, cases[i].part);
		lm_sweep_free(&sweep);
	}
}

/* A long comment is a comment; a long line of anything else hides what is in it. */
static void test_long_lines(void **state)
{
	static char text[1100];
	struct lm_sweep sweep = { 0 };
	struct lm_error err = { 0 };
	const char *at = text;

	(void)state;
	memset(text, '#', 1000);
	strcpy(text + 1000, "\n5\n");
	assert_int_equal(lm_points_read(next, &at, "p", &sweep, &err), 0);
	assert_int_equal(sweep.count, 1);
	lm_sweep_free(&sweep);
	memset(text, ' ', 1000);
	text[0] = '4';
	at = text;
	assert_int_equal(lm_points_read(next, &at, "p", &sweep, &err), -1);
	assert_int_equal(err.line, 1);
	lm_sweep_free(&sweep);
}

static void test_many(void **state)
{
	char *text = malloc(2 * (LM_MAX_POINTS + 1) + 1);
	struct lm_sweep sweep = { 0 };
	struct lm_error err = { 0 };
	const char *at = text;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i <= LM_MAX_POINTS; i++)
		memcpy(text + 2 * i, "7\n", 3);
	assert_int_equal(lm_points_read(next, &at, "p", &sweep, &err), -1);
	assert_int_equal(err.line, LM_MAX_POINTS + 1);
	assert_int_equal(sweep.count, LM_MAX_POINTS);
	lm_sweep_free(&sweep);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
