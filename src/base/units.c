/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/units.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB_KIB ((uint64_t)1 << 10)
#define GIB_KIB ((uint64_t)1 << 20)

/* The <ctype.h> functions follow the locale; numbers here do not. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read the digits at s; returns where they end. *fits is false when the value is above max. */
static const char *read_digits(const char *s, uint64_t max, uint64_t *value, bool *fits)
{
	*value = 0;
	*fits = true;
	for (; is_digit(*s); s++) {
		uint64_t digit = (uint64_t)(*s - '0');

		if (digit > max || *value > (max - digit) / 10)
			*fits = false;
		else
			*value = *value * 10 + digit;
	}
	return s;
}

bool lm_parse_uint(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	uint64_t value;
	bool fits;

	if (!is_digit(*text) || *read_digits(text, max, &value, &fits) != '\0')
		return false;
	if (!fits || value < min)
		return false;
	*out = value;
	return true;
}

bool lm_parse_seconds(const char *text, double max, double *out)
{
	/* Nanoseconds are as fine as the clock; what is finer is read and dropped. */
	uint64_t whole, scale = 1, fraction = 0;
	double value;
	bool fits;
	const char *s = read_digits(text, UINT64_MAX / 1000000000u - 1, &whole, &fits);

	if (*s == '.') {
		if (!is_digit(*++s))
			return false;
		for (; is_digit(*s); s++) {
			if (scale == 1000000000u)
				continue;
			fraction = fraction * 10 + (uint64_t)(*s - '0');
			scale *= 10;
		}
	}
	if (s == text || *s != '\0' || !fits)
		return false;
	/* One division of two whole numbers rounds once: "1.1" becomes what the compiler makes. */
	value = (double)(whole * scale + fraction) / (double)scale;
	if (value <= 0 || value > max)
		return false;
	*out = value;
	return true;
}

bool lm_parse_percent(const char *text, double min, double max, double *out)
{
	size_t length = strlen(text);
	char number[32];
	double value;

	if (length && text[length - 1] == '%')
		length--;
	if (length == 0 || length >= sizeof(number))
		return false;
	memcpy(number, text, length);
	number[length] = '\0';
	if (!lm_parse_seconds(number, max, &value) || value < min)
		return false;
	*out = value;
	return true;
}

static const char *skip_digits(const char *s)
{
	while (is_digit(*s))
		s++;
	return s;
}

/* Where the decimal number at s ends; s itself when there is none. */
static const char *number_end(const char *s)
{
	const char *first = s + (*s == '-' || *s == '+'), *end, *power;

	if (!is_digit(*first))
		return s;
	end = skip_digits(first);
	if (*end == '.' && is_digit(end[1]))
		end = skip_digits(end + 1);
	if (*end != 'e' && *end != 'E')
		return end;
	power = end + 1 + (end[1] == '-' || end[1] == '+');
	return is_digit(*power) ? skip_digits(power) : end;
}

bool lm_parse_number(const char *text, double *out)
{
	const char *end = number_end(text);
	locale_t plain;
	double value;

	if (end == text || *end != '\0')
		return false;
	plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!plain)
		return false;
	value = strtod_l(text, NULL, plain);
	freelocale(plain);
	if (!isfinite(value))
		return false;
	*out = value;
	return true;
}

static uint64_t unit_kib(char unit)
{
	switch (unit) {
	case 'k':
	case 'K':
		return 1;
	case 'm':
	case 'M':
		return MIB_KIB;
	case 'g':
	case 'G':
		return GIB_KIB;
	default:
		return 0;
	}
}

enum lm_size_fault lm_parse_size_kib(const char *text, uint64_t max_kib, uint64_t *kib)
{
	uint64_t value, unit;
	bool fits;
	const char *end = read_digits(text, max_kib, &value, &fits);

	if (end == text)
		return LM_SIZE_NO_NUMBER;
	if (*end == '\0')
		return LM_SIZE_NO_UNIT;
	unit = unit_kib(*end);
	if (unit == 0 || end[1] != '\0')
		return LM_SIZE_BAD_UNIT;
	if (!fits || value > max_kib / unit)
		return LM_SIZE_TOO_BIG;
	*kib = value * unit;
	return LM_SIZE_OK;
}

const char *lm_size_fault_text(enum lm_size_fault fault)
{
	switch (fault) {
	case LM_SIZE_OK:
		return "is a size";
	case LM_SIZE_NO_NUMBER:
		return "does not start with a whole number: write 10K, 10M or 10G";
	case LM_SIZE_NO_UNIT:
		return "has no unit: write 10K, 10M or 10G";
	case LM_SIZE_BAD_UNIT:
		return "is not a whole number and one letter of K, M and G: write 10K, 10M or 10G";
	case LM_SIZE_TOO_BIG:
		return "is too big: 1 PiB (1048576G) is the limit";
	}
	return "is no size: write 10K, 10M or 10G";
}

/* True when kib is a number of units with at most one decimal: a tenth of 1024 that is exact is a
 * half. */
static bool is_written_in(uint64_t kib, uint64_t unit)
{
	return kib >= unit && kib % (unit / 2) == 0;
}

const char *lm_format_kib(uint64_t kib, char *buf, size_t size)
{
	uint64_t unit = 1;
	char letter = 'K';

	if (is_written_in(kib, GIB_KIB)) {
		unit = GIB_KIB;
		letter = 'G';
	} else if (is_written_in(kib, MIB_KIB)) {
		unit = MIB_KIB;
		letter = 'M';
	}
	snprintf(buf, size, "%" PRIu64 "%s%c", kib / unit, kib % unit ? ".5" : "", letter);
	return buf;
}

const char *lm_format_about(uint64_t kib, char *buf, size_t size)
{
	static const char units[] = "KMGTP";
	double value = (double)kib;
	uint64_t tenths;
	int unit = 0;

	while (value >= 1024 && units[unit + 1]) {
		value /= 1024;
		unit++;
	}
	tenths = (uint64_t)(value * 10 + 0.5);
	if (tenths % 10)
		snprintf(buf, size, "%" PRIu64 ".%u%c", tenths / 10, (unsigned)(tenths % 10),
			 units[unit]);
	else
		snprintf(buf, size, "%" PRIu64 "%c", tenths / 10, units[unit]);
	return buf;
}

bool lm_parse_bytes(const char *text, uint64_t *bytes)
{
	uint64_t kib;
	size_t length = strlen(text);

	if (length && is_digit(text[length - 1]))
		return lm_parse_uint(text, 0, UINT64_MAX, bytes);
	if (lm_parse_size_kib(text, UINT64_MAX / 1024, &kib) != LM_SIZE_OK)
		return false;
	*bytes = kib * 1024;
	return true;
}

const char *lm_format_bytes(uint64_t bytes, char *buf, size_t size)
{
	static const char units[] = "KMGTP";
	int unit = -1;

	while (bytes && bytes % 1024 == 0 && units[unit + 1]) {
		bytes /= 1024;
		unit++;
	}
	if (unit < 0)
		snprintf(buf, size, "%" PRIu64, bytes);
	else
		snprintf(buf, size, "%" PRIu64 "%c", bytes, units[unit]);
	return buf;
}
