/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/dates.h"

#include "base/units.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What was told so far; 0 or -1: not yet. */
struct date {
	unsigned year, month, day;
	int hour, minute, second;
	bool weekday, zone, utc;
};

/* Index of word, from 1, in names of three letters each; 0 when it is not there. */
static unsigned name_index(const char *word, const char *names)
{
	unsigned n = 1;

	if (strlen(word) != 3)
		return 0;
	for (; *names; names += 3, n++)
		if (strncasecmp(word, names, 3) == 0)
			return n;
	return 0;
}

static bool is_number(const char *word, size_t digits, unsigned min, unsigned max, unsigned *out)
{
	uint64_t value;

	if (strlen(word) > digits || !lm_parse_uint(word, min, max, &value))
		return false;
	*out = (unsigned)value;
	return true;
}

/* "00:28:01" or "00:28" */
static bool is_time(const char *word, struct date *d)
{
	int hour, minute, second = 0, end = 0;
	size_t length = strlen(word);

	if (length != strspn(word, "0123456789:") || length > 8)
		return false;
	if (sscanf(word, "%2d:%2d%n:%2d%n", &hour, &minute, &end, &second, &end) < 2 ||
	    (size_t)end != length || hour > 23 || minute > 59 || second > 60)
		return false;
	d->hour = hour;
	d->minute = minute;
	d->second = second;
	return true;
}

static bool is_zone(const char *word, struct date *d)
{
	static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t length = strlen(word);
	bool offset = (*word == '+' || *word == '-') && length == 5 &&
		      strspn(word + 1, "0123456789") == 4;

	if (!offset && (length < 3 || length > 5 || strspn(word, capitals) != length))
		return false;
	d->utc = strcmp(word, "UTC") == 0 || strcmp(word, "GMT") == 0 || strcmp(word, "+0000") == 0;
	return true;
}

/* Take a word for whatever is still missing. */
static bool take_word(struct date *d, const char *word)
{
	if (!d->weekday && name_index(word, "MonTueWedThuFriSatSun"))
		return d->weekday = true;
	if (!d->month && (d->month = name_index(word, "JanFebMarAprMayJunJulAugSepOctNovDec")))
		return true;
	if (!d->day && is_number(word, 2, 1, 31, &d->day))
		return true;
	if (d->hour < 0 && is_time(word, d))
		return true;
	if (!d->year && strlen(word) == 4 && is_number(word, 4, 1970, 9999, &d->year))
		return true;
	return !d->zone && (d->zone = is_zone(word, d));
}

static bool parse_words(struct date *d, char *text)
{
	char *save = NULL;

	for (char *word = strtok_r(text, " \t,", &save); word; word = strtok_r(NULL, " \t,", &save))
		if (!take_word(d, word))
			return false;
	return true;
}

/* "2005-06-24T00:28:01Z", "2005-06-24 00:28" */
static bool parse_iso(struct date *d, char *text)
{
	size_t length = strlen(text);
	int end = 0;

	if (length < 16 || strspn(text, "0123456789-") != 10 || !strchr("T ", text[10]))
		return false;
	if (sscanf(text, "%4u-%2u-%2u%n", &d->year, &d->month, &d->day, &end) != 3 || end != 10)
		return false;
	d->utc = text[length - 1] == 'Z';
	if (d->utc)
		text[length - 1] = '\0';
	return is_time(text + 11, d);
}

static bool is_day(const struct date *d)
{
	static const unsigned char days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = d->year % 4 == 0 && (d->year % 100 != 0 || d->year % 400 == 0);

	if (d->year < 1970 || d->month < 1 || d->month > 12 || d->day < 1 || d->hour < 0)
		return false;
	return d->day <= days[d->month - 1] && (d->month != 2 || d->day < 29 || leap);
}

bool lm_date_parse(const char *text, char out[LM_DATE_SIZE])
{
	struct date words = { .hour = -1 }, iso = { .hour = -1 }, *d = &words;
	char copy[64], again[64];

	if (strlen(text) >= sizeof(copy))
		return false;
	strcpy(copy, text);
	strcpy(again, text);
	if (parse_iso(&iso, copy))
		d = &iso;
	else if (!parse_words(&words, again))
		return false;
	if (!is_day(d))
		return false;
	/* the remainders are the numbers; they show the compiler that there is room */
	snprintf(out, LM_DATE_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u%s", d->year % 10000,
		 d->month % 100, d->day % 100, (unsigned)d->hour % 100, (unsigned)d->minute % 100,
		 (unsigned)d->second % 100, d->utc ? "Z" : "");
	return true;
}
