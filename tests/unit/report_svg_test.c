// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "page/gnuplot.h"

static const struct svg_names names = {"f1-1", "a < b", "about"};

// The picture made from text; NULL if it is rejected.
static char *cleaned(const char *text, const char **rest)
{
	char *made = NULL;
	size_t bytes;
	FILE *out = open_memstream(&made, &bytes);
	struct tr_error err = {""};
	enum tr_status status = svg_write(out, &text, &names, &err);

	assert_int_equal(fclose(out), 0);
	*rest = text;
	if (status == TR_OK)
		return made;
	assert_true(status == TR_ERROR && *err.text);
	free(made);
	return NULL;
}

static void takes_the_page_s_names(void **state)
{
	static const char text[] =
		"<?xml version=\"1.0\"?><!-- made today -->\n<svg \n viewBox=\"0 0 440 300\" "
		"xmlns:xlink=\"x\">\n<title>Gnuplot</title><desc>Produced by GNUPLOT</desc>"
		"<g id=\"gnuplot_canvas\"><rect x=\"0\" fill=\"none\"/><defs><circle id='gpDot' "
		"r='0.5'/></defs>"
		"<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\">"
		"<path stroke='black'  d='M1,2\n\tL3,4'/><path stroke='rgb(  0, 114, 178)' "
		"d='M0,0'/>"
		"<polygon fill = 'rgb(255, 240, 255)' points = '1,2 '/>"
		"<use xlink:href='#gpPt6' transform='translate(1,2) scale(3)' color='rgb(213,  94, "
		"  0)'/>"
		"<g transform=\"translate(5,6)\" stroke=\"none\" fill=\"black\" "
		"font-family=\"sans\" "
		"font-size=\"12.00\"><text>a&lt;b > c</text></g></g></g></svg>rest";
	static const char expected[] =
		"<svg class=\"plot\" role=\"img\" viewBox=\"0 0 440 300\" aria-labelledby=\"f1-1-t "
		"f1-1-d\" "
		"fill=\"none\" stroke=\"currentColor\">\n<title id=\"f1-1-t\">a &lt; b</title>\n"
		"<desc id=\"f1-1-d\">about</desc>\n"
		"<path stroke=\"black\" d=\"M1,2 L3,4\"/>\n"
		"<path stroke=\"rgb(0,114,178)\" d=\"M0,0\"/>\n"
		"<polygon fill=\"rgb(255,240,255)\" points=\"1,2 \"/>\n"
		"<use href=\"#gpPt6\" transform=\"translate(1,2) scale(3)\" "
		"color=\"rgb(213,94,0)\"/>\n"
		"<g transform=\"translate(5,6)\" stroke=\"none\" fill=\"black\">"
		"<text>a&lt;b > c</text>\n</g>\n</svg>\n";
	const char *rest;
	char *made = cleaned(text, &rest);

	(void)state;
	assert_non_null(made);
	assert_string_equal(made, expected);
	assert_string_equal(rest, "rest");
	free(made);
}

static void refuses_what_gnuplot_does_not_write(void **state)
{
	static const char *const bad[] = {
		"",
		"<svg viewBox='0 0 1 1'>",
		"<svg><script>x</script></svg>",
		"<svg><image xlink:href='http://x'/></svg>",
		"<svg><g onclick=alert></g></svg>",
		"<svg><path d='M0\"0'/></svg>",
		"<svg><use xlink:href='#gpPt99' color='black'/></svg>",
		"<!-- no end",
		"</svg>",
		"<svg><path d='M0,0></svg>",
		"<svg><>",
		"<svg><use xlink:href='other.svg#x'/></svg>",
		"<svg><svg></svg></svg>",
		"<g></g>",
		"<svg><g></svg></g>",
	};
	const char *rest;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_null(cleaned(bad[i], &rest));
}

static void refuses_depth(void **state)
{
	char text[2000] = "<svg>";
	const char *rest;

	(void)state;
	for (int i = 0; i < 100; i++)
		strcat(text, "<g id='a'>");
	assert_null(cleaned(text, &rest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_page_s_names),
		cmocka_unit_test(refuses_what_gnuplot_does_not_write),
		cmocka_unit_test(refuses_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
