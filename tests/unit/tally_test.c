// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "gen/tally.h"
#include "value/random.h"

static void small_values_are_exact(void **state)
{
	struct tally tally = {.bits = 7};
	struct tally_value *values;
	size_t count;

	(void)state;
	for (uint64_t v = 0; v < 256; v++)
		tally_add(&tally, v, v + 1);
	assert_int_equal(tally_values(&tally, &values, &count, NULL), TR_OK);
	assert_int_equal(count, 256);
	for (size_t i = 0; i < 256; i++) {
		assert_true(values[i].value == (double)i && values[i].count == (double)(i + 1));
		assert_true(values[i].low == i && values[i].high == i);
	}
	assert_int_equal(tally.count, 256 * 257 / 2);
	free(values);
	tally_clear(&tally);
}

// Any value falls into a bin that contains it, at most 2^-bits of it wide; bins are sorted and
// disjoint; count and sum are those of the values.
static void bins_hold_their_values(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "tally");
	for (unsigned bits = 1; bits <= 20; bits++) {
		struct tally tally = {.bits = bits};
		struct tally_value *values;
		double sum = 0, count = 0, expected = 0;
		size_t n;

		for (int i = 0; i < 2000; i++) {
			uint64_t v = tr_random_u64(&random) >> (2 + tr_random_below(&random, 60));

			tally_add(&tally, v, 1);
			expected += (double)v;
		}
		tally_add(&tally, ((uint64_t)1 << 62) - 1, 0);
		assert_int_equal(tally_values(&tally, &values, &n, NULL), TR_OK);
		for (size_t i = 0; i < n; i++) {
			assert_true(values[i].value >= (double)values[i].low);
			assert_true(values[i].value <= (double)values[i].high);
			assert_true((double)(values[i].high - values[i].low) <=
				    ldexp((double)values[i].low, -(int)bits));
			assert_true(i == 0 || values[i].low > values[i - 1].high);
			sum += values[i].value * values[i].count;
			count += values[i].count;
		}
		assert_true(count == 2000);
		assert_true(fabs(sum / expected - 1) < 1e-12);
		assert_true(tally.min == values[0].low || bits < 20);
		free(values);
		tally_clear(&tally);
	}
}

static void merging_is_adding(void **state)
{
	struct tally parts[3] = {{.bits = 7}, {.bits = 7}, {.bits = 7}}, whole = {.bits = 7};
	struct tally_value *a, *b;
	struct tr_random random;
	size_t n, m;

	(void)state;
	tr_random_open(&random, 2, "tally");
	for (int i = 0; i < 3000; i++) {
		uint64_t v = tr_random_u64(&random) >> (10 + tr_random_below(&random, 50));

		tally_add(&parts[i % 2], v, 1);
		tally_add(&whole, v, 1);
	}
	for (int i = 1; i < 3; i++)
		tally_merge(&parts[0], &parts[i]);
	assert_int_equal(parts[0].min, whole.min);
	assert_int_equal(parts[0].max, whole.max);
	assert_int_equal(tally_values(&parts[0], &a, &n, NULL), TR_OK);
	assert_int_equal(tally_values(&whole, &b, &m, NULL), TR_OK);
	assert_int_equal(n, m);
	assert_memory_equal(a, b, n * sizeof(*a));
	free(a);
	free(b);
	for (int i = 0; i < 3; i++)
		tally_clear(&parts[i]);
	tally_clear(&whole);
}

// One by one, with a short way for bins that are there, is the same as any number at a time.
static void one_is_as_any_number(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 3, "one");
	for (unsigned bits = 1; bits <= 20; bits++) {
		struct tally ones = {.bits = bits}, all = {.bits = bits};
		struct tally_value *a, *b;
		size_t n, m;

		for (int i = 0; i < 3000; i++) {
			const uint64_t v = tr_random_u64(&random) >>
					   (2 + tr_random_below(&random, 62));
			const uint64_t count = 1 + tr_random_below(&random, 3);

			tally_add(&all, v, count);
			for (uint64_t k = 0; k < count; k++)
				tally_add_one(&ones, v);
		}
		assert_true(ones.count == all.count && ones.min == all.min && ones.max == all.max &&
			    ones.used == all.used);
		assert_int_equal(tally_values(&ones, &a, &n, NULL), TR_OK);
		assert_int_equal(tally_values(&all, &b, &m, NULL), TR_OK);
		assert_int_equal(n, m);
		assert_memory_equal(a, b, n * sizeof(*a));
		free(a);
		free(b);
		tally_clear(&ones);
		tally_clear(&all);
	}
}

static void empty_gives_nothing(void **state)
{
	struct tally tally = {.bits = 7};
	struct tally_value *values;
	size_t n;

	(void)state;
	assert_int_equal(tally_values(&tally, &values, &n, NULL), TR_OK);
	assert_null(values);
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_values_are_exact), cmocka_unit_test(bins_hold_their_values),
		cmocka_unit_test(merging_is_adding),	  cmocka_unit_test(one_is_as_any_number),
		cmocka_unit_test(empty_gives_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
