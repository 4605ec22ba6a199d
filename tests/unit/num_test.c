// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <string.h>

#include "value/num.h"

struct quantity {
	const char *text;
	enum num_dimension dimension;
	int64_t num;
	int64_t den;
};

static void reads_exactly(void **state)
{
	static const struct quantity cases[] = {
		{"12", NUM_PLAIN, 12, 1},
		{"2%", NUM_PLAIN, 1, 50},
		{"0.5", NUM_PLAIN, 1, 2},
		{".5", NUM_PLAIN, 1, 2},
		{"5.", NUM_PLAIN, 5, 1},
		{"-3/6", NUM_PLAIN, -1, 2},
		{"2e-3", NUM_PLAIN, 1, 500},
		{"1.5E2", NUM_PLAIN, 150, 1},
		{"0/7", NUM_PLAIN, 0, 1},
		{"0.0e-900", NUM_PLAIN, 0, 1},
		{"9223372036854775807", NUM_PLAIN, INT64_MAX, 1},
		{"6.25ns", NUM_TIME, 1, 160000000},
		{"20/3 ns", NUM_TIME, 1, 150000000},
		{"10m", NUM_TIME, 600, 1},
		{"10min", NUM_TIME, 600, 1},
		{"2h", NUM_TIME, 7200, 1},
		{"1d", NUM_TIME, 86400, 1},
		{"1ps", NUM_TIME, 1, 1000000000000},
		{"7us", NUM_TIME, 7, 1000000},
		{"7ms", NUM_TIME, 7, 1000},
		{"3", NUM_TIME, 3, 1},
		{"1.28Gb/s", NUM_RATE, 1280000000, 1},
		{"160MB/s", NUM_RATE, 1280000000, 1},
		{"44MiB/s", NUM_RATE, 44 * 8388608LL, 1},
		{"1KiB/s", NUM_RATE, 8192, 1},
		{"2GiB/s", NUM_RATE, 2 * 8589934592LL, 1},
		{"1Tb/s", NUM_RATE, 1000000000000, 1},
		{"1kb/s", NUM_RATE, 1000, 1},
		{"1Mb/s", NUM_RATE, 1000000, 1},
		{"1B/s", NUM_RATE, 8, 1},
		{"3kB/s", NUM_RATE, 24000, 1},
		{"1GB/s", NUM_RATE, 8000000000, 1},
		{"80B", NUM_SIZE, 80, 1},
		{"256KiB", NUM_SIZE, 262144, 1},
		{"1.5kB", NUM_SIZE, 1500, 1},
		{"1MB", NUM_SIZE, 1000000, 1},
		{"1MiB", NUM_SIZE, 1048576, 1},
		{"1TiB", NUM_SIZE, 1099511627776, 1},
		{"6m", NUM_LENGTH, 6, 1},
		{"10ft", NUM_LENGTH, 381, 125},
		{"1km", NUM_LENGTH, 1000, 1},
		{"3cm", NUM_LENGTH, 3, 100},
		{"3um", NUM_LENGTH, 3, 1000000},
		{"0.6c", NUM_SPEED, 899377374, 5},
		{"200000km/s", NUM_SPEED, 200000000, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tr_error err = {""};
		struct num_ratio value = {0, 0};

		if (num_parse(cases[i].text, cases[i].dimension, &value, &err) != TR_OK)
			fail_msg("%s: %s", cases[i].text, err.text);
		if (value.num != cases[i].num || value.den != cases[i].den)
			fail_msg("%s: %lld/%lld", cases[i].text, (long long)value.num,
				 (long long)value.den);
	}
}

static void refuses_junk(void **state)
{
	static const struct quantity cases[] = {
		{"", NUM_PLAIN, 0, 0},
		{" 1", NUM_PLAIN, 0, 0},
		{"1 ", NUM_PLAIN, 0, 0},
		{"1x", NUM_PLAIN, 0, 0},
		{"+1", NUM_PLAIN, 0, 0},
		{"--1", NUM_PLAIN, 0, 0},
		{".", NUM_PLAIN, 0, 0},
		{"1e", NUM_PLAIN, 0, 0},
		{"1e-", NUM_PLAIN, 0, 0},
		{"0x10", NUM_PLAIN, 0, 0},
		{"1/", NUM_PLAIN, 0, 0},
		{"1/0", NUM_PLAIN, 0, 0},
		{"1/-2", NUM_PLAIN, 0, 0},
		{"nan", NUM_PLAIN, 0, 0},
		{"inf", NUM_PLAIN, 0, 0},
		{"1,5", NUM_PLAIN, 0, 0},
		{"1s", NUM_PLAIN, 0, 0},
		{"1S", NUM_TIME, 0, 0},
		{"1  s", NUM_TIME, 0, 0},
		{"1s ", NUM_TIME, 0, 0},
		{"s", NUM_TIME, 0, 0},
		{"1b/s", NUM_TIME, 0, 0},
		{"1kb", NUM_SIZE, 0, 0},
		{"1K", NUM_SIZE, 0, 0},
		{"2%", NUM_SIZE, 0, 0},
		{"1mb/s", NUM_RATE, 0, 0},
		{"9223372036854775808", NUM_PLAIN, 0, 0},
		{"1e19", NUM_PLAIN, 0, 0},
		{"1e-19", NUM_PLAIN, 0, 0},
		{"1e999999999999999999999", NUM_PLAIN, 0, 0},
		{"9e18m", NUM_TIME, 0, 0},
		{"1/9223372036854775807%", NUM_PLAIN, 0, 0},
		{"99999999999999999999999999999999999999999999", NUM_PLAIN, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tr_error err = {""};
		struct num_ratio value = {77, 1};

		if (num_parse(cases[i].text, cases[i].dimension, &value, &err) != TR_ERROR)
			fail_msg("'%s' was accepted", cases[i].text);
		assert_int_equal(value.num, 77);
		assert_non_null(strstr(err.text, cases[i].text));
	}
}

static void message_lists_units(void **state)
{
	struct tr_error err = {""};
	struct num_ratio value;

	(void)state;
	assert_int_equal(num_parse("3 parsec", NUM_LENGTH, &value, &err), TR_ERROR);
	assert_string_equal(err.text,
			    "'3 parsec' is not a number and one of the units um mm cm m km ft");
	assert_int_equal(num_parse("1e30s", NUM_TIME, &value, &err), TR_ERROR);
	assert_string_equal(err.text, "'1e30s' has too many digits");
}

static void counts_are_whole(void **state)
{
	static const char *const bad[] = {"",
					  "-1",
					  "+1",
					  " 1",
					  "1 ",
					  "1.0",
					  "1e3",
					  "0x1",
					  "11",
					  "18446744073709551616",
					  "340282366920938463463374607431768211457"};
	uint64_t value = 5;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(num_parse_count(bad[i], 0, 10, &value, NULL), TR_ERROR);
	assert_int_equal(value, 5);
	assert_int_equal(num_parse_count("0", 1, 10, &value, NULL), TR_ERROR);
	assert_int_equal(num_parse_count("007", 0, 10, &value, NULL), TR_OK);
	assert_int_equal(value, 7);
	assert_int_equal(num_parse_count("18446744073709551615", 0, UINT64_MAX, &value, NULL),
			 TR_OK);
	assert_true(value == UINT64_MAX);
}

static void signed_numbers_have_bounds(void **state)
{
	int64_t value = 5;

	(void)state;
	assert_int_equal(
		num_parse_signed("-9223372036854775808", INT64_MIN, INT64_MAX, &value, NULL),
		TR_OK);
	assert_true(value == INT64_MIN);
	assert_int_equal(
		num_parse_signed("9223372036854775808", INT64_MIN, INT64_MAX, &value, NULL),
		TR_ERROR);
	assert_int_equal(num_parse_signed("--1", -5, 5, &value, NULL), TR_ERROR);
	assert_int_equal(num_parse_signed("-", -5, 5, &value, NULL), TR_ERROR);
	assert_int_equal(num_parse_signed("-6", -5, 5, &value, NULL), TR_ERROR);
	assert_int_equal(num_parse_signed("-5", -5, 5, &value, NULL), TR_OK);
	assert_int_equal(value, -5);
}

static void reals_ignore_the_locale(void **state)
{
	static const char *const bad[] = {"",	"nan", "inf", "1e999", "0x1p3", "1 ",
					  " 1", "1e",  "1,5", ".",     "-",	"1.5s"};
	double value = 9;

	(void)state;
	(void)setlocale(LC_ALL, "");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(num_parse_real(bad[i], &value, NULL), TR_ERROR);
	assert_true(value == 9);
	assert_int_equal(num_parse_real("-1.5e-3", &value, NULL), TR_OK);
	assert_true(value == -1.5e-3);
	assert_int_equal(num_parse_real("0.1", &value, NULL), TR_OK);
	assert_true(value == 0.1);
	(void)setlocale(LC_ALL, "C"); // as the programs have it
}

static void ratios_are_in_lowest_terms(void **state)
{
	struct num_ratio value;

	(void)state;
	assert_true(num_ratio_make(-6, -4, &value));
	assert_int_equal(value.num, 3);
	assert_int_equal(value.den, 2);
	assert_true(num_ratio_make(0, -4, &value));
	assert_int_equal(value.den, 1);
	assert_false(num_ratio_make(1, 0, &value));
	assert_false(num_ratio_make((__int128)1 << 80, 3, &value));
	assert_true(num_ratio_make((__int128)1 << 80, (__int128)1 << 79, &value));
	assert_int_equal(value.num, 2);
	assert_true(num_value((struct num_ratio){1, 3}) == 1.0 / 3.0);
}

static void formats_for_people(void **state)
{
	static const struct quantity cases[] = {
		{"6.25 ns", NUM_TIME, 1, 160000000},
		{"1.28 Gb/s", NUM_RATE, 1280000000, 1},
		{"64 KiB", NUM_SIZE, 65536, 1},
		{"1.5 kB", NUM_SIZE, 1500, 1},
		{"64 kB", NUM_SIZE, 64000, 1},
		{"0 s", NUM_TIME, 0, 1},
		{"0 B", NUM_SIZE, 0, 1},
		{"90 s", NUM_TIME, 90, 1},
		{"-2 ms", NUM_TIME, -1, 500},
		{"0.5 ps", NUM_TIME, 1, 2000000000000},
		{"0.02", NUM_PLAIN, 1, 50},
		{"333.333 ms", NUM_TIME, 1, 3},
		{"6 m", NUM_LENGTH, 6, 1},
		{"179875 km/s", NUM_SPEED, 899377374, 5},
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(num_format((struct num_ratio){cases[i].num, cases[i].den},
					       cases[i].dimension, text, sizeof(text)),
				    cases[i].text);
}

static void exact_format_reads_back(void **state)
{
	static const struct quantity cases[] = {
		{"6.25ns", NUM_TIME, 1, 160000000},
		{"1/3", NUM_TIME, 1, 3},
		{"64KiB", NUM_SIZE, 65536, 1},
		{"160MB/s", NUM_RATE, 1280000000, 1},
		{"0.6c", NUM_SPEED, 899377374, 5},
		{"0.02", NUM_PLAIN, 1, 50},
		{"-1.5", NUM_PLAIN, -3, 2},
		{"9223372036854775807", NUM_PLAIN, INT64_MAX, 1},
		{"1/9223372036854775807", NUM_TIME, 1, INT64_MAX},
		{"-9223372036854775807/2", NUM_SIZE, -INT64_MAX, 2},
	};
	char text[64];
	struct num_ratio back;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		num_format_exact((struct num_ratio){cases[i].num, cases[i].den}, cases[i].dimension,
				 text, sizeof(text));
		assert_int_equal(num_parse(text, cases[i].dimension, &back, NULL), TR_OK);
		assert_true(back.num == cases[i].num && back.den == cases[i].den);
		if (cases[i].den != 2 || cases[i].num == -3)
			assert_string_equal(text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_exactly),
		cmocka_unit_test(refuses_junk),
		cmocka_unit_test(message_lists_units),
		cmocka_unit_test(counts_are_whole),
		cmocka_unit_test(signed_numbers_have_bounds),
		cmocka_unit_test(reals_ignore_the_locale),
		cmocka_unit_test(ratios_are_in_lowest_terms),
		cmocka_unit_test(formats_for_people),
		cmocka_unit_test(exact_format_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
