// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "value/escape.h"

typedef void writer(FILE *out, const char *text);

// The writer's form of text; freed by the caller.
static char *written(writer *write, const char *text)
{
	char *made = NULL;
	size_t bytes;
	FILE *out = open_memstream(&made, &bytes);

	assert_non_null(out);
	write(out, text);
	assert_int_equal(fclose(out), 0);
	return made;
}

static void expect(writer *write, const char *text, const char *made)
{
	char *found = written(write, text);

	assert_string_equal(found, made);
	free(found);
}

static void makes_markup_safe(void **state)
{
	(void)state;
	expect(text_write_markup, "</title><script>alert('1' & \"2\")</script>",
	       "&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39; &amp; &quot;2&quot;)&lt;/script&gt;");
	expect(text_write_markup,
	       "a\x01"
	       "b\x7f"
	       "c\td\ne",
	       "a b c d e");
	expect(text_write_markup_lines, "<\n>", "&lt;\n&gt;");
	expect(text_write_markup, "µ → ok", "µ → ok");
}

// Overlong forms, surrogates, what is beyond Unicode, ends in the middle and C1 controls.
static void replaces_what_is_no_text(void **state)
{
	static const char *const bad[] = {"\xc0\xbc", "\xed\xa0\x80", "\xf4\x90\x80\x80",
					  "\xe2\x82", "\xff"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *made = written(text_write_markup, bad[i]);

		assert_ptr_equal(strstr(made, "\xef\xbf\xbd"), made);
		assert_null(strstr(made, bad[i]));
		free(made);
	}
	expect(text_write_markup,
	       "a\xc2\x9b"
	       "b",
	       "a b");
}

static void makes_gnuplot_strings_safe(void **state)
{
	(void)state;
	expect(text_write_gnuplot, "it's `ls` $x @m \"q\" 10%\nset output 'x'",
	       "\"it's \\140ls\\140 $x @m \\\"q\\\" 10% set output 'x'\"");
	expect(text_write_gnuplot, "'a''\\n", "\"'a''\\\\n\"");
	expect(text_write_gnuplot, "a]]>b", "\"a]]\xe2\x81\xa0>b\"");
	expect(text_write_gnuplot_tic, "100%d", "\"100%%d\"");
	expect(text_write_dot, "a\"\\\nb", "\"a\\\"\\\\ b\"");
	expect(text_write_latex, "[*]", "{[}{*}]");
}

static void keeps_terminals_safe(void **state)
{
	(void)state;
	expect(text_write_plain, "a\033[2Jb\nc<d>", "a [2Jb c<d>");
	expect(text_write_plain_lines, "\a\n<", " \n<");
}

static void shortens_in_characters(void **state)
{
	char out[TEXT_LABEL_BYTES];

	(void)state;
	assert_string_equal(text_shorten("node0", 8, out), "node0");
	assert_string_equal(text_shorten("192.168.100.200", 9, out), "192.….200");
	assert_int_equal(text_width("µµµ→"), 4);
	assert_int_equal(text_width(text_shorten("µµµµµµµµµµµµ", 5, out)), 5);
	assert_true(strlen(text_shorten("\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80", 200,
					out)) == 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_markup_safe),
		cmocka_unit_test(replaces_what_is_no_text),
		cmocka_unit_test(makes_gnuplot_strings_safe),
		cmocka_unit_test(keeps_terminals_safe),
		cmocka_unit_test(shortens_in_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
