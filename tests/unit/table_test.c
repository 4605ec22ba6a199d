// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "table/table.h"

static struct table *sample(void)
{
	struct table *table = table_new("sizes", "Sizes by class");

	table_columns(table, "class packets");
	table_columns(table, "mean_B");
	table_columns(table, "");
	table_column(table, "delta");
	table_text(table, "data, \"big\"");
	table_count(table, UINT64_MAX);
	table_real(table, 1.0 / 3.0, 4);
	table_signed(table, -5);
	table_text(table, "overhe\xc3\xa4"
			  "d");
	table_count(table, 7);
	table_real(table, NAN, 4);
	table_none(table);
	table_note(table, "%d rows", 2);
	return table;
}

static struct table *object(void)
{
	struct table *table = table_new("stream", NULL);

	table_column(table, "kind");
	table_column(table, "records");
	table_text(table, "packet");
	table_count(table, 3);
	return table;
}

// The tables of sample and object as text; the caller frees it.
static char *printed(enum table_format format)
{
	struct table *tables[2] = {sample(), object()};
	struct table_style style = {.format = format};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(tables_print(tables, 2, style, "prog", out, NULL), TR_OK);
	assert_int_equal(fclose(out), 0);
	table_free(tables[0]);
	table_free(tables[1]);
	return text;
}

static void aligned_text(void **state)
{
	char *text = printed(TABLE_TEXT);

	(void)state;
	assert_string_equal(text, "Sizes by class\n"
				  "class                     packets  mean_B  delta\n"
				  "data, \"big\"  18446744073709551615  0.3333     -5\n"
				  "overhe\xc3\xa4"
				  "d                        7       -      -\n"
				  "# 2 rows\n"
				  "\n"
				  "kind     packet\n"
				  "records  3\n");
	free(text);
}

static void tab_separated(void **state)
{
	char *text = printed(TABLE_AUTO); // not a terminal

	(void)state;
	assert_string_equal(text, "# Sizes by class\n"
				  "class\tpackets\tmean_B\tdelta\n"
				  "data, \"big\"\t18446744073709551615\t0.3333\t-5\n"
				  "overhe\xc3\xa4"
				  "d\t7\t-\t-\n"
				  "# 2 rows\n"
				  "\n"
				  "kind\trecords\n"
				  "packet\t3\n");
	free(text);
}

static void comma_separated(void **state)
{
	char *text = printed(TABLE_CSV);

	(void)state;
	assert_string_equal(text, "class,packets,mean_B,delta\n"
				  "\"data, \"\"big\"\"\",18446744073709551615,0.3333,-5\n"
				  "overhe\xc3\xa4"
				  "d,7,,\n"
				  "\n"
				  "kind,records\n"
				  "packet,3\n");
	free(text);
}

static void json_reads_back(void **state)
{
	char *text = printed(TABLE_JSON);
	json_error_t error;
	json_t *root;
	json_t *rows;

	(void)state;
	assert_non_null(
		strstr(text, "18446744073709551615")); // beyond what jansson's integers hold
	root = json_loads(text, JSON_DECODE_INT_AS_REAL, &error);
	if (!root)
		fail_msg("%s: %s", error.text, text);
	assert_string_equal(json_string_value(json_object_get(root, "program")), "prog");
	assert_string_equal(json_string_value(json_object_get(root, "version")), FLIT_VERSION);
	rows = json_object_get(root, "sizes");
	assert_int_equal(json_array_size(rows), 2);
	assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "class")),
			    "data, \"big\"");
	assert_true(json_number_value(json_object_get(json_array_get(rows, 0), "mean_B")) ==
		    1.0 / 3.0);
	assert_true(json_is_null(json_object_get(json_array_get(rows, 1), "mean_B")));
	assert_true(json_is_null(json_object_get(json_array_get(rows, 1), "delta")));
	assert_true(json_number_value(
			    json_object_get(json_object_get(root, "stream"), "records")) == 3);
	assert_string_equal(json_string_value(json_array_get(json_object_get(root, "notes"), 0)),
			    "2 rows");
	json_decref(root);
	free(text);
}

static void strange_text_stays_json(void **state)
{
	static const char strange[] =
		"tab\t nl\n quote\" slash\\ bad\xff\xc0\xaf\xed\xa0\x80 good\xf0\x9f\x98\x80";
	struct table *table = table_new("t", NULL);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	json_t *root;

	(void)state;
	assert_non_null(out);
	table_column(table, "a");
	table_text(table, strange);
	assert_int_equal(
		tables_print(&table, 1, (struct table_style){.json = true}, "p", out, NULL), TR_OK);
	assert_int_equal(fclose(out), 0);
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(root, "t"), "a")),
		"tab\t nl\n quote\" slash\\ bad\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
		"\xef\xbf\xbd\xef\xbf\xbd good\xf0\x9f\x98\x80");
	json_decref(root);
	free(text);
	table_free(table);
}

static void empty_tables(void **state)
{
	struct table *table = table_new("rows", "None");
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	json_t *root;

	(void)state;
	assert_non_null(out);
	table_column(table, "a");
	assert_int_equal(
		tables_print(&table, 1, (struct table_style){.json = true}, "p", out, NULL), TR_OK);
	assert_int_equal(fclose(out), 0);
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	assert_int_equal(json_array_size(json_object_get(root, "rows")), 0);
	assert_true(json_is_array(json_object_get(root, "rows")));
	json_decref(root);
	free(text);
	table_free(table);
	table_free(NULL);
}

static void full_disk_stays_with_the_stream(void **state)
{
	struct table *table = sample();
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out);
	setbuf(out, NULL);
	assert_int_equal(
		tables_print(&table, 1, (struct table_style){.json = true}, "p", out, NULL), TR_OK);
	assert_true(ferror(out));
	(void)fclose(out);
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aligned_text),
		cmocka_unit_test(tab_separated),
		cmocka_unit_test(comma_separated),
		cmocka_unit_test(json_reads_back),
		cmocka_unit_test(strange_text_stays_json),
		cmocka_unit_test(empty_tables),
		cmocka_unit_test(full_disk_stays_with_the_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
