/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The legend of a picture: below it, so that it covers no line, in as many columns as fit. Pure. */
#ifndef LM_FORMATS_GNUPLOT_KEY_H
#define LM_FORMATS_GNUPLOT_KEY_H

#include <stdbool.h>
#include <stdio.h>

#include "formats/gnuplot.h"

#define LM_KEY_CROSSOVER "crossover: as many jobs/min as tasks"
#define LM_KEY_INVALID   "INVALID steps, without a figure"

struct lm_key {
	unsigned columns, rows;
	size_t characters; /* that fit beside each other in the picture */
	size_t most;       /* characters of a text */
	bool numbered;     /* shortened texts would be the same: numbers tell them apart */
	bool crossover, invalid;
	bool boxes; /* samples are no lines with dashes: they take less room */
};

void lm_key_of_chart(const struct lm_chart *chart, bool bars, size_t characters,
		     struct lm_key *key);
void lm_key_of_texts(const char *const *texts, size_t count, size_t characters, struct lm_key *key);

/* "set key ..." */
void lm_key_place(const struct lm_key *key, const struct lm_look *look, FILE *out);

/* An entry's text as it is shown. Returns buf. */
const char *lm_key_name(const struct lm_key *key, size_t i, const char *text, char *buf,
			size_t size);
#define LM_KEY_SPACE 1632 /* that a text takes at most */

/* " title '...'" of an entry. */
void lm_key_title(const struct lm_key *key, size_t i, const char *text, FILE *out);

/* Harmless text as a string of gnuplot's; format: where it is a format, in which a percent sign
 * stands for itself when it is doubled. */
void lm_key_quote(FILE *out, const char *text, bool format);

/* Characters (not bytes) of a text as it is shown. */
size_t lm_key_length(const char *text);

/* Text as it is shown: harmless, and at most max characters of it. Returns buf. */
const char *lm_key_shorten(const char *text, size_t max, char *buf, size_t size);

#endif
