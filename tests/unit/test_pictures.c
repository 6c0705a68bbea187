/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that goes to gnuplot and into pages; axes; pictures in a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/gnuplot.h"
#include "formats/gnuplot_axis.h"
#include "formats/gnuplot_key.h"
#include "formats/html.h"
#include "formats/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t size;

static FILE *begin(void)
{
	free(text);
	text = NULL;
	return open_memstream(&text, &size);
}

/* What was written since begin(). */
static const char *ended(FILE *out)
{
	fclose(out);
	return text;
}

static const char *gnuplot_of(const char *label, size_t max)
{
	FILE *out = begin();

	lm_gnuplot_text(out, label, max);
	return ended(out);
}

static const char *html_of(const char *label)
{
	FILE *out = begin();

	lm_html_text(out, label);
	return ended(out);
}

/* In single quotes nothing but the quote itself ends the text. */
static void test_gnuplot_text(void **state)
{
	(void)state;
	assert_string_equal(gnuplot_of("5.10.0-rc1+ \"quoted\"", 50), "'5.10.0-rc1+ \"quoted\"'");
	assert_string_equal(gnuplot_of("$(x)\\{`date`", 50), "'$(x)\\{`date`'");
	assert_string_equal(gnuplot_of("a'b", 50), "'a'.\"'\".'b'");
	assert_string_equal(gnuplot_of("''", 50), "''.\"'\".''.\"'\".''");
	assert_string_equal(gnuplot_of("two\nlines", 50), "'two\\x0alines'");
	assert_string_equal(gnuplot_of("\xff", 50), "'\\xff'");
}

/* 12 characters: 6 of the beginning, the dots, 3 of the end. */
static void test_shorten(void **state)
{
	char buf[64];

	(void)state;
	assert_string_equal(lm_key_shorten("abcdefghijkl", 12, buf, sizeof(buf)), "abcdefghijkl");
	assert_string_equal(lm_key_shorten("abcdefghijklmnop", 12, buf, sizeof(buf)),
			    "abcdef...nop");
	assert_string_equal(lm_key_shorten("äöüäöüäöüäöüäöü", 12, buf, sizeof(buf)),
			    "äöüäöü...äöü");
	assert_int_equal(lm_key_length("größe"), 5);
}

/* 40 characters hold two entries of 10 with samples of 10 beside each other, three in two rows. */
static void test_key(void **state)
{
	const char *const names[] = { "0123456789", "b", "c" };
	const char *const same[] = {
		"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyAyyyyyyyyyyyyyyy"
		"yyyyy",
		"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyByyyyyyyyyyyyyyy"
		"yyyyy"
	};
	struct lm_key key = { 0 };

	(void)state;
	lm_key_of_texts(names, 3, 40, &key);
	assert_int_equal(key.columns, 2);
	assert_int_equal(key.rows, 2);
	assert_false(key.numbered);
	lm_key_of_texts(same, 2, 40, &key);
	assert_true(key.numbered); /* shortened they are the same */
	assert_int_equal(key.columns, 1);
	assert_int_equal(key.rows, 2);
}

/* Two names of 13 characters and their samples: 2 x 23 of lines, 2 x 21 of boxes. */
static void test_boxes(void **state)
{
	const char *const names[] = { "shared_memory", "shared_memor2" };
	struct lm_key lines = { 0 }, boxes = { .boxes = true };

	(void)state;
	lm_key_of_texts(names, 2, 45, &lines);
	lm_key_of_texts(names, 2, 45, &boxes);
	assert_int_equal(lines.columns, 1);
	assert_int_equal(boxes.columns, 2);
}

static void test_html(void **state)
{
	(void)state;
	assert_string_equal(html_of("<b>&\"';$(x)\\{"), "&lt;b&gt;&amp;&quot;&#39;;$(x)\\{");
	assert_string_equal(html_of("größe 日本"), "größe 日本");
	assert_string_equal(html_of("a\x1b[0m\n"), "a\\x1b[0m\\x0a");
	assert_string_equal(html_of("\xc3("), "\\xc3(");
}

/* --- axes ------------------------------------------------------------------------------------- */

static const struct lm_look plain = { .x = { NAN, NAN }, .y = { NAN, NAN } };

/* In a picture of 45 characters numbers of six digits and a gap each fit five times into the three
 * quarters that the axis has; 0.001 to 0.006 fit as well, with every second one of them. */
static void test_narrow(void **state)
{
	struct lm_chart_point points[2] = { { .tasks = 120000, .y.n = 1 },
					    { .tasks = 960000, .y.n = 1 } };
	struct lm_chart_line line = { .points = points, .count = 2 };
	struct lm_chart chart = { .lines = &line, .line_count = 1 };

	(void)state;
	assert_true(lm_axis_of_tasks(&chart, &plain, 96).step == 200000);
	assert_true(lm_axis_of_tasks(&chart, &plain, 45).step == 200000);
	assert_true(lm_axis_of_tasks(&chart, &plain, 30).step == 500000);
	assert_true(fabs(lm_axis_to(0.0057, 96).step - 0.001) < 1e-12);
	assert_true(fabs(lm_axis_to(0.0057, 45).step - 0.002) < 1e-12);
}

/* Ticks are whole, powers of two when loads span more than a factor of 16, and never more than
 * nine. */
static void test_tasks(void **state)
{
	static const unsigned spans[][2] = { { 1, 2 },   { 1, 9 },      { 1, 16 },
					     { 1, 17 },  { 5, 1000 },   { 7, 7 },
					     { 1, 200 }, { 900, 1000 }, { 1, 1000000 } };
	static const bool logs[] = { false, false, false, true, true, false, true, false, true };

	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(*logs); i++) {
		struct lm_chart_point points[2] = { { .tasks = spans[i][0], .y.n = 1 },
						    { .tasks = spans[i][1], .y.n = 1 } };
		struct lm_chart_line line = { .points = points, .count = 2 };
		struct lm_chart chart = { .lines = &line, .line_count = 1 };
		struct lm_axis a = lm_axis_of_tasks(&chart, &plain, 96);

		assert_int_equal(a.log, logs[i]);
		assert_true(a.from <= spans[i][0] && a.to >= spans[i][1] && a.from < a.to);
		assert_true(a.step >= 1 && a.step == floor(a.step));
		if (a.log)
			assert_true(log(a.to / a.from) / log(a.step) <= 9);
		else
			assert_true((a.to - a.from) / a.step <= 9);
	}
}

static void test_figures(void **state)
{
	struct lm_chart_point point = { .tasks = 1,
					.y = { .n = 1, .mean = 50, .min = 40, .max = 60 } };
	struct lm_chart_line line = { .points = &point, .count = 1 };
	struct lm_chart chart = { .lines = &line, .line_count = 1 };
	struct lm_look look = plain;
	struct lm_axis a = lm_axis_of_figure(&chart, &look);

	(void)state;
	assert_true(a.from == 0 && a.to > 60 && a.to < 70); /* linear: from 0 */
	look.y = (struct lm_span){ 30, NAN };
	a = lm_axis_of_figure(&chart, &look);
	assert_true(a.from == 30 && a.to > 60);
	look.log = LM_LOG_Y;
	look.y = (struct lm_span){ NAN, NAN };
	a = lm_axis_of_figure(&chart, &look);
	assert_true(a.log && a.from > 0 && a.from < 40 && a.to > 60);
	point.y.n = 0; /* nothing valid: an axis all the same */
	look.log = LM_LOG_AUTO;
	a = lm_axis_of_figure(&chart, &look);
	assert_true(a.from == 0 && a.to >= 1);
}

/* --- pictures in a page ----------------------------------------------------------------------- */

#define HEAD                                                         \
	"<?xml version=\"1.0\"?>\n<svg\n viewBox=\"0 0 480 300\"\n " \
	"xmlns=\"http://x\">\n<title>G</title>\n"
#define BODY "<g id=\"gnuplot_canvas\">"

static void test_split(void **state)
{
	static const char two[] = HEAD BODY "1</g></svg>\n" HEAD BODY "2</g></svg>\n";
	struct lm_svg svg[3];

	(void)state;
	assert_int_equal(lm_svg_split(two, strlen(two), svg, 3), 2);
	assert_int_equal(svg[1].width, 480);
	assert_int_equal(svg[1].height, 300);
	assert_int_equal(svg[1].size, strlen(BODY "2</g>"));
	assert_memory_equal(svg[1].text, BODY "2</g>", svg[1].size);
	assert_int_equal(lm_svg_split(two, strlen(two) - 10, svg, 3), -1); /* torn */
	assert_int_equal(lm_svg_split("nothing", 7, svg, 3), 0);
}

static const char *inside_of(const char *markup)
{
	struct lm_svg svg = { .text = markup, .size = strlen(markup) };
	FILE *out = begin();

	lm_svg_inside(&svg, "p1", out);
	return ended(out);
}

/* Ids and colours change, text of labels does not, whatever it looks like. */
static void test_inside(void **state)
{
	(void)state;
	assert_string_equal(inside_of("<circle id='gpDot'/>"), "<circle id='p1gpDot'/>");
	assert_string_equal(inside_of("<use xlink:href='#gpPt6' color='rgb(213,  94,   0)'/>"),
			    "<use href='#p1gpPt6' color='var(--c2,#d55e00)'/>");
	assert_string_equal(inside_of("<path stroke='rgb(  1,   2,   3)'/>"),
			    "<path stroke='#010203'/>");
	assert_string_equal(inside_of("<path stroke='black'  d='M1'/>"),
			    "<path stroke='currentColor'  d='M1'/>");
	assert_string_equal(inside_of("<text> id='x' stroke='black' rgb(1,2,3)</text>"),
			    "<text> id='x' stroke='black' rgb(1,2,3)</text>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gnuplot_text), cmocka_unit_test(test_shorten),
		cmocka_unit_test(test_key),          cmocka_unit_test(test_html),
		cmocka_unit_test(test_boxes),        cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_tasks),        cmocka_unit_test(test_figures),
		cmocka_unit_test(test_split),        cmocka_unit_test(test_inside),
	};
	int rc = cmocka_run_group_tests(tests, NULL, NULL);

	free(text);
	return rc;
}
