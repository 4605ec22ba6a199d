// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers for the parts of flitburst.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/bursts/nested_bursts.h"
#include "stat/bursts/burst_gap.h"
#include "stat/counts/dispersion.h"
#include "stat/counts/lagged.h"
#include "stat/counts/nested_sums.h"
#include "stat/intervals/quantile.h"
#include "value/random.h"

static void near(double found, double expected, double error)
{
	if (!(fabs(found - expected) <= error))
		fail_msg("%.17g, expected %.17g", found, expected);
}

// r = 0, 1 and sqrt(n - 1).
static void burstiness_of_a_clock_of_chance_and_of_one_long_gap(void **state)
{
	struct moments clock = {0}, even = {0}, one = {0};

	(void)state;
	moments_add_repeated(&clock, 7, 100);
	near(goh_barabasi(&clock), -1, 0);
	near(goh_barabasi_finite(&clock), -1, 1e-15);
	moments_add_repeated(&even, 0, 50);
	moments_add_repeated(&even, 10, 50);
	near(goh_barabasi(&even), 0, 1e-15);
	near(goh_barabasi_finite(&even), (sqrt(101) - sqrt(99)) / (sqrt(101) - 2 + sqrt(99)),
	     1e-15);
	moments_add_repeated(&one, 0, 9);
	moments_add(&one, 1000);
	near(goh_barabasi(&one), 0.5, 1e-15);
	near(goh_barabasi_finite(&one), 1, 1e-15);
	assert_true(isnan(goh_barabasi(&(struct moments){0})));
}

static void a_ramp_has_a_known_autocorrelation(void **state)
{
	const struct lags lags = {1, {1}};
	struct lagged lagged;

	(void)state;
	assert_int_equal(lagged_open(&lagged, &lags, NULL), TR_OK);
	for (int64_t i = 1; i <= 1000; i++)
		lagged_add(&lagged, i);
	lagged_flush(&lagged);
	near(lagged_autocorrelation(&lagged, 0), 1 - 3.0 / 1000, 1e-14);
	near(lagged_memory(&lagged), 1, 1e-14);
	lagged_close(&lagged);
}

// Values of 2^40 that differ by single ticks: nothing of them is lost.
static void large_values_keep_their_small_differences(void **state)
{
	const struct lags lags = {2, {1, 2}};
	struct lagged lagged;

	(void)state;
	assert_int_equal(lagged_open(&lagged, &lags, NULL), TR_OK);
	for (int64_t i = 0; i < 1000; i++)
		lagged_add(&lagged, (INT64_C(1) << 40) + i % 2);
	lagged_flush(&lagged);
	near(lagged_autocorrelation(&lagged, 0), -0.999, 1e-12);
	near(lagged_autocorrelation(&lagged, 1), 0.998, 1e-12);
	near(lagged_memory(&lagged), -1, 1e-12);
	lagged_close(&lagged);
}

static void alternating_counts_have_index_one(void **state)
{
	struct moments parts[10] = {{0}};
	struct dispersion d;

	(void)state;
	for (int i = 0; i < 10; i++) {
		moments_add_repeated(&parts[i], 0, 50);
		moments_add_repeated(&parts[i], 2, 50);
	}
	d = dispersion_of_parts(parts, 10, DISPERSION_COUNTS, 1, 0.95);
	assert_int_equal(d.n, 1000);
	near(d.mean, 1, 0);
	near(d.index, 1000.0 / 999, 1e-14);
	near(d.lo, d.index, 1e-12); // all parts are alike
	near(d.hi, d.index, 1e-12);
	d = dispersion_of_parts(parts, 10, DISPERSION_INTERVALS, 8, 0.95);
	near(d.index, 8000.0 / 999, 1e-13);
	d = dispersion_of_parts(parts, 7, DISPERSION_COUNTS, 1, 0.95);
	assert_true(isnan(d.lo) && isnan(d.hi));
}

// The interval at 95 % holds the .95 of binomial counts (1 of 20) as often as that: 400 series of
// 1600 windows, by segments and by single windows. Three binomial deviations are 3.3 %.
static void intervals_hold_what_they_say(void **state)
{
	struct tr_random random;
	int held[2] = {0, 0};

	(void)state;
	tr_random_open(&random, 21, "dispersion");
	for (int series = 0; series < 400; series++) {
		struct moments parts[2][40] = {{{0}}};

		for (int i = 0; i < 1600; i++) {
			int64_t count = 0;

			for (int j = 0; j < 40; j++)
				count += tr_random_below(&random, 20) == 0;
			moments_add(&parts[0][i / 40], count);
			if (i < 40)
				moments_add(&parts[1][i], count);
		}
		for (int which = 0; which < 2; which++) {
			const struct dispersion d = dispersion_of_parts(parts[which], 40,
									DISPERSION_COUNTS, 1, 0.95);

			held[which] += d.lo < 0.95 && 0.95 < d.hi;
		}
	}
	assert_in_range(held[0], 367, 393);
	assert_in_range(held[1], 360, 393);
}

static void single_points_stay_windows_until_they_meet(void **state)
{
	struct nested_part parts[NESTED_SEGMENTS_MAX];
	struct nested_sums sums;

	(void)state;
	assert_int_equal(nested_sums_open(&sums, 8, NULL), TR_OK);
	for (int64_t i = 0; i < 8; i++)
		nested_sums_add(&sums, i << 20, 3, 5);
	nested_sums_add(&sums, (INT64_C(8) << 20) - 1, 0, 0);
	nested_sums_finish(&sums);
	assert_int_equal(nested_sums_top(&sums), 23);
	for (unsigned level = 0; level <= 20; level++) {
		assert_int_equal(nested_sums_parts(&sums, level, parts), 8);
		assert_int_equal(parts[5].x.n, 1 << (20 - level));
		assert_true(parts[5].x.sum_squares == 9 && parts[5].y.sum_squares == 25);
		assert_int_equal(nested_sums_peak(&sums, level).x, 3);
	}
	assert_int_equal(nested_sums_parts(&sums, 22, parts), 2);
	assert_true(parts[0].x.sum == 12 && parts[1].y.sum_squares == 400);
	assert_int_equal(nested_sums_peak(&sums, 23).y, 40);
	nested_sums_close(&sums);
}

static void quantiles_are_right_to_their_error(void **state)
{
	static struct log_histogram histogram;
	const double shares[] = {0.01, 0.25, 0.5, 0.9, 0.99};

	(void)state;
	assert_int_equal(log_histogram_quantile(&histogram, 0.5, 0), 0);
	for (uint64_t i = 1; i <= 100000; i++)
		histogram.count[log_histogram_bucket(i * 1000)]++;
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
		near((double)log_histogram_quantile(&histogram, shares[i], 100000000),
		     shares[i] * 1e8, shares[i] * 1e8 / 31);
	assert_in_range(log_histogram_quantile(&histogram, 1, 100000000), 96900000, 100000000);
	assert_int_equal(log_histogram_quantile(&histogram, 1, 500), 500);
	assert_int_equal(log_histogram_bucket(UINT64_MAX), LOG_HISTOGRAM_BUCKETS - 1);
	for (unsigned i = 0; i + 1 < LOG_HISTOGRAM_BUCKETS; i++) {
		assert_int_equal(log_histogram_bucket(log_histogram_upper(i)), i);
		assert_int_equal(log_histogram_bucket(log_histogram_upper(i) + 1), i + 1);
	}
}

// counts[i]: gaps above 2^(i-1) ticks, up to 2^i.
static struct burst_gap choose(const uint64_t *counts, size_t n)
{
	const struct burst_gap_rule found = {.by = BURST_GAP_FOUND};
	struct burst_gap_counts gaps = {.trains = 1, .packets = 1};
	struct burst_gaps list;

	assert_int_equal(burst_gaps_set(&list, &found, 0, 1000000000, NULL), TR_OK);
	for (size_t i = 0; i < n; i++)
		gaps.packets += gaps.counts[i] = counts[i];
	return burst_gap_choose(&list, BURST_GAP_FOUND, &gaps);
}

static void the_burst_gap_lies_in_the_outermost_valley(void **state)
{
	const uint64_t apart[] = {0, 5, 500, 20, 0, 0, 0, 0, 30, 200, 10};
	const uint64_t single[] = {1, 3, 12, 40, 160, 600, 2000, 5000, 4000, 300, 4};
	const uint64_t noise[] = {0, 0, 4, 0, 0, 300, 1000, 700, 20, 0, 0, 3};
	const uint64_t shallow[] = {100, 1000, 500, 500, 900, 100};
	const uint64_t levels[] = {0, 0, 4000, 0, 0, 900, 0, 0, 100, 0};
	const uint64_t chance[] = {0, 10, 6, 10, 4};
	const uint64_t alone[] = {0, 100, 10, 900, 900};
	struct burst_gap gap;

	(void)state;
	gap = choose(apart, 11);
	assert_int_equal(gap.basis, BURST_BASIS_FOUND);
	assert_int_equal(gap.ticks, 32);
	assert_int_equal(gap.bursts, 241);
	near(gap.depth, 1, 0);
	gap = choose(single, 11);
	assert_int_equal(gap.basis, BURST_BASIS_NONE);
	assert_true(gap.depth <= 0);
	assert_int_equal(gap.bursts, 0);
	assert_int_equal(choose(noise, 12).basis, BURST_BASIS_NONE);
	gap = choose(shallow, 6);
	assert_int_equal(gap.ticks, 4);
	near(gap.depth, 1 - 500.0 / 900, 1e-15);
	assert_int_equal(choose(levels, 10).bursts, 101);
	assert_int_equal(choose(chance, 5).basis, BURST_BASIS_NONE);
	assert_int_equal(choose(alone, 5).basis, BURST_BASIS_NONE); // less than two packets a burst
	assert_int_equal(choose(NULL, 0).basis, BURST_BASIS_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(burstiness_of_a_clock_of_chance_and_of_one_long_gap),
		cmocka_unit_test(a_ramp_has_a_known_autocorrelation),
		cmocka_unit_test(large_values_keep_their_small_differences),
		cmocka_unit_test(alternating_counts_have_index_one),
		cmocka_unit_test(intervals_hold_what_they_say),
		cmocka_unit_test(single_points_stay_windows_until_they_meet),
		cmocka_unit_test(quantiles_are_right_to_their_error),
		cmocka_unit_test(the_burst_gap_lies_in_the_outermost_valley),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
