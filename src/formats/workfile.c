/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workfile is read a line at a time, a line a token at a time. Columns are bytes from 1. */
#include "formats/workfile.h"

#include "base/text.h"
#include "base/units.h"
#include "model/kinds.h"
#include "model/mix.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_LINE  65536
#define MAX_QUOTE 60

enum { END_OF_INPUT, HAVE_LINE, FAILED = -1 };

struct reader {
	lm_getbyte get;
	void *state;
	const char *source;
	const struct lm_workfile_kinds *kinds;
	struct lm_mix *mix;
	struct lm_error *err;
	long line;
	bool after_cr; /* a line feed that comes next belongs to the line before */
	long filesize_line, poolsize_line; /* where they were given, 0 = not yet */
	size_t length;
	char text[MAX_LINE + 1];
};

/* A word of a line: column from 1, length 0 = there is none. */
struct token {
	const char *text;
	size_t length;
	long column;
};

/* A token as it is shown in a message. */
struct quote {
	char text[4 * MAX_QUOTE + 4];
};

static struct quote quoted(struct token t)
{
	struct quote q = { "" };

	lm_text_quote(t.text, t.length, MAX_QUOTE, q.text, sizeof(q.text));
	return q;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes that no text file has. */
static bool is_binary(int c)
{
	return (c < ' ' && c != '\t' && c != '\f') || c == 0x7f;
}

static int read_failed(struct reader *r)
{
	return lm_error_at(r->err, r->source, 0, 0, "cannot be read: %s", strerror(errno));
}

static int too_long(struct reader *r)
{
	return lm_error_at(r->err, r->source, r->line, MAX_LINE + 1,
			   "the line is longer than %d bytes: expected a workfile with lines of "
			   "<weight> <name>",
			   MAX_LINE);
}

static int next_byte(struct reader *r)
{
	int c = r->get(r->state);

	if (r->after_cr && c == '\n')
		c = r->get(r->state);
	r->after_cr = c == '\r';
	return c;
}

/* Read a line without its end into text. LF, CR LF and a lone CR end a line, so does the end. */
static int read_line(struct reader *r)
{
	int c = next_byte(r);

	r->length = 0;
	if (c == -1)
		return END_OF_INPUT;
	r->line++;
	for (; c != '\n' && c != '\r' && c != -1; c = next_byte(r)) {
		if (c < 0)
			return read_failed(r);
		if (is_binary(c))
			return lm_error_at(r->err, r->source, r->line, (long)r->length + 1,
					   "binary data (byte 0x%02x): expected a text file with "
					   "lines of <weight> <name>",
					   (unsigned)c);
		if (r->length == MAX_LINE)
			return too_long(r);
		r->text[r->length++] = (char)c;
	}
	r->text[r->length] = '\0';
	return HAVE_LINE;
}

/* The byte order mark is no part of the first line. */
static void drop_bom(struct reader *r)
{
	if (strncmp(r->text, "\xef\xbb\xbf", 3) != 0)
		return;
	r->length -= 3;
	memmove(r->text, r->text + 3, r->length + 1);
}

/* The next word at or after s; one without length at the end of the line. */
static struct token next_token(const struct reader *r, const char *s)
{
	struct token t;

	while (is_blank(*s))
		s++;
	t.text = s;
	while (*s && !is_blank(*s))
		s++;
	t.length = (size_t)(s - t.text);
	t.column = (long)(t.text - r->text) + 1;
	return t;
}

static struct token token_after(const struct reader *r, struct token t)
{
	return next_token(r, t.text + t.length);
}

/* The token as a string in buf; false when it does not fit. */
static bool copy_token(struct token t, char *buf, size_t size)
{
	if (t.length >= size)
		return false;
	memcpy(buf, t.text, t.length);
	buf[t.length] = '\0';
	return true;
}

static int bad_weight(struct reader *r, struct token t)
{
	const char *digits = t.text + strspn(t.text, "0123456789");
	const char *why = "is no weight: expected <weight> <name>, the weight a whole number";
	struct quote q = quoted(t);

	if (t.text[0] == '-' && is_digit(t.text[1]))
		why = "is negative: expected a weight of 1 or more";
	else if (digits == t.text + t.length)
		why = "is too big for a weight: expected 1000000000 at most";
	else if (digits > t.text && (*digits == '.' || *digits == ',') &&
		 strspn(digits + 1, "0123456789") == (size_t)(t.text + t.length - digits - 1))
		why = "is a fraction: expected a whole number; multiply all weights by the same "
		      "factor, only their ratio counts";
	return lm_error_at(r->err, r->source, r->line, t.column, "'%s' %s", q.text, why);
}

static int parse_weight(struct reader *r, struct token t, uint64_t *weight)
{
	struct token digits = t;
	size_t zeros = strspn(t.text, "0");
	char text[MAX_QUOTE];

	/* A weight with any number of leading zeros is short without them. */
	if (zeros > 0 && is_digit(t.text[zeros])) {
		digits.text += zeros;
		digits.length -= zeros;
	}
	if (!copy_token(digits, text, sizeof(text)) ||
	    !lm_parse_uint(text, 0, LM_MAX_WEIGHT, weight))
		return bad_weight(r, t);
	if (*weight == 0)
		return lm_error_at(r->err, r->source, r->line, t.column,
				   "the weight is 0: expected 1 or more; leave the line out, or "
				   "put # in column one, to leave the kind out");
	return 0;
}

/* A kind of the program or one that the file has defined above. */
static const struct lm_job *find_kind(const struct reader *r, const char *name)
{
	for (size_t i = 0; i < r->mix->made_count; i++)
		if (lm_name_equal(r->mix->made[i]->name, name))
			return r->mix->made[i];
	return lm_kind_find(r->kinds->list, name);
}

static int missing_name(struct reader *r, struct token name)
{
	if (name.length == 0)
		return lm_error_at(r->err, r->source, r->line, name.column,
				   "no name after the weight: expected <weight> <name>, as in "
				   "'20 add_int'");
	return lm_error_at(r->err, r->source, r->line, name.column,
			   "'%s' stands where a name is expected: a line that starts with # in "
			   "column one is a comment",
			   quoted(name).text);
}

static int unknown_kind(struct reader *r, struct token t, const char *name)
{
	char near[256];

	if (name && lm_kind_nearest(r->kinds->list, name, near, sizeof(near))[0])
		return lm_error_at(r->err, r->source, r->line, t.column,
				   "unknown job kind '%s' (near to it: %s); 'loadmix list' "
				   "shows all",
				   quoted(t).text, near);
	return lm_error_at(r->err, r->source, r->line, t.column,
			   "unknown job kind '%s': 'loadmix list' shows those known",
			   quoted(t).text);
}

/* Letters of a parameter's key at the start of a token that has the form key=value, else 0. */
static size_t key_length(struct token t)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-.0123"
				      "456789";
	size_t n = strspn(t.text, allowed);

	return n < t.length && t.text[n] == '=' && !is_digit(t.text[0]) ? n : 0;
}

/* What follows the name is free text, but for parameters: "block=64K". */
static int read_params(struct reader *r, struct token t)
{
	for (; t.length > 0 && t.text[0] != '#'; t = token_after(r, t)) {
		size_t length = key_length(t);
		char *key = length ? strndup(t.text, t.length) : NULL;
		int rc = 0;

		if (!length)
			continue;
		if (!key)
			return lm_error_sys(r->err, "%s", r->source);
		key[length] = '\0';
		rc = lm_mix_set_param(r->mix, key, key + length + 1, r->source, r->line, t.column,
				      r->err);
		free(key);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int add_entry(struct reader *r, const struct lm_job *job, uint64_t weight)
{
	if (r->mix->count >= LM_MAX_ENTRIES)
		return lm_error_at(r->err, r->source, r->line, 1,
				   "more than %u lines of <weight> <name>: that is the limit",
				   LM_MAX_ENTRIES);
	if (lm_mix_add(r->mix, job, weight, r->line) < 0)
		return lm_error_set(r->err, LM_ERR_SYSTEM, "out of memory for the workfile");
	return 0;
}

static int parse_entry(struct reader *r, struct token first)
{
	struct token name_token = token_after(r, first);
	char name[256];
	const struct lm_job *job;
	uint64_t weight = 0;

	if (parse_weight(r, first, &weight) < 0)
		return -1;
	if (name_token.length == 0 || name_token.text[0] == '#')
		return missing_name(r, name_token);
	if (!copy_token(name_token, name, sizeof(name)))
		return unknown_kind(r, name_token, NULL);
	job = find_kind(r, name);
	if (!job)
		return unknown_kind(r, name_token, name);
	if (add_entry(r, job, weight) < 0)
		return -1;
	return read_params(r, token_after(r, name_token));
}

/* If the line starts with the keyword, with or without a colon: what follows it, else NULL. */
static const char *after_keyword(struct token t, const char *keyword)
{
	size_t n = strlen(keyword);
	const char *s = t.text + n;

	if (t.length < n || strncasecmp(t.text, keyword, n) != 0)
		return NULL;
	if (t.length > n && *s != ':')
		return NULL;
	while (is_blank(*s))
		s++;
	return *s == ':' ? s + 1 : s;
}

/* A keyword that gives a size: where it was given (0 = not yet), and where the size goes. */
struct size_line {
	const char *keyword;
	long *given;
	uint64_t *kib;
};

static int parse_size(struct reader *r, struct token first, const char *rest, struct size_line line)
{
	struct token value = next_token(r, rest), more = token_after(r, value);
	enum lm_size_fault fault = LM_SIZE_BAD_UNIT;
	char text[MAX_QUOTE];

	if (*line.given)
		return lm_error_at(r->err, r->source, r->line, first.column,
				   "%s was already given in line %ld: expected it once",
				   line.keyword, *line.given);
	if (value.length == 0 || value.text[0] == '#')
		return lm_error_at(r->err, r->source, r->line, value.column,
				   "no size after %s: write 10K, 10M or 10G", line.keyword);
	if (copy_token(value, text, sizeof(text)))
		fault = lm_parse_size_kib(text, LM_MAX_SIZE_KIB, line.kib);
	if (fault != LM_SIZE_OK)
		return lm_error_at(r->err, r->source, r->line, value.column, "%s '%s' %s",
				   line.keyword, quoted(value).text, lm_size_fault_text(fault));
	if (more.length > 0 && more.text[0] != '#')
		return lm_error_at(r->err, r->source, r->line, more.column,
				   "'%s' follows the size: expected the end of the line",
				   quoted(more).text);
	*line.given = r->line;
	return 0;
}

static bool is_kind_name(const char *name)
{
	return name[0] >= 'a' && name[0] <= 'z' &&
	       name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

static int define_kind(struct reader *r, struct token name_token, const char *name,
		       struct token command)
{
	char why[256];
	struct lm_job *job = r->kinds->command(name, command.text, why, sizeof(why));

	if (!job)
		return lm_error_at(r->err, r->source, r->line, command.column,
				   "the command line of %s has %s", quoted(name_token).text, why);
	if (lm_mix_own(r->mix, job, command.text) == 0)
		return 0;
	free(job);
	return lm_error_set(r->err, LM_ERR_SYSTEM, "out of memory for the workfile");
}

/* "COMMAND: untar tar xf x.tar": defines a kind, which lines of <weight> <name> can then use. */
static int parse_command(struct reader *r, const char *rest)
{
	struct token name_token = next_token(r, rest), command = token_after(r, name_token);
	char name[64];

	if (!copy_token(name_token, name, sizeof(name)) || !is_kind_name(name))
		return lm_error_at(
			r->err, r->source, r->line, name_token.column,
			"'%s' is no name for a job kind: expected COMMAND: <name> <command "
			"line>, the name of small letters, digits, _ and -, up to 63",
			quoted(name_token).text);
	if (find_kind(r, name))
		return lm_error_at(r->err, r->source, r->line, name_token.column,
				   "there is a job kind '%s' already: choose another name", name);
	if (command.length == 0)
		return lm_error_at(r->err, r->source, r->line, command.column,
				   "no command line after '%s': expected COMMAND: <name> <command "
				   "line>",
				   name);
	return define_kind(r, name_token, name, command);
}

/* A line that starts with none of a weight, a known keyword and '#'. */
static int bad_start(struct reader *r, struct token t)
{
	char name[256];
	struct quote q = quoted(t);

	if (t.text[0] == '#')
		return lm_error_at(r->err, r->source, r->line, t.column,
				   "'%s': a comment starts with # in column one, this # stands in "
				   "column %ld; move it there",
				   q.text, t.column);
	if (copy_token(t, name, sizeof(name)) && find_kind(r, name))
		return lm_error_at(r->err, r->source, r->line, t.column,
				   "no weight before '%s': expected <weight> <name>, as in '20 %s'",
				   q.text, q.text);
	if (memchr(t.text, ':', t.length) || token_after(r, t).text[0] == ':')
		return lm_error_at(r->err, r->source, r->line, t.column,
				   "unknown keyword '%s': expected FILESIZE, POOLSIZE, COMMAND or "
				   "<weight> <name>",
				   q.text);
	return bad_weight(r, t);
}

static int parse_line(struct reader *r)
{
	const struct size_line sizes[] = {
		{ "FILESIZE", &r->filesize_line, &r->mix->filesize_kib },
		{ "POOLSIZE", &r->poolsize_line, &r->mix->poolsize_kib },
	};
	struct token first = next_token(r, r->text);
	const char *command;

	if (first.length == 0 || r->text[0] == '#')
		return 0;
	if (is_digit(first.text[0]))
		return parse_entry(r, first);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const char *rest = after_keyword(first, sizes[i].keyword);

		if (rest)
			return parse_size(r, first, rest, sizes[i]);
	}
	command = after_keyword(first, "COMMAND");
	if (command && r->kinds->command)
		return parse_command(r, command);
	return bad_start(r, first);
}

static int read_lines(struct reader *r)
{
	int state;

	while ((state = read_line(r)) == HAVE_LINE) {
		if (r->line == 1)
			drop_bom(r);
		if (parse_line(r) < 0)
			return -1;
	}
	if (state == FAILED)
		return -1;
	if (r->mix->count == 0)
		return lm_error_at(r->err, r->source, r->line ? r->line : 1, 1,
				   "the file ends without a job kind: expected lines of <weight> "
				   "<name>, as in '20 add_int'");
	return 0;
}

int lm_workfile_read(lm_getbyte get, void *state, const char *source,
		     const struct lm_workfile_kinds *kinds, struct lm_mix *out,
		     struct lm_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	int result;

	if (!r)
		return lm_error_set(err, LM_ERR_SYSTEM, "out of memory for the workfile");
	r->get = get;
	r->state = state;
	r->source = source;
	r->kinds = kinds;
	r->mix = out;
	r->err = err;
	result = read_lines(r);
	free(r);
	return result;
}

/* What people call the workload: "fserver" for "mixes/workfile.fserver". */
static char *name_of(const char *path)
{
	static const char prefix[] = "workfile.";
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (strncmp(name, prefix, sizeof(prefix) - 1) == 0 && name[sizeof(prefix) - 1])
		name += sizeof(prefix) - 1;
	return strdup(name);
}

int lm_workfile_load(const char *path, const struct lm_workfile_kinds *kinds, struct lm_mix *out,
		     struct lm_error *err)
{
	FILE *file = lm_input_open(path, "a workfile", err);
	int result;

	if (!file)
		return -1;
	result = lm_workfile_read(lm_input_byte, file, path, kinds, out, err);
	fclose(file);
	if (result < 0)
		return -1;
	out->name = name_of(path);
	out->path = strdup(path);
	if (!out->name || !out->path)
		return lm_error_set(err, LM_ERR_SYSTEM, "out of memory for the workfile");
	return 0;
}
