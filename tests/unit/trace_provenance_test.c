// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stream/provenance.h"

static void test_tree(void **state)
{
	struct tr_provenance before = {.text = NULL}, after = {.text = NULL};

	(void)state;
	tr_provenance_line(&before, 0, "flitcap", "1.2.3");
	tr_provenance_line(&before, 1, "option", "--read=fft.pcap");
	tr_provenance_line(&after, 0, "flitcut", "1.2.3");
	tr_provenance_input(&after, 1, "/a/b/fft.flt", before.text);
	assert_string_equal(after.text, "flitcut 1.2.3\n"
					"  input fft.flt\n"
					"    flitcap 1.2.3\n"
					"      option --read=fft.pcap\n");
	tr_provenance_clear(&before);
	tr_provenance_clear(&after);
	assert_null(after.text);
	assert_int_equal(after.bytes, 0);
}

// A file's name cannot forge a line, nor can a nested text without a final newline.
static void test_lines_stay_lines(void **state)
{
	struct tr_provenance text = {.text = NULL};

	(void)state;
	tr_provenance_input(&text, 0, "dir/a\nflitcap 9\x7f\033", "x");
	tr_provenance_nest(&text, 1, "one\ntwo");
	assert_string_equal(text.text, "input a?flitcap 9??\n  x\n  one\n  two\n");
	tr_provenance_clear(&text);
}

static void test_base(void **state)
{
	(void)state;
	assert_string_equal(tr_provenance_base("a/b/c.flt"), "c.flt");
	assert_string_equal(tr_provenance_base("c.flt"), "c.flt");
	assert_string_equal(tr_provenance_base("-"), "-");
	assert_string_equal(tr_provenance_base("a/"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_lines_stay_lines),
		cmocka_unit_test(test_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
