// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates from sums over dyadic windows compared with those of the whole series, where windows
// and blocks are the same.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/hurst/dyadic.h"
#include "stat/hurst/estimation.h"
#include "value/random.h"

#define POINTS 4096

static double series[POINTS];

// Both ends are cut off: they lie outside of the series.
static void feed(struct dyadic *dyadic)
{
	struct bin_run run = {.index = -1, .count = 9};
	struct tr_random random;

	tr_random_open(&random, 1, "dyadic estimate");
	assert_int_equal(dyadic_take(dyadic, &run, NULL), TR_OK);
	for (size_t i = 0; i < POINTS; i++) {
		run.index = (int64_t)i;
		run.count = 1 + tr_random_below(&random, 50) + (i / 300) % 7;
		series[i] = (double)run.count;
		assert_int_equal(dyadic_take(dyadic, &run, NULL), TR_OK);
	}
	run.index = POINTS;
	assert_int_equal(dyadic_take(dyadic, &run, NULL), TR_OK);
}

// Each scale of the sums that the series has too, where it is whole blocks.
static void check_points(const struct estimate *sums, const struct estimate *series_points)
{
	size_t same = 0;

	for (size_t i = 0; i < sums->point_count; i++)
		for (size_t k = 0; k < series_points->point_count; k++)
			if (sums->points[i].scale == series_points->points[k].scale) {
				assert_float_equal(sums->points[i].y, series_points->points[k].y,
						   1e-9);
				assert_int_equal(sums->points[i].blocks,
						 series_points->points[k].blocks);
				same++;
			}
	assert_true(same >= 3);
}

static void their_points_are_those_of_the_series(void **state)
{
	const struct estimate_options options = {
		.level = 0.95, .scale_min = 1, .scale_max = 64, .scales = 256};
	static struct dyadic dyadic;

	(void)state;
	feed(&dyadic);
	for (size_t i = 0; i < DYADIC_ESTIMATORS; i++) {
		const struct estimator *whole = dyadic_estimators[i].like;
		struct estimate of_sums, of_series;

		assert_int_equal(dyadic_estimators[i].run(&dyadic, &options, &of_sums, NULL),
				 TR_OK);
		assert_int_equal(estimation_make(whole, series, POINTS, &options, &of_series, NULL),
				 TR_OK);
		check_points(&of_sums, &of_series);
	}
}

static void haar_is_that_of_the_series(void **state)
{
	const struct estimate_options options = {.level = 0.95};
	const struct dyadic_estimator *haar = dyadic_estimator_find(estimator_find("haar"));
	struct estimate of_sums, of_series;
	static struct dyadic dyadic;

	(void)state;
	feed(&dyadic);
	assert_int_equal(haar->run(&dyadic, &options, &of_sums, NULL), TR_OK);
	assert_int_equal(estimation_make(haar->like, series, POINTS, &options, &of_series, NULL),
			 TR_OK);
	assert_float_equal(of_sums.h, of_series.h, 1e-9);
	assert_float_equal(of_sums.se, of_series.se, 1e-9);
	assert_float_equal(of_sums.fit, of_series.fit, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(their_points_are_those_of_the_series),
		cmocka_unit_test(haar_is_that_of_the_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
