// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/intervals/quantile.h"

static struct quantile *values(const uint64_t *list, size_t count)
{
	struct quantile *quantile = calloc(1, sizeof(*quantile));

	assert_non_null(quantile);
	for (size_t i = 0; i < count; i++)
		quantile_add(quantile, list[i]);
	return quantile;
}

// By hand: values below 128 have a bucket each.
static void quantiles_in_rising_order(void **state)
{
	static const uint64_t list[] = {3, 7, 7, 100};
	static const struct {
		double p;
		uint64_t value;
		double share; // of the values up to it
	} rows[] = {{0, 3, 0.25},    {0.25, 3, 0.25}, {0.26, 7, 0.75}, {0.75, 7, 0.75},
		    {0.75, 7, 0.75}, {0.8, 100, 1},   {1, 100, 1}};
	struct quantile *quantile = values(list, 4);
	struct quantile_walk walk = {.of = quantile};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double share;

		assert_int_equal(quantile_walk_to(&walk, rows[i].p, &share), rows[i].value);
		assert_true(share == rows[i].share);
		assert_int_equal(quantile_get(quantile, rows[i].p), rows[i].value);
	}
	free(quantile);
}

static void shares_of_rising_values(void **state)
{
	static const uint64_t list[] = {3, 7, 7, 100};
	static const struct {
		uint64_t value;
		double share;
	} rows[] = {{0, 0},	{2, 0},	  {3, 0.25}, {6, 0.25},	     {7, 0.75},
		    {99, 0.75}, {100, 1}, {101, 1},  {UINT64_MAX, 1}};
	struct quantile *quantile = values(list, 4);
	struct quantile_walk walk = {.of = quantile};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_true(quantile_walk_share(&walk, rows[i].value) == rows[i].share);
		assert_true(quantile_share(quantile, rows[i].value) == rows[i].share);
	}
	free(quantile);
}

static void nothing_has_no_share(void **state)
{
	struct quantile *quantile = values(NULL, 0);
	struct quantile_walk walk = {.of = quantile};
	double share = 2;

	(void)state;
	assert_int_equal(quantile_walk_to(&walk, 0.5, &share), 0);
	assert_true(share == 0);
	assert_true(quantile_walk_share(&walk, UINT64_MAX) == 0);
	free(quantile);
}

// A value at either end of the range, alone and together, and the ends beside one in between.
static void ends_of_the_range(void **state)
{
	static const uint64_t list[] = {UINT64_MAX, 0, 1000};
	struct quantile *highest = values(list, 1), *all = values(list, 3);
	struct quantile_walk walk = {.of = highest};
	double share;

	(void)state;
	assert_true(quantile_walk_share(&walk, UINT64_MAX / 2) == 0);
	assert_true(quantile_walk_to(&walk, 0, &share) == UINT64_MAX && share == 1);
	assert_true(quantile_walk_share(&walk, UINT64_MAX) == 1);
	walk = (struct quantile_walk){.of = all};
	assert_true(quantile_walk_to(&walk, 0.1, &share) == 0 && share == 1.0 / 3);
	assert_true(quantile_walk_share(&walk, 999) == 1.0 / 3);
	assert_true(quantile_walk_to(&walk, 0.5, &share) == 1002 &&
		    share == 2.0 / 3); // of a bucket from 1000 to below 1004
	assert_true(quantile_walk_to(&walk, 1, &share) == UINT64_C(0xff8) << 52 &&
		    share == 1); // the middle of the last bucket
	free(highest);
	free(all);
}

// What is merged is what was added, also into one that is empty, or from one.
static void merged_ranges(void **state)
{
	static const uint64_t list[] = {1 << 20, 5, 5, UINT64_C(1) << 40};
	struct quantile *all = values(list, 4), *low = values(list + 1, 2), *rest = values(list, 1),
			*none = values(NULL, 0);

	(void)state;
	quantile_add(rest, list[3]);
	quantile_merge(low, none);
	quantile_merge(low, rest);
	assert_memory_equal(low, all, sizeof(*all));
	quantile_merge(none, all);
	assert_memory_equal(none, all, sizeof(*all));
	free(all);
	free(low);
	free(rest);
	free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_in_rising_order),
		cmocka_unit_test(shares_of_rising_values),
		cmocka_unit_test(nothing_has_no_share),
		cmocka_unit_test(ends_of_the_range),
		cmocka_unit_test(merged_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
