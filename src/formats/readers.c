/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/readers.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define BOM      "\xef\xbb\xbf"
#define PEEK_MAX 4096 /* blank bytes that are looked through; more of them begin no journal */

/* A source of which the first bytes were looked at, and are given out again. */
struct peek {
	lm_getbyte get;
	void *state;
	size_t count, at;
	int end; /* what came after them, when that was no byte */
	unsigned char bytes[PEEK_MAX];
};

static int peek_byte(void *state)
{
	struct peek *p = state;

	if (p->at < p->count)
		return p->bytes[p->at++];
	return p->end < 0 ? p->end : p->get(p->state);
}

/* Byte order marks, and blanks. */
static bool is_skipped(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xef || c == 0xbb || c == 0xbf;
}

/* The first byte that is not blank, or what came instead. */
static int look_ahead(struct peek *p)
{
	int c = 0;

	while (p->count < PEEK_MAX) {
		c = p->get(p->state);
		if (c < 0) {
			p->end = c;
			break;
		}
		p->bytes[p->count++] = (unsigned char)c;
		if (!is_skipped(c))
			break;
	}
	return c;
}

/* What no text begins with, and what it is then; NULL: anything else. */
static const char *packed_as(int first)
{
	switch (first) {
	case 0x1f:
		return "compressed (gzip?): unpack it first, for instance with zcat";
	case 0xfd:
		return "compressed (xz?): unpack it first, for instance with xzcat";
	case 0xfe:
	case 0xff:
		return "text in UTF-16: turn it into UTF-8 first, with iconv";
	default:
		return NULL;
	}
}

int lm_runs_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		 struct lm_error *err)
{
	struct peek p = { .get = get, .state = state };
	int first = look_ahead(&p);

	if (first < -1)
		return lm_error_at(err, source, 0, 0, "cannot be read: %s", strerror(errno));
	if (packed_as(first))
		return lm_error_at(err, source, 0, 0, "is %s", packed_as(first));
	if (p.count >= 3 && memcmp(p.bytes, BOM, 3) == 0)
		p.at = 3;
	if (first == '{')
		return lm_journal_read(peek_byte, &p, source, out, err);
	return lm_posted_read(peek_byte, &p, source, out, err);
}

int lm_runs_load(const char *path, struct lm_runs *out, struct lm_error *err)
{
	FILE *file;
	int rc;

	if (strcmp(path, "-") == 0)
		return lm_runs_read(lm_input_byte, stdin, "standard input", out, err);
	file = lm_input_open(path, "a file of results", err);
	if (!file)
		return -1;
	rc = lm_runs_read(lm_input_byte, file, path, out, err);
	fclose(file);
	return rc;
}
