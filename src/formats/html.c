/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *entity(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void lm_html_text(FILE *out, const char *text)
{
	size_t length = strlen(text), size = 4 * length + 8;
	char *clean = malloc(size);

	if (!clean)
		return;
	lm_text_quote(text, length, length, clean, size);
	for (const char *c = clean; *c; c++) {
		const char *e = entity(*c);

		if (e)
			fputs(e, out);
		else
			fputc(*c, out);
	}
	free(clean);
}

void lm_html_number(FILE *out, const char *format, double value)
{
	fputs("<td>", out);
	if (isfinite(value))
		fprintf(out, format, value);
	else
		fputs("&ndash;", out);
	fputs("</td>", out);
}
