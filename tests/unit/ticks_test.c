// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/random.h"
#include "value/ticks.h"

// floor(a * b / c) by long multiplication in base 2^32 and bitwise long division: no 128-bit type.
static int64_t slow_mul_div_floor(int64_t a, uint64_t b, uint64_t c)
{
	uint64_t size = a < 0 ? -(uint64_t)a : (uint64_t)a;
	uint64_t low = (size & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t middle = (size >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t middle_2 = (size & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);
	uint64_t high = (size >> 32) * (b >> 32) + (middle >> 32) + (middle_2 >> 32);
	uint64_t quotient = 0;
	uint64_t rest = 0;

	low = middle_2 << 32 | (low & UINT32_MAX);
	for (int bit = 127; bit >= 0; bit--) {
		uint64_t carry = rest >> 63;

		rest = rest << 1 | ((bit >= 64 ? high >> (bit - 64) : low >> bit) & 1);
		quotient <<= 1;
		if (carry || rest >= c) {
			rest -= c;
			quotient |= 1;
		}
	}
	return a >= 0 ? (int64_t)quotient : -(int64_t)quotient - (rest != 0);
}

static void mul_div_is_exact(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "mul_div");
	for (int i = 0; i < 100000; i++) {
		int64_t a = (int64_t)(tr_random_u64(&random) >> tr_random_below(&random, 63)) *
			    (tr_random_below(&random, 2) ? 1 : -1);
		uint64_t b = tr_random_u64(&random) >> tr_random_below(&random, 64);
		uint64_t c = b + tr_random_u64(&random) % (UINT64_MAX - b) +
			     1; // b <= c: the result fits

		assert_true(tr_mul_div_floor(a, b, c) == slow_mul_div_floor(a, b, c));
	}
	assert_true(tr_mul_div_floor(-1, 1, 2) == -1);
	assert_true(tr_mul_div_floor(INT64_MIN, UINT64_MAX, UINT64_MAX) == INT64_MIN);
	assert_true(tr_mul_div_floor(7, 36000000000, 1000000000) == 252);
}

static void lcm_is_bounded(void **state)
{
	uint64_t out = 0;

	(void)state;
	assert_true(tr_ticks_lcm(1000000000, 36000000000, &out));
	assert_true(out == 36000000000);
	assert_true(tr_ticks_lcm(6, 4, &out));
	assert_true(out == 12);
	assert_true(tr_ticks_lcm(TR_TICKS_PER_S_MAX, 2, &out));
	assert_true(out == TR_TICKS_PER_S_MAX);
	assert_false(tr_ticks_lcm(TR_TICKS_PER_S_MAX, 3, &out));
	assert_false(tr_ticks_lcm(UINT64_MAX, UINT64_MAX - 1, &out));
	assert_false(tr_ticks_lcm(0, 3, &out));
	assert_false(tr_ticks_lcm(3, 0, &out));
}

static void exact_durations(void **state)
{
	static const struct num_ratio whole[] = {{1, 160000000}, {1, 150000000}};
	struct tr_error err = {""};
	int64_t ticks = 5;

	(void)state;
	assert_int_equal(tr_ticks_exact(whole[0], 36000000000, &ticks, &err), TR_OK);
	assert_int_equal(ticks, 225);
	assert_int_equal(tr_ticks_exact(whole[1], 36000000000, &ticks, &err), TR_OK);
	assert_int_equal(ticks, 240);
	assert_int_equal(tr_ticks_exact(whole[1], 1000000000, &ticks, &err), TR_ERROR);
	assert_int_equal(ticks, 240);
	assert_string_equal(err.text,
			    "1/150000000 is not a whole number of ticks at 1000000000 per second; "
			    "the nearest that is: 7ns");
	assert_int_equal(tr_ticks_exact((struct num_ratio){INT64_MAX, 1}, 2, &ticks, &err),
			 TR_ERROR);
	assert_non_null(strstr(err.text, "beyond the longest time"));
}

static void rounds_halves_up(void **state)
{
	int64_t ticks;

	(void)state;
	assert_int_equal(tr_ticks_round((struct num_ratio){1, 2}, 1, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, 1);
	assert_int_equal(tr_ticks_round((struct num_ratio){-1, 2}, 1, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, 0);
	assert_int_equal(tr_ticks_round((struct num_ratio){-3, 2}, 1, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, -1);
	assert_int_equal(tr_ticks_round((struct num_ratio){1, 3}, 1000000000, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, 333333333);
	assert_int_equal(tr_ticks_round((struct num_ratio){INT64_MIN, 1}, 1, &ticks, NULL), TR_OK);
	assert_true(ticks == INT64_MIN);
	assert_int_equal(
		tr_ticks_round((struct num_ratio){INT64_MIN, 1}, TR_TICKS_PER_S_MAX, &ticks, NULL),
		TR_ERROR);
}

// strtod of a decimal that stands for the value exactly is the correctly rounded double.
static void seconds_are_rounded_once(void **state)
{
	struct tr_random random;
	char text[48];

	(void)state;
	tr_random_open(&random, 2, "seconds");
	for (int i = 0; i < 100000; i++) {
		int64_t ticks = (int64_t)(tr_random_u64(&random) >> tr_random_below(&random, 64));

		(void)snprintf(text, sizeof(text), "%llde-9", (long long)ticks);
		assert_true(tr_ticks_seconds(ticks, 1000000000) == strtod(text, NULL));
	}
	assert_true(tr_ticks_seconds(0, 3) == 0);
	assert_true(tr_ticks_seconds(-1, 3) == -1.0 / 3.0);
	assert_true(tr_ticks_seconds(INT64_MIN, 1) == -0x1p63);
	assert_true(tr_ticks_seconds(1, TR_TICKS_PER_S_MAX) == 0x1p-62);
}

static void formats_seconds(void **state)
{
	char text[48];

	(void)state;
	assert_string_equal(tr_ticks_format(1500000000, 1000000000, text, sizeof(text)), "1.5");
	assert_string_equal(tr_ticks_format(2, 1, text, sizeof(text)), "2.0");
	assert_string_equal(tr_ticks_format(-1, 1000000000, text, sizeof(text)), "-0.000000001");
	assert_string_equal(tr_ticks_format(225, 36000000000, text, sizeof(text)), "0.00000000625");
	assert_string_equal(tr_ticks_format(1, 3, text, sizeof(text)), "0.333333333333333333");
	assert_string_equal(tr_ticks_format(2, 3, text, sizeof(text)), "0.666666666666666667");
	assert_string_equal(
		tr_ticks_format(TR_TICKS_PER_S_MAX - 1, TR_TICKS_PER_S_MAX, text, sizeof(text)),
		"1.0");
	assert_string_equal(tr_ticks_format(INT64_MIN, 1, text, sizeof(text)),
			    "-9223372036854775808.0");
}

// At any rate up to 10^18 the 18 decimals give the tick back.
static void text_gives_the_tick_back(void **state)
{
	static const uint64_t rates[] = {1, 3, 1000, 1000000000, 36000000000, 999999999999999989};
	struct tr_random random;
	char text[48];
	int64_t back;

	(void)state;
	tr_random_open(&random, 3, "text");
	for (int i = 0; i < 60000; i++) {
		uint64_t rate = rates[i % 6];
		int64_t ticks = (int64_t)(tr_random_u64(&random) >> tr_random_below(&random, 64));

		tr_ticks_format(ticks, rate, text, sizeof(text));
		assert_int_equal(tr_ticks_parse(text, rate, &back, NULL), TR_OK);
		assert_true(back == ticks);
	}
	tr_ticks_format(INT64_MIN, 1000, text, sizeof(text));
	assert_int_equal(tr_ticks_parse(text, 1000, &back, NULL), TR_OK);
	assert_true(back == INT64_MIN);
}

static void refuses_what_is_no_time(void **state)
{
	static const char *const bad[] = {"",
					  "-",
					  ".",
					  ".5",
					  "1s",
					  " 1",
					  "1 ",
					  "1e3",
					  "--1",
					  "+1",
					  "1.2.3",
					  "9223372036854775808",
					  "99999999999999999999999",
					  "1.0000000000000000000",
					  "-9223372036854775808.6"};
	int64_t ticks = 5;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (tr_ticks_parse(bad[i], 1, &ticks, NULL) != TR_ERROR)
			fail_msg("'%s' was accepted", bad[i]);
	assert_int_equal(tr_ticks_parse("1", 1000, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, 1000);
	assert_int_equal(tr_ticks_parse("-0.0005", 1000, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, -1);
}

static void reads_decimals_of_any_length(void **state)
{
	static const struct {
		const char *text;
		uint64_t per_unit;
		int64_t ticks;
	} known[] = {{"1.100148126780398338e-04", 1000000000, 110015},
		     {"1.7e+09", 1000000000, 1700000000000000000},
		     {"+1448503201.1234567895", 1000000000, 1448503201123456790},
		     {"-0.5e-9", 1000000000, -1},
		     {"0.49999999999999999999999999999999999e-9", 1000000000, 0},
		     {"00000000000000000000000000000000012.", 1000, 12000},
		     {"1000000000000000000000000000000000000e-36", 1, 1},
		     {"1e-99999", 1000, 0},
		     {"0e99999", 1000, 0},
		     {".5", 10, 5}};
	static const char *const bad[] = {"",	  ".",	 "e5",	"1e",  "1e+",	 "1x",
					  "0x10", "1,5", "--1", "nan", "9.3e18", "1e99999"};
	int64_t ticks;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(tr_ticks_near(known[i].text, known[i].per_unit, &ticks, NULL),
				 TR_OK);
		if (ticks != known[i].ticks)
			fail_msg("'%s' is %lld", known[i].text, (long long)ticks);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (tr_ticks_near(bad[i], 1, &ticks, NULL) != TR_ERROR)
			fail_msg("'%s' was accepted", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mul_div_is_exact),
		cmocka_unit_test(lcm_is_bounded),
		cmocka_unit_test(exact_durations),
		cmocka_unit_test(rounds_halves_up),
		cmocka_unit_test(seconds_are_rounded_once),
		cmocka_unit_test(formats_seconds),
		cmocka_unit_test(text_gives_the_tick_back),
		cmocka_unit_test(refuses_what_is_no_time),
		cmocka_unit_test(reads_decimals_of_any_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
