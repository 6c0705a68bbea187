/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <loadmix/error.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *shown(const struct lm_error *err)
{
	static char buf[2048];

	return lm_error_format(err, buf, sizeof(buf));
}

static void test_first_wins(void **state)
{
	struct lm_error err = { 0 };

	(void)state;
	assert_int_equal(lm_error_set(&err, LM_ERR_SYSTEM, "first %d", 1), -1);
	assert_int_equal(lm_error_at(&err, "file", 3, 4, "second"), -1);
	errno = ENOSPC;
	assert_int_equal(lm_error_sys(&err, "third"), -1);
	assert_int_equal(err.code, LM_ERR_SYSTEM);
	assert_string_equal(shown(&err), "first 1");
}

static void test_nobody_listens(void **state)
{
	(void)state;
	assert_int_equal(lm_error_set(NULL, LM_ERR_INPUT, "x"), -1);
	assert_int_equal(lm_error_sys(NULL, "x"), -1);
	assert_int_equal(lm_error_at(NULL, "x", 1, 1, "x"), -1);
}

static void test_place(void **state)
{
	static const struct {
		const char *source;
		long line, column;
		const char *text;
	} cases[] = {
		{ "mix", 3, 14, "mix:3:14: odd" },
		{ "mix", 3, 0, "mix:3: odd" },
		{ "--tasks", 0, 5, "--tasks:5: odd" },
		{ "mix", 0, 0, "mix: odd" },
		{ "", 0, 0, "odd" },
		{ "", 3, 14, "3:14: odd" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lm_error err = { 0 };

		assert_int_equal(
			lm_error_at(&err, cases[i].source, cases[i].line, cases[i].column, "odd"),
			-1);
		assert_int_equal(err.code, LM_ERR_INPUT);
		assert_string_equal(shown(&err), cases[i].text);
	}
}

static void test_system_reason(void **state)
{
	struct lm_error err = { 0 };
	char text[128];

	(void)state;
	errno = ENOSPC;
	assert_int_equal(lm_error_sys(&err, "creat %s", "/x"), -1);
	assert_int_equal(err.code, LM_ERR_SYSTEM);
	snprintf(text, sizeof(text), "creat /x: %s", strerror(ENOSPC));
	assert_string_equal(shown(&err), text);
}

/* The reason stays whole when the text before it is too long. */
static void test_long_text(void **state)
{
	struct lm_error err = { 0 };
	char path[4000];
	const char *reason = strerror(EACCES);

	(void)state;
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	errno = EACCES;
	lm_error_sys(&err, "open %s", path);
	assert_true(strlen(err.text) < sizeof(err.text));
	assert_string_equal(err.text + strlen(err.text) - strlen(reason), reason);
}

/* A long source keeps its head and its tail, and is cut between characters. */
static void test_long_source(void **state)
{
	struct lm_error err = { 0 };
	char path[1400];
	size_t n = 0;

	(void)state;
	n = (size_t)snprintf(path, sizeof(path), "/head/");
	while (n < 1200) /* two bytes each: some cut would fall inside one */
		n += (size_t)snprintf(path + n, sizeof(path) - n, "\xc3\xa4");
	snprintf(path + n, sizeof(path) - n, "x/workfile.tail");
	lm_error_at(&err, path, 1, 2, "odd");
	assert_int_equal(strncmp(err.source, "/head/\xc3\xa4", 8), 0);
	assert_non_null(strstr(err.source, "\xc3\xa4...\xc3\xa4"));
	assert_string_equal(err.source + strlen(err.source) - 13, "workfile.tail");
	assert_true(strlen(err.source) > sizeof(err.source) - 4);
}

static void test_small_buffer(void **state)
{
	struct lm_error err = { 0 };
	char buf[6];

	(void)state;
	lm_error_at(&err, "mix", 1, 2, "odd");
	assert_string_equal(lm_error_format(&err, buf, sizeof(buf)), "mix:1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_wins),   cmocka_unit_test(test_nobody_listens),
		cmocka_unit_test(test_place),        cmocka_unit_test(test_system_reason),
		cmocka_unit_test(test_long_text),    cmocka_unit_test(test_long_source),
		cmocka_unit_test(test_small_buffer),
	};

	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
