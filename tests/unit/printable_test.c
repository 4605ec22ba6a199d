// SPDX-License-Identifier: GPL-3.0-or-later
// Text on its way to a terminal, as a whole and in pieces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "value/printable.h"

static const char hostile[] = "plain\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \x1b[31m \xc2\x9b"
			      "1m \x9b \xe2\x80\xae \xd8\x9c \xe2\x80"
			      "x \xf0\x9f\x98 \xc3\n\xef\xbb\xbf \xff\xc0\x80 end \xe2\x82";
static const char shown[] = "plain\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \\x1b[31m \\x9b1m \\x9b "
			    "\\u202e \\u061c \\xe2\\x80"
			    "x \\xf0\\x9f\\x98 \\xc3\n\\ufeff \\xff\\xc0\\x80 end \\xe2\\x82";

// Writes text in pieces of so many bytes.
static void check_pieces(size_t piece)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes), *stream;

	assert_non_null(out);
	stream = tr_printable_stream(out);
	assert_non_null(stream);
	for (size_t at = 0; at < sizeof(hostile) - 1; at += piece) {
		const size_t left = sizeof(hostile) - 1 - at, count = left < piece ? left : piece;

		assert_int_equal(fwrite(hostile + at, 1, count, stream), count);
		assert_int_equal(fflush(stream), 0);
	}
	assert_int_equal(fclose(stream), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, shown);
	free(text);
}

static void pieces_make_no_difference(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < sizeof(hostile); piece++)
		check_pieces(piece);
}

static void a_failure_is_seen(void **state)
{
	FILE *full = fopen("/dev/full", "w"), *stream;

	(void)state;
	assert_non_null(full);
	stream = tr_printable_stream(full);
	assert_non_null(stream);
	(void)fputs("a line\n", stream);
	(void)fclose(stream);
	assert_true(ferror(full));
	(void)fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_make_no_difference),
		cmocka_unit_test(a_failure_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
