/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/plain_lines.h"

#include <string.h>

#define BOM "\xef\xbb\xbf"

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* What stands between the blanks, moved to the front. */
static void trim(struct lm_plain_line *line)
{
	char *text = line->text;
	size_t length = strlen(text), lead = 0;

	if (line->number == 1 && strncmp(text, BOM, strlen(BOM)) == 0)
		lead = strlen(BOM);
	while (is_blank(text[lead]))
		lead++;
	while (length > lead && is_blank(text[length - 1]))
		length--;
	memmove(text, text + lead, length - lead);
	text[length - lead] = '\0';
}

static void look_for_controls(struct lm_plain_line *line)
{
	for (const char *at = line->text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			line->fault = "has a control character in it";
}

int lm_plain_line_read(FILE *in, struct lm_plain_line *line)
{
	size_t length = 0;
	int c = getc(in);

	if (c == EOF)
		return ferror(in) ? -1 : 0;
	line->number++;
	line->fault = NULL;
	for (; c != '\n' && c != EOF; c = getc(in)) {
		if (c == '\0')
			c = 1; /* a control character as well, and no end of text */
		if (length < sizeof(line->text) - 1)
			line->text[length++] = (char)c;
		else
			line->fault = "is too long";
	}
	if (ferror(in))
		return -1;
	line->text[length] = '\0';
	trim(line);
	look_for_controls(line);
	return 1;
}
