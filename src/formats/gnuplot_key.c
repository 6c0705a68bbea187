/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/gnuplot_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/gnuplot.h"

/* Characters that a sample and the gaps take. */
#define LINE_SAMPLE 10
#define BOX_SAMPLE  8

#define TEXT_MOST   400
#define TEXT_SPACE  (4 * TEXT_MOST + 8)

_Static_assert(LM_KEY_SPACE >= TEXT_SPACE + 24, "a number and a text");

/* --- texts ------------------------------------------------------------------------------------ */

static bool begins(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t characters_of(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += begins(*s);
	return n;
}

/* Where the character of that index begins. */
static const char *at(const char *s, size_t index)
{
	for (; *s; s++)
		if (begins(*s) && index-- == 0)
			break;
	return s;
}

size_t lm_key_length(const char *text)
{
	char clean[TEXT_SPACE];

	return characters_of(lm_text_quote(text, strlen(text), TEXT_MOST, clean, sizeof(clean)));
}

const char *lm_key_shorten(const char *text, size_t max, char *buf, size_t size)
{
	char clean[TEXT_SPACE];
	size_t n, head;

	lm_text_quote(text, strlen(text), TEXT_MOST, clean, sizeof(clean));
	n = characters_of(clean);
	if (n <= max || max < 5) {
		snprintf(buf, size, "%s", clean);
		return buf;
	}
	head = (max - 3) * 2 / 3;
	snprintf(buf, size, "%.*s...%s", (int)(at(clean, head) - clean), clean,
		 at(clean, n - (max - 3 - head)));
	return buf;
}

void lm_key_quote(FILE *out, const char *text, bool format)
{
	fputc('\'', out);
	for (; *text; text++) {
		/* gnuplot reads '' in single quotes, but not twice in a row */
		if (*text == '\'')
			fputs("'.\"'\".'", out);
		else
			fputc(*text, out);
		if (*text == '%' && format)
			fputc('%', out);
	}
	fputc('\'', out);
}

void lm_gnuplot_text(FILE *out, const char *text, size_t max)
{
	char shown[TEXT_SPACE];

	lm_key_quote(out, lm_key_shorten(text, max, shown, sizeof(shown)), false);
}

/* --- the legend ------------------------------------------------------------------------------- */

static bool any_same(const char *const *texts, size_t count, size_t most)
{
	char a[TEXT_SPACE], b[TEXT_SPACE];

	for (size_t i = 0; i < count; i++) {
		lm_key_shorten(texts[i], most, a, sizeof(a));
		for (size_t k = 0; k < i; k++)
			if (strcmp(a, lm_key_shorten(texts[k], most, b, sizeof(b))) == 0)
				return true;
	}
	return false;
}

static size_t sample_of(const struct lm_key *key)
{
	return key->boxes ? BOX_SAMPLE : LINE_SAMPLE;
}

static void lay_out(struct lm_key *key, size_t longest, size_t entries, size_t most)
{
	size_t columns;

	if (longest > most)
		longest = most;
	columns = key->characters / (longest + sample_of(key));
	if (columns > entries)
		columns = entries;
	key->columns = columns ? (unsigned)columns : 1;
	key->rows = ((unsigned)entries + key->columns - 1) / key->columns;
	key->most = most;
}

void lm_key_of_texts(const char *const *texts, size_t count, size_t characters, struct lm_key *key)
{
	size_t longest = 1, sample = sample_of(key);
	size_t most = characters > sample + 12 ? characters - sample : 12;

	key->characters = characters;
	key->numbered = any_same(texts, count, most);
	for (size_t i = 0; i < count; i++) {
		size_t n = lm_key_length(texts[i]) + (key->numbered ? 5 : 0);

		longest = n > longest ? n : longest;
	}
	if (key->crossover && longest < strlen(LM_KEY_CROSSOVER))
		longest = strlen(LM_KEY_CROSSOVER);
	if (key->invalid && longest < strlen(LM_KEY_INVALID))
		longest = strlen(LM_KEY_INVALID);
	lay_out(key, longest, count + key->crossover + key->invalid, most);
	if (key->numbered)
		key->most -= 5;
}

void lm_key_of_chart(const struct lm_chart *chart, bool bars, size_t characters, struct lm_key *key)
{
	const char **texts = calloc(chart->line_count + 1, sizeof(*texts));

	/* bars stand at no place where a number of tasks could be drawn */
	*key = (struct lm_key){
		.crossover = chart->crossover && (!bars || chart->figure != LM_FIG_JOBS_PER_MIN),
		.invalid = chart->invalid_steps > 0,
	};
	for (size_t i = 0; texts && i < chart->line_count; i++)
		texts[i] = chart->lines[i].label;
	lm_key_of_texts(texts, texts ? chart->line_count : 0, characters, key);
	free(texts);
}

/* Half of the height that is added is above the legend: it parts it from the axis' name. */
void lm_key_place(const struct lm_key *key, const struct lm_look *look, FILE *out)
{
	fprintf(out, "set key bmargin center vertical maxrows %u Left reverse noautotitle%s%s\n",
		key->rows, key->boxes ? " samplen 2" : "",
		look->drawing == LM_DRAW_TEXT ? "" : " height 1.2");
}

const char *lm_key_name(const struct lm_key *key, size_t i, const char *text, char *buf,
			size_t size)
{
	char shown[TEXT_SPACE];

	lm_key_shorten(text, key->most, shown, sizeof(shown));
	if (key->numbered)
		snprintf(buf, size, "%zu. %s", i + 1, shown);
	else
		snprintf(buf, size, "%s", shown);
	return buf;
}

void lm_key_title(const struct lm_key *key, size_t i, const char *text, FILE *out)
{
	char name[LM_KEY_SPACE];

	fputs(" title ", out);
	lm_key_quote(out, lm_key_name(key, i, text, name, sizeof(name)), false);
}
