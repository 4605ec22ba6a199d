// SPDX-License-Identifier: GPL-3.0-or-later
// Tables declared as rows: every kind of column, with and without a value, of a row and of a struct
// that there is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "table/table_rows.h"

TABLE_ROW(kinds, (text, word), (yes, so), (count, count), (some, some), (whole, whole),
	  (us, wait_us, 4), (seconds, at_s), (real, share, 3, "share/all"), (number, number),
	  (error, error), (known, known));

// The table as TSV; the caller frees it.
static char *written(struct table *table)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	table_write_tsv(table, out);
	assert_int_equal(fclose(out), 0);
	table_free(table);
	return text;
}

static void kinds(void **state)
{
	struct table *table = table_of("kinds", NULL, kinds_fields);
	char *text;

	(void)state;
	table_set_clock(table, 1000);
	TABLE_PUT(table, kinds, .word = "a", .so = true, .count = UINT64_MAX, .some = 0,
		  .whole = -5, .wait_us = 12, .at_s = -1500, .share = 1.0 / 3,
		  .number = number_bytes(1500, 3), .error = {1.2345, 1.1, 1.4},
		  .known = {2, 1.5, 2.5});
	TABLE_PUT(table, kinds, .some = -1, .wait_us = -1, .at_s = TABLE_NO_TIME, .share = NAN,
		  .error = {NAN, NAN, NAN}, .known = {NAN, NAN, NAN});
	text = written(table);
	assert_string_equal(text, "word\tso\tcount\tsome\twhole\twait_us\tat_s\tshare/"
				  "all\tnumber\terror\tknown\tinterval\n"
				  "a\tyes\t18446744073709551615\t0\t-5\t1.2e+04\t-1.5\t0.333\t1.50 "
				  "kB\t1.2345\t2\t1.5 to 2.5\n"
				  "-\tno\t0\t-\t0\t-\t-\t-\t-\t-\t-\t-\n");
	free(text);
}

struct inner {
	double hi;
};

struct view {
	uint8_t small;
	struct inner inner;
	uint16_t port;
	uint32_t nodes[2];
};

TABLE_VIEW(view, struct view, (count, small), (count, port), (count, nodes[1], 0, "nodes"),
	   (real, inner.hi, 2, "hi"));

static void rows_of_a_struct_that_there_is(void **state)
{
	const struct view rows[] = {{255, {0.5}, 65535, {1, UINT32_MAX}}, {1, {0.25}, 2, {3, 4}}};
	struct table *table = table_of("view", NULL, view_fields);
	char *text;

	(void)state;
	table_list(table, view_fields, rows, 2, sizeof(*rows));
	text = written(table);
	assert_string_equal(text, "small\tport\tnodes\thi\n"
				  "255\t65535\t4294967295\t0.5\n"
				  "1\t2\t4\t0.25\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(rows_of_a_struct_that_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
