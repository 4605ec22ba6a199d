// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stat/intervals/interval.h"
#include "stat/intervals/moments.h"
#include "value/random.h"

static void near(double found, double expected, double relative)
{
	if (!(fabs(found - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", found, expected);
}

static void nothing_has_no_mean(void **state)
{
	struct moments m = {0};

	(void)state;
	assert_true(isnan(moments_mean(&m)));
	assert_true(isnan(moments_variance(&m)));
	moments_add(&m, 5);
	assert_true(moments_mean(&m) == 5);
	assert_true(isnan(moments_variance(&m)));
	assert_true(isnan(mean_interval(&m, 0.99).lo));
	moments_add(&m, 5);
	assert_true(moments_variance(&m) == 0);
}

// NIST Statistical Reference Datasets, NumAcc3 and NumAcc4, in tenths: mean 1000000.2 and
// 10000000.2, standard deviation 0.1 exactly, both certified.
static void nist_numacc(void **state)
{
	(void)state;
	for (int64_t base = 1000000; base <= 10000000; base *= 10) {
		struct moments m = {0};

		moments_add(&m, base * 10 + 2);
		for (int i = 0; i < 500; i++) {
			moments_add(&m, base * 10 + 1);
			moments_add(&m, base * 10 + 3);
		}
		near(moments_mean(&m) / 10, (double)base + 0.2, 1e-15);
		near(moments_sd(&m) / 10, 0.1, 1e-15);
	}
}

static void extreme_values_keep_their_variance(void **state)
{
	struct moments m = {0};

	(void)state;
	for (int i = 0; i < 3; i++)
		moments_add(&m, INT64_MAX / 2 - i);
	assert_true(moments_variance(&m) == 1);
	assert_int_equal(m.min, INT64_MAX / 2 - 2);
	assert_int_equal(m.max, INT64_MAX / 2);
	m = (struct moments){0};
	moments_add(&m, -7);
	moments_add_repeated(&m, 0, UINT64_C(1) << 62);
	near(moments_deviations(&m), 49, 1e-15);
}

static void any_split_gives_the_same_bytes(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "split");
	for (int round = 0; round < 200; round++) {
		struct moments whole, part[3], merged;
		const size_t n = tr_random_below(&random, 50);

		memset(&whole, 0, sizeof(whole));
		memset(part, 0, sizeof(part));
		memset(&merged, 0, sizeof(merged));
		for (size_t i = 0; i < n; i++) {
			const int64_t value = (int64_t)tr_random_below(&random, 1u << 31) -
					      (1 << 30);

			moments_add(&whole, value);
			moments_add(&part[tr_random_below(&random, 3)], value);
		}
		for (int i = 2; i >= 0; i--)
			moments_merge(&merged, &part[i]);
		assert_memory_equal(&whole, &merged, sizeof(whole));
		moments_remove(&merged, &part[1]);
		assert_int_equal(merged.n, part[0].n + part[2].n);
		assert_true(merged.sum == part[0].sum + part[2].sum);
	}
}

// Against the plain two-pass formula.
static void second_algorithm(void **state)
{
	struct tr_random random;
	double value[1000], mean = 0, squares = 0;
	struct moments m = {0};

	(void)state;
	tr_random_open(&random, 2, "two-pass");
	for (int i = 0; i < 1000; i++) {
		value[i] = (double)tr_random_below(&random, 1u << 20);
		moments_add(&m, (int64_t)value[i]);
		mean += value[i] / 1000;
	}
	for (int i = 0; i < 1000; i++)
		squares += (value[i] - mean) * (value[i] - mean);
	near(moments_mean(&m), mean, 1e-12);
	near(moments_variance(&m), squares / 999, 1e-12);
}

// Jain 1991, example 13.1 (32 service times, mean 3.90, s 0.95 rounded there) uses the interval's
// formula; here the sample 1..9: mean 5, s^2 7.5, t(.975; 8) = 2.306004135204166.
static void interval_of_a_mean(void **state)
{
	struct moments m = {0};
	struct interval found;

	(void)state;
	for (int i = 1; i <= 9; i++)
		moments_add(&m, i);
	found = mean_interval(&m, 0.95);
	near(found.hi - 5, 2.306004135204166 * sqrt(7.5 / 9), 1e-13);
	near(5 - found.lo, 2.306004135204166 * sqrt(7.5 / 9), 1e-13);
}

// The eight n of equation 3.8 in Yates 1997, from the printed means and deviations.
static void samples_that_one_percent_needs(void **state)
{
	static const struct {
		double mean, sd, quantile, n;
	} row[] = {
		{23.350179, .014555, 1.645, .0105142}, {23.350179, .014555, 1.960, .0149264},
		{23.350179, .014555, 2.576, .0257831}, {23.310601, .200385, 1.645, 1.9997},
		{23.310601, .200385, 1.960, 2.8388},   {23.310601, .200385, 2.576, 4.9036},
		{7034.62, 1995.9754, 1.645, 2178.52},  {7034.62, 1995.9754, 1.960, 3092.72},
		{7034.62, 1995.9754, 2.576, 5342.21},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		near(samples_needed(row[i].mean, row[i].sd, row[i].quantile, 1), row[i].n, 3e-5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_has_no_mean),
		cmocka_unit_test(nist_numacc),
		cmocka_unit_test(extreme_values_keep_their_variance),
		cmocka_unit_test(any_split_gives_the_same_bytes),
		cmocka_unit_test(second_algorithm),
		cmocka_unit_test(interval_of_a_mean),
		cmocka_unit_test(samples_that_one_percent_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
