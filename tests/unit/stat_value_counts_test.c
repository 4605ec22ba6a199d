// SPDX-License-Identifier: GPL-3.0-or-later
// Percentiles of value counts compared with those of the sorted values, exact and beyond the bound;
// any order and any split.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/counts/value_counts.h"
#include "value/random.h"

#define VALUES 60000

static const unsigned thousandths[] = {1, 500, 900, 950, 990, 999, 1000};
#define SHARES (sizeof(thousandths) / sizeof(*thousandths))

static int rising(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void by_hand(void **state)
{
	// The nearest rank of 10 values: the fifth is the median, the tenth the 95th percentile.
	static const uint64_t values[] = {9, 1, 8, 2, 7, 3, 6, 4, 5, UINT64_MAX};
	struct value_counts counts = {.n = 0};
	uint64_t found[SHARES];

	(void)state;
	assert_int_equal(value_counts_percentiles(&counts, thousandths, SHARES, found, NULL),
			 TR_OK);
	assert_int_equal(found[0], 0);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(value_counts_add(&counts, values[i], 1, NULL), TR_OK);
	assert_int_equal(value_counts_percentiles(&counts, thousandths, SHARES, found, NULL),
			 TR_OK);
	assert_int_equal(found[0], 1);
	assert_int_equal(found[1], 5);
	assert_int_equal(found[2], 9);
	assert_true(found[3] == UINT64_MAX);
	assert_int_equal(value_counts_add(&counts, 0, 90, NULL), TR_OK);
	assert_int_equal(value_counts_percentiles(&counts, thousandths, SHARES, found, NULL),
			 TR_OK);
	assert_int_equal(found[2], 0);
	assert_int_equal(found[3], 5);
	assert_int_equal(found[4], 9);
	value_counts_clear(&counts);
}

// Values below 2^bits.
static void draw(struct tr_random *random, unsigned bits, uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		values[i] = tr_random_u64(random) >> (64 - bits) >>
			    tr_random_below(random, bits / 2);
}

static void check(const struct value_counts *counts, uint64_t *values, size_t n)
{
	const double error = value_counts_error(counts);
	uint64_t found[SHARES];

	qsort(values, n, sizeof(*values), rising);
	assert_int_equal(value_counts_percentiles(counts, thousandths, SHARES, found, NULL), TR_OK);
	for (size_t i = 0; i < SHARES; i++) {
		const uint64_t want = values[(n * thousandths[i] + 999) / 1000 - 1];
		const uint64_t apart = found[i] > want ? found[i] - want : want - found[i];

		assert_true((double)apart <= error * (double)want);
	}
	assert_true(counts->min == values[0] && counts->max == values[n - 1]);
}

static bool same(const struct value_counts *a, const struct value_counts *b)
{
	uint64_t x[SHARES], y[SHARES];

	assert_int_equal(value_counts_percentiles(a, thousandths, SHARES, x, NULL), TR_OK);
	assert_int_equal(value_counts_percentiles(b, thousandths, SHARES, y, NULL), TR_OK);
	return a->n == b->n && a->used == b->used && a->dropped == b->dropped &&
	       memcmp(x, y, sizeof(x)) == 0;
}

static void equal_the_sorted_values(void **state)
{
	uint64_t *values = malloc(VALUES * sizeof(*values));
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "value counts");
	for (unsigned round = 0; round < 24; round++) {
		const unsigned bits = 4 + 5 * (round % 12);
		const size_t n = 1 + tr_random_below(&random, VALUES),
			     cut = tr_random_below(&random, n + 1);
		struct value_counts all = {.n = 0}, part[2] = {{.n = 0}, {.n = 0}};

		draw(&random, bits, values, n);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(value_counts_add(&all, values[i], 1, NULL), TR_OK);
			assert_int_equal(
				value_counts_add(&part[i < cut], values[n - 1 - i], 1, NULL),
				TR_OK);
		}
		assert_int_equal(value_counts_merge(&part[0], &part[1], NULL), TR_OK);
		assert_true(same(&all, &part[0]));
		assert_true(all.used <= VALUE_COUNTS_MAX);
		if (bits <= 13)
			assert_int_equal(all.dropped, 0);
		assert_true(value_counts_error(&all) <=
			    1.0 / 256); // 8192 values over 64 octaves: 7 bits at least
		check(&all, values, n);
		value_counts_clear(&all);
		value_counts_clear(&part[0]);
		value_counts_clear(&part[1]);
	}
	free(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand),
					   cmocka_unit_test(equal_the_sorted_values)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
