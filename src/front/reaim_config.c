/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/reaim_config.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"

#define BOM       "\xef\xbb\xbf"
#define BLANKS    " \t"
#define MOST_DIRS 1024

enum value_type { SIZE, NUMBER, SWITCH, PATH };

struct keyword {
	const char *name;
	enum value_type type;
	size_t offset; /* of the member; PATH has none */
	uint64_t max;  /* NUMBER: from 1 */
};

#define AT(MEMBER) offsetof(struct lm_reaim_config, MEMBER)

static const struct keyword keywords[] = {
	{ "FILESIZE", SIZE, AT(filesize_kib), LM_MAX_SIZE_KIB },
	{ "POOLSIZE", SIZE, AT(poolsize_kib), LM_MAX_SIZE_KIB },
	{ "DISKDIR", PATH, 0, 0 },
	{ "STARTUSERS", NUMBER, AT(start), LM_MAX_TASKS },
	{ "ENDUSERS", NUMBER, AT(end), LM_MAX_TASKS },
	{ "INCREMENT", NUMBER, AT(increment), LM_MAX_TASKS },
	{ "JOBS", NUMBER, AT(jobs), LM_MAX_JOBS },
	{ "VERBOSE", SWITCH, AT(verbose), 0 },
	{ "CROSSOVER", SWITCH, AT(crossover), 0 },
	{ "BRIEF", SWITCH, AT(brief), 0 },
};

#define KEYWORD_COUNT (sizeof(keywords) / sizeof(*keywords))

struct reader {
	const char *source;
	char *text; /* the line without its end and its comment */
	long line;
	long given[KEYWORD_COUNT]; /* line of each keyword, 0: not yet */
	struct lm_reaim_config *out;
	struct lm_error *err;
};

/* --- errors -------------------------------------------------------------------------------- */

static int bad(const struct reader *r, const char *at, const char *expected)
{
	char shown[300];

	if (!*at)
		return lm_error_at(r->err, r->source, r->line, at - r->text + 1,
				   "the line ends: expected %s", expected);
	return lm_error_at(r->err, r->source, r->line, at - r->text + 1, "'%s': expected %s",
			   lm_text_quote(at, strlen(at), 60, shown, sizeof(shown)), expected);
}

static int bad_keyword(const struct reader *r, char *at, size_t length)
{
	at[length] = '\0';
	return bad(r, at,
		   "one of the keywords FILESIZE, POOLSIZE, DISKDIR, STARTUSERS, ENDUSERS, "
		   "INCREMENT, JOBS, VERBOSE, CROSSOVER and BRIEF");
}

/* --- values -------------------------------------------------------------------------------- */

static void *member(const struct reader *r, const struct keyword *k)
{
	return (char *)r->out + k->offset;
}

static int take_size(const struct reader *r, const struct keyword *k, const char *value)
{
	enum lm_size_fault fault = lm_parse_size_kib(value, k->max, member(r, k));
	char shown[300];

	if (!*value)
		return bad(r, value, "a size such as 10k, 10m or 1g");
	if (fault == LM_SIZE_OK)
		return 0;
	return lm_error_at(r->err, r->source, r->line, value - r->text + 1, "%s '%s' %s", k->name,
			   lm_text_quote(value, strlen(value), 60, shown, sizeof(shown)),
			   lm_size_fault_text(fault));
}

static int take_number(const struct reader *r, const struct keyword *k, const char *value)
{
	char expected[64];

	if (lm_parse_uint(value, 1, k->max, member(r, k)))
		return 0;
	snprintf(expected, sizeof(expected), "a number from 1 to %llu", (unsigned long long)k->max);
	return bad(r, value, expected);
}

static int take_switch(const struct reader *r, const struct keyword *k, const char *value)
{
	uint64_t number;

	if (!lm_parse_uint(value, 0, UINT32_MAX, &number))
		return bad(r, value, "0 (off) or 1 (on)");
	*(bool *)member(r, k) = number != 0;
	return 0;
}

static int take_path(const struct reader *r, const char *value)
{
	struct lm_reaim_config *c = r->out;

	if (!*value)
		return bad(r, value, "a directory");
	if (c->dir_count == MOST_DIRS)
		return bad(r, value, "no more than 1024 directories");
	c->dirs[c->dir_count] = strdup(value);
	if (!c->dirs[c->dir_count])
		return lm_error_sys(r->err, "%s", r->source);
	c->dir_lines[c->dir_count++] = r->line;
	return 0;
}

static int take_value(struct reader *r, size_t index, const char *value)
{
	const struct keyword *k = &keywords[index];

	if (k->type == PATH)
		return take_path(r, value);
	if (r->given[index])
		return lm_error_at(r->err, r->source, r->line, 0,
				   "%s was already given in line %ld: expected it once", k->name,
				   r->given[index]);
	r->given[index] = r->line;
	if (k->type == SIZE)
		return take_size(r, k, value);
	return k->type == NUMBER ? take_number(r, k, value) : take_switch(r, k, value);
}

/* --- lines --------------------------------------------------------------------------------- */

/* Where the text of the line begins: not with a byte order mark. */
static size_t first_letter(const struct reader *r)
{
	return r->line == 1 && strncmp(r->text, BOM, strlen(BOM)) == 0 ? strlen(BOM) : 0;
}

/* Cut what does not count: the end of the line, a comment, blanks before them. */
static int trim(struct reader *r, size_t length)
{
	size_t first = first_letter(r);
	char *text = r->text;

	if (length && text[length - 1] == '\n')
		text[--length] = '\0';
	if (length && text[length - 1] == '\r')
		text[--length] = '\0';
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' && text[i] != '\t')
			return lm_error_at(r->err, r->source, r->line, (long)i + 1,
					   "binary data (byte 0x%02x): expected lines of <keyword> "
					   "<value>",
					   (unsigned char)text[i]);
	for (size_t i = first; i < length; i++)
		if (text[i] == '#' && (i == first || strchr(BLANKS, text[i - 1])))
			length = i;
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	text[length] = '\0';
	return 0;
}

static int parse_line(struct reader *r)
{
	char *at = r->text + first_letter(r), *value;
	size_t length;

	at += strspn(at, BLANKS);
	length = strcspn(at, BLANKS ":");
	if (!*at)
		return 0;
	value = at + length + strspn(at + length, BLANKS);
	value += *value == ':';
	value += strspn(value, BLANKS);
	for (size_t i = 0; i < KEYWORD_COUNT; i++)
		if (strlen(keywords[i].name) == length &&
		    strncasecmp(at, keywords[i].name, length) == 0)
			return take_value(r, i, value);
	return bad_keyword(r, at, length);
}

static int read_lines(struct reader *r, FILE *in)
{
	size_t size = 0;
	ssize_t length;
	int rc = 0;

	while (rc == 0 && (length = getline(&r->text, &size, in)) >= 0) {
		r->line++;
		rc = trim(r, (size_t)length);
		if (rc == 0)
			rc = parse_line(r);
	}
	if (rc == 0 && ferror(in))
		rc = lm_error_at(r->err, r->source, 0, 0, "cannot be read: %s", strerror(errno));
	free(r->text);
	return rc;
}

int lm_reaim_config_read(FILE *in, const char *source, struct lm_reaim_config *out,
			 struct lm_error *err)
{
	struct reader r = { .source = source, .out = out, .err = err };

	out->dirs = calloc(MOST_DIRS, sizeof(*out->dirs));
	out->dir_lines = calloc(MOST_DIRS, sizeof(*out->dir_lines));
	if (!out->dirs || !out->dir_lines)
		return lm_error_sys(err, "%s", source);
	return read_lines(&r, in);
}

void lm_reaim_config_free(struct lm_reaim_config *config)
{
	for (size_t i = 0; i < config->dir_count; i++)
		free(config->dirs[i]);
	free(config->dirs);
	free(config->dir_lines);
	*config = (struct lm_reaim_config){ 0 };
}
