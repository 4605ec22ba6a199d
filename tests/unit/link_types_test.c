// SPDX-License-Identifier: GPL-3.0-or-later
// The manual names each link type whose frames are decoded.
#include "packet/decode.h"
#include "packet/frame.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *read_page(void)
{
	char path[4096];
	char *text = calloc(1, 1 << 20);
	FILE *page;

	assert_non_null(getenv("SRC"));
	assert_non_null(text);
	(void)snprintf(path, sizeof(path), "%s/man/flitcap.1", getenv("SRC"));
	page = fopen(path, "r");
	assert_non_null(page);
	assert_in_range(fread(text, 1, (1 << 20) - 1, page), 1, (1 << 20) - 2);
	(void)fclose(page);
	return text;
}

static bool is_of_word(int c)
{
	return isalnum(c) || c == '_';
}

static bool has_word(const char *text, const char *word)
{
	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		if ((at == text || !is_of_word((unsigned char)at[-1])) &&
		    !is_of_word((unsigned char)at[strlen(word)]))
			return true;
	return false;
}

// By libpcap's name or, where it has none, by its number.
static void each_is_in_the_manual(void **state)
{
	char *page = read_page();
	unsigned missing = 0, decoded = 0;

	(void)state;
	for (unsigned number = 0; number <= UINT16_MAX; number++) {
		const char *name = pk_link_name((uint16_t)number);
		char digits[16];

		if (!pk_link_of((uint16_t)number, false).decode)
			continue;
		decoded++;
		(void)snprintf(digits, sizeof(digits), "%u", number);
		if (has_word(page, name ? name : digits))
			continue;
		print_error("man/flitcap.1 says nothing of the link type %u, %s\n", number,
			    name ? name : "without a name");
		missing++;
	}
	assert_int_equal(missing, 0);
	assert_in_range(decoded, 20, UINT16_MAX);
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_in_the_manual)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
