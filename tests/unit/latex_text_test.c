// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "page/latex_text.h"

static void check_words(const char *text, const char *want)
{
	char *made = NULL;
	size_t bytes;
	FILE *out = open_memstream(&made, &bytes);

	assert_non_null(out);
	latex_write_words(out, text, 24);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(made, want);
	free(made);
}

static void hyphens_of_options_are_no_dash(void **state)
{
	(void)state;
	check_words("--set", "-{}-set");
	check_words("flitcut --after 2 -n 3 ---", "flitcut -{}-after 2 -n 3 -{}-{}-");
	check_words("a-b -1 - 2", "a-b $-$1 $-$ 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hyphens_of_options_are_no_dash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
