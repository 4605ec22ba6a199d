// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over time do not depend on how values are divided among parts, and a ratio that is the same
// in all bins is known exactly.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stat/counts/time_rows.h"
#include "value/random.h"

#define ROWS 3

static void open_all(struct time_rows rows[3])
{
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(time_rows_open(&rows[i], ROWS, NULL), TR_OK);
}

static void add_value(struct time_rows *rows, size_t row, uint64_t at, uint64_t sum)
{
	assert_int_equal(time_rows_reserve(rows, row, NULL), TR_OK);
	time_rows_add(rows, row, at, 1, sum);
}

// What was added, one by one.
struct plain {
	size_t row;
	uint64_t at, sum;
};

static void check_plainly(const struct time_rows *rows, const struct plain *plain, size_t count)
{
	for (size_t row = 0; row < ROWS; row++)
		for (size_t bin = 0; bin < rows->used; bin++) {
			uint64_t n = 0, sum = 0;

			for (size_t i = 0; i < count; i++)
				if (plain[i].row == row &&
				    plain[i].at >> rows->shift == rows->first + bin) {
					n++;
					sum += plain[i].sum;
				}
			assert_int_equal(time_rows_n(rows, row, bin), n);
			assert_int_equal(time_rows_sum(rows, row, bin), sum);
		}
}

static void parts_add_up(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "rows");
	for (int round = 0; round < 100; round++) {
		const uint64_t span = UINT64_C(1) << tr_random_below(&random, 40),
			       begin = tr_random_below(&random, UINT64_C(1) << 60);
		const size_t values = 1 + tr_random_below(&random, 400);
		struct time_rows rows[3]; // the whole, and two parts of it
		struct plain plain[400];

		open_all(rows);
		for (size_t i = 0; i < values; i++) {
			const uint64_t at = begin + tr_random_below(&random, span),
				       sum = tr_random_below(&random, 1000);
			const size_t row = tr_random_below(&random, ROWS);

			add_value(&rows[0], row, at, sum);
			add_value(&rows[1 + tr_random_below(&random, 2)], row, at, sum);
			plain[i] = (struct plain){row, at, sum};
		}
		for (size_t row = 0; row < ROWS; row++)
			assert_int_equal(time_rows_merge(&rows[1], row, &rows[2], row, NULL),
					 TR_OK);
		assert_int_equal(rows[1].shift, rows[0].shift);
		assert_int_equal(rows[1].first, rows[0].first);
		assert_int_equal(rows[1].used, rows[0].used);
		check_plainly(&rows[0], plain, values);
		check_plainly(&rows[1], plain, values);
		for (size_t i = 0; i < 3; i++)
			time_rows_close(&rows[i]);
	}
}

// Where the numerator is five times the denominator in each bin nothing is in doubt; and where it
// varies, something is.
static void a_ratio_is_known(void **state)
{
	double over[64], under[64];
	struct mean_error error;

	(void)state;
	for (size_t i = 0; i < 64; i++) {
		under[i] = (double)(1 + i * i % 7);
		over[i] = 5 * under[i];
	}
	assert_true(ratio_error_find(over, under, 64, 5, .95).se == 0);
	for (size_t i = 0; i < 64; i++)
		over[i] += i * 37 % 64 < 32 ? 1 : -1;
	error = ratio_error_find(over, under, 64, 5, .95);
	assert_true(error.known && error.se > 0 && error.se < .2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(a_ratio_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
