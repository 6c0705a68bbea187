/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LETTERS 63

static char same_dash(char c)
{
	return c == '-' ? '_' : c;
}

/* Names are ASCII: the locale's idea of case does not matter. */
static char folded(char c)
{
	return same_dash(c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
}

bool lm_name_equal(const char *a, const char *b)
{
	for (; *a && same_dash(*a) == same_dash(*b); a++, b++)
		;
	return *a == *b;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* One row of the edit table: row[j] edits make the first j letters of b of a's first i. */
static void next_row(const char *a, size_t i, const char *b, size_t length,
		     const unsigned *before_last, const unsigned *last, unsigned *row)
{
	char letter = folded(a[i - 1]);

	row[0] = (unsigned)i;
	for (size_t j = 1; j <= length; j++) {
		unsigned differs = letter != folded(b[j - 1]);

		row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + differs);
		if (i > 1 && j > 1 && letter == folded(b[j - 2]) &&
		    folded(a[i - 2]) == folded(b[j - 1]))
			row[j] = least(row[j], before_last[j - 2] + 1);
	}
}

unsigned lm_name_distance(const char *a, const char *b)
{
	unsigned rows[3][NAME_MAX_LETTERS + 1];
	size_t m = strlen(a), n = strlen(b);

	if (m > NAME_MAX_LETTERS || n > NAME_MAX_LETTERS)
		return UINT_MAX;
	for (size_t j = 0; j <= n; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++)
		next_row(a, i, b, n, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
	return rows[m % 3][n];
}

/* Length of the well-formed UTF-8 sequence that starts with lead, 0 when none does. */
static size_t sequence_length(unsigned char lead)
{
	if (lead >= 0xc2 && lead <= 0xdf)
		return 2;
	if (lead >= 0xe0 && lead <= 0xef)
		return 3;
	return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/* Bytes of the character at s if it can be shown as it is, else 0. */
static size_t showable(const unsigned char *s, size_t left)
{
	static const uint32_t least_code[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	size_t n = sequence_length(s[0]);
	uint32_t code;

	if (s[0] >= 0x20 && s[0] < 0x7f)
		return 1;
	if (n == 0 || n > left)
		return 0;
	code = s[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3fu);
	}
	/* Below: overlong forms, and the controls U+0080 to U+009F that drive terminals. */
	if (code < least_code[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return n;
}

const char *lm_text_quote(const char *text, size_t length, size_t max, char *buf, size_t size)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t used = 0, i = 0;

	if (size == 0)
		return buf;
	while (i < length) {
		size_t n = showable(s + i, length - i), step = n ? n : 1;

		/* Room for "..." is kept until the end is known to fit. */
		if (i + step > max || used + (n ? n : 4) + 4 > size)
			break;
		if (n)
			memcpy(buf + used, s + i, n);
		else
			snprintf(buf + used, size - used, "\\x%02x", s[i]);
		used += n ? n : 4;
		i += step;
	}
	snprintf(buf + used, size - used, "%s", i < length ? "..." : "");
	return buf;
}

/* Nothing in it means anything to a shell. */
static bool is_plain_word(const char *word)
{
	return word[0] && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					    "0123456789%+,-./:=@_")] == '\0';
}

static bool all_showable(const char *word)
{
	const unsigned char *s = (const unsigned char *)word;
	size_t left = strlen(word), n;

	for (; left > 0; s += n, left -= n) {
		n = showable(s, left);
		if (n == 0)
			return false;
	}
	return true;
}

/* Octal takes three digits at most, so what follows is never taken for one. */
static void put_escaped(FILE *out, const char *word)
{
	const unsigned char *s = (const unsigned char *)word;
	size_t left = strlen(word), n;

	fputs("$'", out);
	for (; left > 0; s += n, left -= n) {
		size_t shown = showable(s, left);

		n = shown ? shown : 1;
		if (*s == '\'' || *s == '\\')
			fputc('\\', out);
		if (shown)
			fwrite(s, 1, n, out);
		else
			fprintf(out, "\\%03o", *s);
	}
	fputc('\'', out);
}

static void put_word(FILE *out, const char *word)
{
	if (is_plain_word(word)) {
		fputs(word, out);
		return;
	}
	if (!all_showable(word)) {
		put_escaped(out, word);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\'", out);
		fputc(*word, out);
	}
	fputc('\'', out);
}

char *lm_text_shell(const char *const *argv)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool whole;

	if (!out)
		return NULL;
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			fputc(' ', out);
		put_word(out, argv[i]);
	}
	whole = !ferror(out);
	if (fclose(out) == 0 && whole)
		return text;
	free(text);
	return NULL;
}

size_t lm_text_width(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

int lm_text_fill(const char *text, int width)
{
	size_t used = lm_text_width(text);

	return used < (size_t)width ? width - (int)used : 0;
}
