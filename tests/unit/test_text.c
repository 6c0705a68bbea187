/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text helpers and lists of facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <loadmix/probe.h>

#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void test_name_equal(void **state)
{
	(void)state;
	assert_true(lm_name_equal("creat-clo", "creat_clo"));
	assert_true(lm_name_equal("creat_clo", "creat-clo"));
	assert_true(lm_name_equal("a-b_c", "a_b-c"));
	assert_true(lm_name_equal("", ""));
	assert_false(lm_name_equal("creat", "creat_clo"));
	assert_false(lm_name_equal("creat_clo", "creat"));
	assert_false(lm_name_equal("Add_int", "add_int"));
	assert_false(lm_name_equal("a_b", "a b"));
}

static void test_distance(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned edits;
	} cases[] = {
		{ "", "", 0 },
		{ "", "abc", 3 },
		{ "abc", "", 3 },
		{ "add_int", "add_int", 0 },
		{ "add_int", "ADD-INT", 0 },
		{ "add_int", "add_itn", 1 },  /* neighbours swapped */
		{ "add_int", "addint", 1 },   /* deleted */
		{ "add_int", "add__int", 1 }, /* inserted */
		{ "add_int", "adx_int", 1 },  /* replaced */
		{ "kitten", "sitting", 3 },   /* the textbook's example */
		{ "disk_rr", "disk_rw", 1 },
		{ "ab", "cd", 2 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(lm_name_distance(cases[i].a, cases[i].b), cases[i].edits);
}

static void test_distance_of_long_names(void **state)
{
	char longest[64], too_long[65];

	(void)state;
	memset(longest, 'x', sizeof(longest) - 1);
	longest[63] = '\0';
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[64] = '\0';
	assert_int_equal(lm_name_distance(longest, longest), 0);
	assert_int_equal(lm_name_distance(longest, ""), 63);
	assert_int_equal(lm_name_distance(too_long, longest), UINT_MAX);
	assert_int_equal(lm_name_distance(longest, too_long), UINT_MAX);
}

static void check_quote(const char *text, size_t length, size_t max, size_t size,
			const char *expected)
{
	char buf[300];

	assert_ptr_equal(lm_text_quote(text, length, max, buf, size), buf);
	assert_string_equal(buf, expected);
}

static void test_quote(void **state)
{
	(void)state;
	check_quote("plain text", 10, 60, 300, "plain text");
	check_quote("", 0, 60, 300, "");
	check_quote("a\0b\n\t\x7f", 6, 60, 300, "a\\x00b\\x0a\\x09\\x7f");
	check_quote("gr\xc3\xbc\xc3\x9f", 6, 60, 300, "gr\xc3\xbc\xc3\x9f");
	check_quote("\xe2\x82\xac\xf0\x9f\x90\xa7", 7, 60, 300, "\xe2\x82\xac\xf0\x9f\x90\xa7");
}

static void test_quote_of_bad_utf8(void **state)
{
	(void)state;
	check_quote("\xff", 1, 60, 300, "\\xff");
	check_quote("\xc3", 1, 60, 300, "\\xc3");                            /* cut short */
	check_quote("\xc3x", 2, 60, 300, "\\xc3x");                          /* no second byte */
	check_quote("\xc0\xaf", 2, 60, 300, "\\xc0\\xaf");                   /* overlong */
	check_quote("\xe0\x80\xaf", 3, 60, 300, "\\xe0\\x80\\xaf");          /* overlong */
	check_quote("\xed\xa0\x80", 3, 60, 300, "\\xed\\xa0\\x80");          /* surrogate */
	check_quote("\xf4\x90\x80\x80", 4, 60, 300, "\\xf4\\x90\\x80\\x80"); /* U+110000 */
	check_quote("\xc2\x9b"
		    "0m",
		    4, 60, 300, "\\xc2\\x9b0m"); /* drives terminals */
}

static void test_quote_is_cut(void **state)
{
	(void)state;
	check_quote("abcdef", 6, 6, 300, "abcdef");
	check_quote("abcdef", 6, 5, 300, "abcde...");
	check_quote("ab\xc3\xbc"
		    "d",
		    5, 3, 300, "ab..."); /* not inside a character */
	check_quote("abcdefghij", 10, 60, 8, "abcd...");
	check_quote("abcd\x01", 5, 60, 9, "abcd...");
	check_quote("abcdef", 6, 60, 1, "");
}

static void test_facts(void **state)
{
	struct lm_facts facts = { 0 };
	char key[] = "os.name", text[] = "Linux";

	(void)state;
	assert_int_equal(lm_facts_text(&facts, key, text), 0);
	assert_int_equal(lm_facts_number(&facts, "memory.total_kib", 12.5), 0);
	assert_int_equal(lm_facts_text(&facts, "cpu.governor", NULL), 0);
	assert_int_equal(lm_facts_number(&facts, "odd", NAN), 0);
	assert_int_equal(lm_facts_number(&facts, "odd", INFINITY), 0);
	key[0] = text[0] = '!'; /* the list has copies */
	assert_int_equal(facts.count, 5);
	assert_string_equal(facts.items[0].key, "os.name");
	assert_int_equal(facts.items[0].type, LM_FACT_TEXT);
	assert_string_equal(facts.items[0].text, "Linux");
	assert_int_equal(facts.items[1].type, LM_FACT_NUMBER);
	assert_true(facts.items[1].number == 12.5);
	for (size_t i = 2; i < 5; i++) {
		assert_int_equal(facts.items[i].type, LM_FACT_NULL);
		assert_null(facts.items[i].text);
		assert_true(facts.items[i].number == 0);
	}
	lm_facts_free(&facts);
	assert_int_equal(facts.count, 0);
	assert_null(facts.items);
}

static void test_many_facts(void **state)
{
	struct lm_facts facts = { 0 };
	char key[32];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "key.%d", i);
		assert_int_equal(lm_facts_number(&facts, key, i), 0);
	}
	assert_int_equal(facts.count, 1000);
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "key.%d", i);
		assert_string_equal(facts.items[i].key, key);
		assert_true(facts.items[i].number == i);
	}
	lm_facts_free(&facts);
}

static void test_shell(void **state)
{
	static const struct {
		const char *argv[4];
		const char *text;
	} cases[] = {
		{ { "loadmix", "run", "fserver" }, "loadmix run fserver" },
		{ { "a b", "", "it's" }, "'a b' '' 'it'\\''s'" },
		{ { "--tasks", "1-4:2", "$(x)" }, "--tasks 1-4:2 '$(x)'" },
		{ { "~", "#", "*" }, "'~' '#' '*'" },
		{ { "a\nb", "\\", "A=/x,y@z%" }, "$'a\\012b' '\\' A=/x,y@z%" },
		{ { "\x1b[2J7", "'\\\t", "\xc3\xa9" }, "$'\\033[2J7' $'\\'\\\\\\011' '\xc3\xa9'" },
		{ { NULL }, "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = lm_text_shell(cases[i].argv);

		assert_string_equal(text, cases[i].text);
		free(text);
	}
}

static void test_width(void **state)
{
	(void)state;
	assert_int_equal(lm_text_width(""), 0);
	assert_int_equal(lm_text_width("h\xc3\xa9\xc3\xa9 \xc3\xbc"), 5); /* of 8 bytes */
	assert_int_equal(lm_text_fill("h\xc3\xa9\xc3\xa9 \xc3\xbc", 24), 19);
	assert_int_equal(lm_text_fill("four", 4), 0);
	assert_int_equal(lm_text_fill("fiver", 4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name_equal),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_distance_of_long_names),
		cmocka_unit_test(test_shell),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_quote_of_bad_utf8),
		cmocka_unit_test(test_quote_is_cut),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_many_facts),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
