// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "value/number.h"

static void groups_thousands(void **state)
{
	(void)state;
	assert_string_equal(number_count(0).text, "0");
	assert_string_equal(number_count(999).text, "999");
	assert_string_equal(number_count(1000).text, "1,000");
	assert_string_equal(number_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
}

static void keeps_significant_digits(void **state)
{
	(void)state;
	assert_string_equal(number_real(0, 3).text, "0");
	assert_string_equal(number_real(-0.0, 3).text, "0");
	assert_string_equal(number_real(9.996, 3).text, "10.0");
	assert_string_equal(number_real(9.994, 3).text, "9.99");
	assert_string_equal(number_real(0.00012345, 2).text, "0.00012");
	assert_string_equal(number_real(0.00009999, 2).text, "1.0e-04");
	assert_string_equal(number_real(-1234567.8, 3).text, "-1,234,568");
	assert_string_equal(number_real(1e9, 2).text, "1.0e+09");
	assert_string_equal(number_real(NAN, 3).text, "-");
	assert_string_equal(number_real(-INFINITY, 3).text, "-");
}

static void finds_the_unit(void **state)
{
	(void)state;
	assert_string_equal(number_time(6.25e-9, 3).text, "6.25 ns");
	assert_string_equal(number_time(0.000999, 3).text, "999 µs");
	assert_string_equal(number_time(0.001, 3).text, "1.00 ms");
	assert_string_equal(number_time(0.00099996, 3).text, "1.00 ms");
	assert_string_equal(number_time(0, 2).text, "0 ns");
	assert_string_equal(number_width(0.01).text, "10 ms");
	assert_string_equal(number_width(0.0025).text, "2.5 ms");
	assert_string_equal(number_width(1).text, "1 s");
	assert_string_equal(number_width(NAN).text, "-");
	assert_string_equal(number_bytes(34200000, 3).text, "34.2 MB");
	assert_string_equal(number_bit_rate(1.28e9, 3).text, "1.28 Gb/s");
	assert_string_equal(number_percent(0.7134, 3).text, "71.3 %");
	assert_string_equal(number_time(NAN, 3).text, "-");
	assert_string_equal(number_time_unit(0.02).name, "ms");
	assert_true(number_time_unit(0.02).factor == 1e-3);
}

static void shows_ranges(void **state)
{
	(void)state;
	assert_string_equal(number_range(0.711, 0.842, 2).text, "0.71 to 0.84");
	assert_string_equal(number_range(NAN, 1, 2).text, "-");
	assert_string_equal(number_error_range(0.7113, 0.8421).text, "0.711 to 0.842");
	assert_string_equal(number_error_range(-12345.6, 8000.2).text, "-12,000 to 8,000");
	assert_string_equal(number_error_range(-0.0001, 0.3).text, "0.00 to 0.30");
	assert_string_equal(number_error_range(1, 1).text, "1 to 1");
	assert_string_equal(number_error_range(NAN, 1).text, "-");
}

static void rounds_by_the_error(void **state)
{
	(void)state;
	assert_string_equal(number_error(0.82134, 0.79, 0.85).text, "0.821");
	assert_string_equal(number_error(12345.678, 12340, 12350).text, "12,345.7");
	assert_string_equal(number_error(12345.678, 11000, 13600).text, "12,300");
	assert_string_equal(number_error(43, -1100, 1200).text, "43");
	assert_string_equal(number_error(2.3e-7, -4e-5, 4e-5).text, "0.00000023");
	assert_string_equal(number_error(0, -1, 1).text, "0.0");
	assert_string_equal(number_error(0.8213, NAN, NAN).text, "0.8213");
	assert_string_equal(number_error(0.8213, 0.8213, 0.8213).text, "0.8213");
	assert_string_equal(number_error(20, 20, 20).text, "20");
	assert_string_equal(number_error(12345, NAN, NAN).text, "12,345");
	assert_string_equal(number_error(NAN, 0, 1).text, "-");
}

// No interpretation of the text may differ from the value by more than half of its last digit.
static void rounds_correctly(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		double value = pow(10, -3.9 + 12 * (i / 20000.0));
		char plain[48];
		size_t at = 0;
		struct number shown = number_real(value, 4);

		for (const char *c = shown.text; *c; c++)
			if (*c != ',')
				plain[at++] = *c;
		plain[at] = '\0';
		assert_true(fabs(strtod(plain, NULL) / value - 1) <= 0.5e-3 * (1 + 1e-9));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_thousands),    cmocka_unit_test(keeps_significant_digits),
		cmocka_unit_test(finds_the_unit),      cmocka_unit_test(shows_ranges),
		cmocka_unit_test(rounds_by_the_error), cmocka_unit_test(rounds_correctly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
