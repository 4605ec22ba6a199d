// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the Poisson test against published values.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stat/counts/poisson_test.h"
#include "stat/intervals/beta_gamma.h"
#include "value/random.h"

#define SAMPLES 4000
#define POINTS 100

static int rising(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) -
	       (*(const double *)a < *(const double *)b);
}

// 5 of 100 exponential samples exceed the value that says so: 4 standard errors.
static void the_level_is_what_it_says(void **state)
{
	struct tr_random random;
	int above = 0;

	(void)state;
	tr_random_open(&random, 1, "anderson-darling");
	for (int r = 0; r < SAMPLES; r++) {
		double x[POINTS];

		for (int i = 0; i < POINTS; i++)
			x[i] = -7 * log(tr_random_unit(&random));
		qsort(x, POINTS, sizeof(*x), rising);
		above += anderson_darling_exponential_p(anderson_darling_exponential(x, POINTS)) <
			 0.05;
	}
	assert_true(fabs((double)above / SAMPLES - 0.05) < 4 * sqrt(0.05 * 0.95 / SAMPLES));
}

// D'Agostino and Stephens, table 4.11: quantiles at 25, 15, 10, 5, 2.5 and 1 %.
static void published_quantiles(void **state)
{
	static const double quantiles[] = {0.736, 0.916, 1.062, 1.321, 1.591, 1.959};
	static const double levels[] = {0.25, 0.15, 0.1, 0.05, 0.025, 0.01};

	(void)state;
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		assert_true(fabs(anderson_darling_exponential_p(quantiles[i]) / levels[i] - 1) <
			    0.03);
	assert_true(isnan(anderson_darling_exponential_p(NAN)));
	assert_true(anderson_darling_exponential_p(INFINITY) < 1e-6);
	assert_true(anderson_darling_exponential_p(50) <= anderson_darling_exponential_p(9));
}

static void ends_of_the_statistic(void **state)
{
	const double none[] = {0, 0, 0}, some[] = {0, 1, 2}, one[] = {3};

	(void)state;
	assert_true(isnan(anderson_darling_exponential(none, 3)));
	assert_true(isinf(anderson_darling_exponential(some, 3)));
	// -1 - ln(1 - e^-1) + 1, times 1.6.
	assert_true(fabs(anderson_darling_exponential(one, 1) - 1.6 * -log(1 - exp(-1))) < 1e-12);
}

static void the_binomial_law(void **state)
{
	(void)state;
	assert_true(fabs(binomial_cdf(0, 3, 0.5) - 0.125) < 1e-15);
	assert_true(fabs(binomial_cdf(1, 3, 0.5) - 0.5) < 1e-15);
	assert_true(binomial_cdf(3, 3, 0.5) == 1);
	assert_true(fabs(binomial_cdf(18, 20, 0.95) - 0.2641604751) < 1e-9);
}

// Intervals begin at multiples of the width behind the first arrival; gaps across their borders do
// not count.
static void intervals_and_their_gaps(void **state)
{
	static const int64_t times[] = {-5, -4, 4, 5, 6, 31, 32};
	struct poisson_verdict verdict;
	struct poisson poisson;

	(void)state;
	poisson_open(&poisson, 10, 1);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		assert_int_equal(poisson_add(&poisson, times[i], NULL), TR_OK);
	verdict = poisson_finish(&poisson);
	assert_int_equal(poisson.count, 3);
	assert_int_equal(poisson.intervals[0].start_ticks, -5);
	assert_int_equal(poisson.intervals[0].gaps, 2);
	assert_int_equal(poisson.intervals[1].start_ticks, 5);
	assert_int_equal(poisson.intervals[1].gaps, 1);
	assert_int_equal(poisson.intervals[2].start_ticks, 25);
	assert_int_equal(verdict.intervals, 3);
	assert_int_equal(verdict.tested, 0);
	assert_int_equal(verdict.clock_ticks, 1);
	assert_int_equal(poisson_answer(&verdict), VERDICT_UNKNOWN);
	poisson_close(&poisson);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_level_is_what_it_says), cmocka_unit_test(published_quantiles),
		cmocka_unit_test(ends_of_the_statistic),     cmocka_unit_test(the_binomial_law),
		cmocka_unit_test(intervals_and_their_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
