/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/units.h"

#include <locale.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define PIB_KIB  ((uint64_t)1 << 40)

static void test_uint(void **state)
{
	static const struct {
		const char *text;
		uint64_t min, max, value;
	} good[] = {
		{ "0", 0, 0, 0 },
		{ "05", 1, 5, 5 },
		{ "0000000000000000000000000000007", 1, 10, 7 },
		{ "18446744073709551615", 0, UINT64_MAX, UINT64_MAX },
		{ "9", 9, 9, 9 },
	};
	static const struct {
		const char *text;
		uint64_t min, max;
	} bad[] = {
		{ "", 0, 9 },
		{ " 1", 0, 9 },
		{ "1 ", 0, 9 },
		{ "+1", 0, 9 },
		{ "-1", 0, 9 },
		{ "1.0", 0, 9 },
		{ "1e1", 0, 99 },
		{ "0x1", 0, 9 },
		{ "10", 0, 9 },
		{ "1", 2, 9 },
		{ "9", 0, 8 },
		{ "99", 0, 8 },
		{ "90", 0, 8 },
		{ "a", 0, 9 },
		{ "18446744073709551616", 0, UINT64_MAX },
		{ "99999999999999999999999", 0, UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		uint64_t value = 77;

		assert_true(lm_parse_uint(good[i].text, good[i].min, good[i].max, &value));
		assert_int_equal(value, good[i].value);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		uint64_t value = 77;

		assert_false(lm_parse_uint(bad[i].text, bad[i].min, bad[i].max, &value));
		assert_int_equal(value, 77);
	}
}

static void check_seconds(void)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {
		{ "90", 90 },          { "1.5", 1.5 },
		{ "0.1", 0.1 },        { "1.1", 1.1 },
		{ "0010.250", 10.25 }, { "0.000000001", 1e-9 },
		{ "100", 100 },        { "0.50000000000000000000000000000", 0.5 },
	};
	static const char *const bad[] = { "",
					   "0",
					   "0.0",
					   "-1",
					   "1,5",
					   "1.",
					   ".",
					   "1.5s",
					   "1e1",
					   "nan",
					   "inf",
					   " 1",
					   "1 ",
					   "100.1",
					   "101",
					   "1.2.3",
					   "99999999999999999999999999" };

	for (size_t i = 0; i < COUNT(good); i++) {
		double value = -7;

		assert_true(lm_parse_seconds(good[i].text, 100, &value));
		assert_true(value == good[i].value);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		double value = -7;

		assert_false(lm_parse_seconds(bad[i], 100, &value));
		assert_true(value == -7);
	}
}

static void test_seconds(void **state)
{
	static const char *const comma_locales[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8" };

	(void)state;
	check_seconds();
	for (size_t i = 0; i < COUNT(comma_locales); i++) {
		if (setlocale(LC_ALL, comma_locales[i]))
			check_seconds();
	}
	setlocale(LC_ALL, "C");
}

static void test_size(void **state)
{
	static const struct {
		const char *text;
		enum lm_size_fault fault;
		uint64_t kib;
	} cases[] = {
		{ "10k", LM_SIZE_OK, 10 },
		{ "10K", LM_SIZE_OK, 10 },
		{ "10m", LM_SIZE_OK, 10240 },
		{ "10M", LM_SIZE_OK, 10240 },
		{ "2g", LM_SIZE_OK, 2097152 },
		{ "010G", LM_SIZE_OK, 10485760 },
		{ "0K", LM_SIZE_OK, 0 },
		{ "1048576G", LM_SIZE_OK, PIB_KIB },
		{ "", LM_SIZE_NO_NUMBER, 77 },
		{ "M", LM_SIZE_NO_NUMBER, 77 },
		{ "-10M", LM_SIZE_NO_NUMBER, 77 },
		{ " 10M", LM_SIZE_NO_NUMBER, 77 },
		{ "10", LM_SIZE_NO_UNIT, 77 },
		{ "99999999999999999999999", LM_SIZE_NO_UNIT, 77 },
		{ "10T", LM_SIZE_BAD_UNIT, 77 },
		{ "10MB", LM_SIZE_BAD_UNIT, 77 },
		{ "1.5M", LM_SIZE_BAD_UNIT, 77 },
		{ "10 M", LM_SIZE_BAD_UNIT, 77 },
		{ "1048577G", LM_SIZE_TOO_BIG, 77 },
		{ "1099511627777K", LM_SIZE_TOO_BIG, 77 },
		{ "17592186044416G", LM_SIZE_TOO_BIG, 77 }, /* 2^64 KiB: must not wrap to 0 */
		{ "99999999999999999999999K", LM_SIZE_TOO_BIG, 77 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t kib = 77;

		assert_int_equal(lm_parse_size_kib(cases[i].text, PIB_KIB, &kib), cases[i].fault);
		assert_int_equal(kib, cases[i].kib);
	}
}

static void test_size_fault_text(void **state)
{
	(void)state;
	assert_string_equal(lm_size_fault_text(LM_SIZE_NO_UNIT),
			    "has no unit: write 10K, 10M or 10G");
	assert_non_null(strstr(lm_size_fault_text(LM_SIZE_NO_NUMBER), "10M"));
	assert_non_null(strstr(lm_size_fault_text(LM_SIZE_BAD_UNIT), "10M"));
	assert_non_null(strstr(lm_size_fault_text(LM_SIZE_TOO_BIG), "1 PiB"));
}

static void test_percent(void **state)
{
	static const struct {
		const char *text;
		double value; /* 0: refused */
	} cases[] = {
		{ "5%", 5 },   { "5", 5 },     { "0.5%", 0.5 },
		{ "50%", 50 }, { "50.1%", 0 }, { "0.4", 0 },
		{ "%", 0 },    { "", 0 },      { "5%%", 0 },
		{ "-5%", 0 },  { "five", 0 },  { "5 %", 0 },
		{ "nan", 0 },  { "1e1", 0 },   { "0000000000000000000000000000000005%", 0 },
	};
	double value;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		value = 0;
		assert_int_equal(lm_parse_percent(cases[i].text, 0.5, 50, &value),
				 cases[i].value > 0);
		assert_true(value == cases[i].value);
	}
}

static void test_format_kib(void **state)
{
	static const struct {
		uint64_t kib;
		const char *text;
	} cases[] = {
		{ 0, "0K" },
		{ 15, "15K" },
		{ 512, "512K" },
		{ 1023, "1023K" },
		{ 1024, "1M" },
		{ 1025, "1025K" },
		{ 1536, "1.5M" },
		{ 10240, "10M" },
		{ 15360, "15M" },
		{ 15365, "15365K" },
		{ 1048576, "1G" },
		{ 1572864, "1.5G" },
		{ 1049088, "1024.5M" },
		{ 1310720, "1280M" },
		{ PIB_KIB, "1048576G" },
		{ UINT64_MAX, "18446744073709551615K" },
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(lm_format_kib(cases[i].kib, buf, sizeof(buf)), cases[i].text);
}

/* 83692752 / 1024 / 1024 = 79.815..., 359040 / 1024 = 350.625 */
static void test_about(void **state)
{
	char buf[32];

	(void)state;
	assert_string_equal(lm_format_about(0, buf, sizeof(buf)), "0K");
	assert_string_equal(lm_format_about(1023, buf, sizeof(buf)), "1023K");
	assert_string_equal(lm_format_about(359040, buf, sizeof(buf)), "350.6M");
	assert_string_equal(lm_format_about(83692752, buf, sizeof(buf)), "79.8G");
	assert_string_equal(lm_format_about((uint64_t)3 << 40, buf, sizeof(buf)), "3P");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_about),           cmocka_unit_test(test_uint),
		cmocka_unit_test(test_seconds),         cmocka_unit_test(test_size),
		cmocka_unit_test(test_size_fault_text), cmocka_unit_test(test_percent),
		cmocka_unit_test(test_format_kib),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
