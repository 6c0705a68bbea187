/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/svg.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gnuplot.h"

/* --- taking apart ----------------------------------------------------------------------------- */

static const char *find(const char *text, const char *end, const char *what)
{
	return text ? memmem(text, (size_t)(end - text), what, strlen(what)) : NULL;
}

/* One picture; returns where it ends, or NULL. */
static const char *take(const char *text, const char *end, struct lm_svg *out)
{
	const char *head = find(text, end, "<svg"), *size = find(head, end, "viewBox=\"0 0 ");
	const char *inside = find(size, end, "<g id=\"gnuplot_canvas\">");
	const char *foot = find(inside, end, "</svg>");
	char *rest;

	if (!foot || size > inside)
		return NULL;
	out->width = (unsigned)strtoul(size + strlen("viewBox=\"0 0 "), &rest, 10);
	out->height = (unsigned)strtoul(rest, NULL, 10);
	out->text = inside;
	out->size = (size_t)(foot - inside);
	return out->width && out->height ? foot + strlen("</svg>") : NULL;
}

int lm_svg_split(const char *text, size_t size, struct lm_svg *out, size_t max)
{
	const char *end = text + size;
	int n = 0;

	while ((size_t)n < max && find(text, end, "<svg")) {
		text = take(text, end, &out[n]);
		if (!text)
			return -1;
		n++;
	}
	return n;
}

/* --- putting it into a page ------------------------------------------------------------------- */

/* What is written instead of a text; "" for nothing, "%s" for the prefix. */
struct change {
	const char *from, *to;
};

/* Text of labels cannot be mistaken for these: its '<' are escaped. */
static const struct change changes[] = {
	{ " id=\"", " id=\"%s" },
	{ " id='", " id='%s" },
	{ "xlink:href='#", "href='#%s" },
	{ "url(#", "url(#%s" },
	{ "<title>", "<!--" },
	{ "</title>", "-->" },
	{ "stroke='black'", "stroke='currentColor'" },
	{ "stroke=\"black\"", "stroke=\"currentColor\"" },
	{ "fill=\"black\"", "fill=\"currentColor\"" },
	{ "fill='black'", "fill='currentColor'" },
	{ " color=\"black\"", "" },
	{ " color='black'", "" },
	{ " color=\"white\"", "" },
	{ " font-family=\"sans-serif\"", "" },
	{ " stroke-linecap=\"butt\" stroke-linejoin=\"miter\"", "" },
};

static const struct change *change_at(const char *s, size_t left)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		size_t n = strlen(changes[i].from);

		if (n <= left && memcmp(s, changes[i].from, n) == 0)
			return &changes[i];
	}
	return NULL;
}

/* The length of "rgb(  0, 114, 178)" at s and its colour as a number; 0 when there is none. */
static size_t colour_at(const char *s, size_t left, long *colour)
{
	char copy[32];
	unsigned r, g, b;
	int length = 0;

	snprintf(copy, sizeof(copy), "%.*s", (int)(left < 31 ? left : 31), s);
	if (sscanf(copy, "rgb(%u,%u,%u)%n", &r, &g, &b, &length) != 3 || length == 0)
		return 0;
	*colour = (long)(r << 16 | g << 8 | b);
	return (size_t)length;
}

static void put_colour(FILE *out, long colour)
{
	const char *rest = LM_REST_COLOUR, *grid = LM_GRID_COLOUR;

	for (size_t i = 0; i < LM_COLOURS; i++)
		if (colour == strtol(lm_gnuplot_colour(i) + 1, NULL, 16)) {
			fprintf(out, "var(--c%zu,%s)", i + 1, lm_gnuplot_colour(i));
			return;
		}
	if (colour == strtol(rest + 1, NULL, 16))
		fprintf(out, "var(--rest,%s)", rest);
	else if (colour == strtol(grid + 1, NULL, 16))
		fprintf(out, "var(--grid,%s)", grid);
	else
		fprintf(out, "#%06lx", (unsigned long)colour);
}

static void put_change(FILE *out, const struct change *change, const char *prefix)
{
	size_t n = strlen(change->to);

	if (n > 2 && strcmp(change->to + n - 2, "%s") == 0)
		fprintf(out, "%.*s%s", (int)(n - 2), change->to, prefix);
	else
		fputs(change->to, out);
}

/* Inside of a tag; returns what was used of it. */
static size_t put_markup(FILE *out, const char *s, size_t left, const char *prefix)
{
	const struct change *change = change_at(s, left);
	long colour;
	size_t n;

	if (change) {
		put_change(out, change, prefix);
		return strlen(change->from);
	}
	n = *s == 'r' ? colour_at(s, left, &colour) : 0;
	if (n) {
		put_colour(out, colour);
		return n;
	}
	fputc(*s, out);
	return 1;
}

void lm_svg_inside(const struct lm_svg *svg, const char *prefix, FILE *out)
{
	const char *s = svg->text, *end = s + svg->size;
	bool in_tag = false;

	while (s < end) {
		if (*s == '<')
			in_tag = true;
		if (in_tag) {
			const char *now = s;

			s += put_markup(out, s, (size_t)(end - s), prefix);
			in_tag = memchr(now, '>', (size_t)(s - now)) == NULL;
		} else {
			fputc(*s++, out);
		}
	}
}
