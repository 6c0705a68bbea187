/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/csv.h"

#include <math.h>
#include <string.h>

void lm_csv_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n") && text[0] != ' ') {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(strchr("\r\n", *text) ? ' ' : *text, out);
	}
	fputc('"', out);
}

void lm_csv_number(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, "%.12g", value);
}
