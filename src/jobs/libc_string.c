/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C library's string and character functions. */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/opaque.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

VIA(atof);
VIA(atoi);
VIA(atol);
VIA(ctime);
VIA(isalpha);
VIA(sprintf);
VIA(strcat);
VIA(strcmp);
VIA(strcoll);
VIA(strcpy);
VIA(strcspn);
VIA(strlen);
VIA(strncat);
VIA(strncmp);
VIA(strncpy);
VIA(strpbrk);
VIA(strrchr);
VIA(strspn);
VIA(strstr);
VIA(strtod);
VIA(strtol);
VIA(tolower);
VIA(toupper);

/* The classes besides isalpha. */
static int (*volatile const call_class[])(int) = {
	isalnum, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit,
};

/* 26 small letters, 26 capitals, 10 digits, 27 punctuation marks, 14 spaces, and 4 controls. */
static const char text[] = "abcdefghijklm nopqrstuvwxyz ABCDEFGHIJKLM NOPQRSTUVWXYZ 01234 56789 "
			   "!\"# $%& '() *+, -./ :;< =>?@ [\\]^ \t_\n\r\b";
static const char phrase[] = "many tasks, 1 disk";

enum {
	ROUNDS = 100,
	BUFFER = 1024,
	TEXT = sizeof(text) - 1,
	PHRASE = sizeof(phrase) - 1,
	PIECE = 10,  /* characters that strncat() appends */
	FULL = 1008, /* length at which no further phrase fits */
	FIRST_NUMBER = 1000,
};

_Static_assert(TEXT == 107 && PHRASE == 18,
	       "the strings have the lengths that docs/jobs.md states");

/*
 * True answers of a run, counted by hand. Each round starts from its number, 1,000 to 1,099:
 * 104,950. The text is in 438 classes: alnum 62, alpha 52, cntrl 4, digit 10, graph 89, lower 26,
 * print 103, punct 27, space 17, upper 26, xdigit 22. What follows it in the buffer is 916 zeros
 * in the first round (cntrl), and later 16 zeros and 90 times "many tasks" (9 letters in 5 classes
 * each, 2 of them hexadecimal, 1 space in 2): 4,426. 55 + 99 appended pieces compare equal, and so
 * do 14 results with what is known of them.
 */
enum { ANSWERS = 104950 + 100 * 438 + 916 + 99 * 4426 + 100 * (55 + 99 + 14) };

struct strings {
	char buffer[BUFFER];
	char copy[32];
	long answers;   /* true ones */
	uint64_t check; /* check sum of what has no such answer */
};

static uint64_t string_check; /* the sum of the run before the fork */

static void sum_up(struct strings *s, uint64_t value)
{
	s->check = s->check * 31 + value;
}

static void print_and_parse(struct strings *s, long number)
{
	double value = (double)number / 4;
	char *end;

	call_sprintf(s->buffer, "%g", value);
	s->answers += call_atof(s->buffer) == value;
	s->answers += call_strtod(s->buffer, &end) == value;
	s->answers += end == s->buffer + call_strlen(s->buffer);
	call_sprintf(s->buffer, "%ld", number);
	s->answers += call_strlen(s->buffer) == 4;
	sum_up(s, (uint64_t)(call_atol(s->buffer) + call_atoi(s->buffer)));
	s->answers += call_strtol(s->buffer, NULL, 10);
}

static void classify(struct strings *s)
{
	call_sprintf(s->buffer, "%s", text);
	s->answers += call_strlen(s->buffer) == TEXT;
	for (unsigned i = 0; i < BUFFER - 1; i++) {
		int c = s->buffer[i];

		for (unsigned k = 0; k < sizeof(call_class) / sizeof(call_class[0]); k++)
			s->answers += call_class[k](c) != 0;
		if (call_isalpha(c)) {
			s->answers++;
			sum_up(s, (uint64_t)(call_toupper(c) * 256 + call_tolower(c)));
		}
	}
}

static bool room_left(const struct strings *s)
{
	return BUFFER - call_strlen(s->buffer) > PHRASE;
}

/* Its ends, which is enough to see a copy go wrong. */
static bool begins_with_phrase(const struct strings *s)
{
	return s->buffer[0] == phrase[0] && s->buffer[PHRASE - 1] == phrase[PHRASE - 1];
}

static void append_phrases(struct strings *s)
{
	s->buffer[0] = '\0'; /* the phrase is there already */
	call_strcpy(s->buffer, s->copy);
	s->answers += begins_with_phrase(s);
	while (room_left(s)) {
		const char *end = s->buffer + call_strlen(s->buffer);

		call_strcat(s->buffer, s->copy);
		s->answers += call_strcmp(end, phrase) == 0;
	}
}

static void append_pieces(struct strings *s)
{
	call_strncpy(s->buffer, s->copy, 25);
	s->answers += begins_with_phrase(s);
	while (room_left(s)) {
		const char *end = s->buffer + call_strlen(s->buffer);

		call_strncat(s->buffer, s->copy, PIECE);
		s->answers += call_strncmp(end, phrase, PIECE) == 0;
	}
}

/* The buffer holds "many tasks, 1 diskmany tasksmany tasks..." */
static void search(struct strings *s)
{
	s->answers += call_strcmp(s->buffer, s->copy) > 0;
	s->answers += call_strcspn(s->buffer, ",") == 10;
	s->answers += call_strpbrk(s->buffer, "0123456789") == s->buffer + 12;
	s->answers += call_strrchr(s->buffer, 'y') == s->buffer + FULL - PIECE + 3;
	s->answers += call_strspn(s->buffer, "many task") == 10;
	s->answers += call_strstr(s->buffer, "diskmany") == s->buffer + 14;
	sum_up(s, call_strcoll(s->buffer, s->copy) > 0);
}

static void string_round(struct strings *s, long number, const time_t *now)
{
	const char *date;

	print_and_parse(s, number);
	classify(s);
	call_sprintf(s->copy, "%s", phrase);
	call_sprintf(s->buffer, "%s", s->copy);
	sum_up(s, call_strlen(s->copy));
	append_phrases(s);
	append_pieces(s);
	search(s);
	date = call_ctime(now);
	s->answers += date && date[24] == '\n' && date[25] == '\0';
}

static void string_rounds(struct strings *s)
{
	time_t now = time(NULL);

	memset(s, 0, sizeof(*s));
	for (long n = 0; n < ROUNDS; n++)
		string_round(s, FIRST_NUMBER + n, &now);
}

static int string_prepare(void)
{
	struct strings s;

	string_rounds(&s);
	string_check = s.check;
	return 0;
}

static enum lm_outcome string_rtns(struct lm_job_ctx *ctx)
{
	struct strings s;

	string_rounds(&s);
	if (s.answers != ANSWERS)
		return lm_job_wrong(ctx, "string functions gave %ld true answers; want %d",
				    s.answers, ANSWERS);
	if (s.check != string_check)
		return lm_job_wrong(ctx,
				    "string functions gave check sum %llx; %llx before the fork",
				    (unsigned long long)s.check, (unsigned long long)string_check);
	return LM_JOB_OK;
}

const struct lm_job lm_jobs_string[] = {
	{
		.name = "string_rtns",
		.unit = "String Manipulations",
		.class = LM_CLASS_LIBC,
		.factor = ROUNDS,
		.prepare = string_prepare,
		.run = string_rtns,
	},
	{ 0 },
};
