// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "gen/draw.h"
#include "gen/families/pulse_train/pulse_part.h"

#define N 20000

static struct tally_value values[N];

static void assert_near(double value, double expected, double relative)
{
	if (!(fabs(value / expected - 1) < relative))
		fail_msg("%.9g, expected %.9g", value, expected);
}

// Known value: two clearly separated kinds of gaps.
static void far_apart_is_counting(void **state)
{
	const struct tally_value gaps[] = {{.value = 9, .count = 500},
					   {.value = 11, .count = 500},
					   {.value = 9e6, .count = 60},
					   {.value = 11e6, .count = 40}};
	struct gap_sample sample = {gaps, 4, NULL, 0};
	struct gap_fit fit;

	(void)state;
	assert_int_equal(gap_mixture_fit(&sample, 0.99, &fit, NULL), TR_OK);
	assert_false(fit.single);
	assert_near(fit.silence.value, 9.8e6, 1e-5);
	assert_near(fit.inter_pulse.value, 10, 1e-4);
	assert_near(fit.pulses.value, 11, 1e-5);
	// Of n exponential gaps the logarithm of the mean has the error 1/sqrt(n); of a share q its
	// logit 1/sqrt(n q (1 - q)).
	assert_near(log(fit.silence.high / fit.silence.value), 2.5758 / sqrt(100), 1e-3);
	assert_near(log(fit.inter_pulse.low / fit.inter_pulse.value), -2.5758 / sqrt(1000), 1e-3);
	assert_near(log((fit.pulses.high - 1) / 10), 2.5758 / sqrt(1100 * (1 / 11.0) * (10 / 11.0)),
		    1e-3);
}

static void exponential_gaps_are_single(void **state)
{
	struct draw_tables tables;
	struct tr_random random;
	int pairs = 0;

	(void)state;
	draw_tables_make(&tables);
	tr_random_open(&random, 4, "gaps");
	for (int trial = 0; trial < 100; trial++) {
		struct gap_sample sample = {values, 1000, NULL, 0};
		struct gap_fit fit;

		for (int i = 0; i < 1000; i++)
			values[i] = (struct tally_value){
				.value = 5000 * draw_exponential(&tables, &random), .count = 1};
		assert_int_equal(gap_mixture_fit(&sample, 0.99, &fit, NULL), TR_OK);
		if (!fit.single) {
			pairs++;
			continue;
		}
		assert_true(fit.pulses.value == 1 && fit.inter_pulse.value == 0);
		assert_true(fabs(fit.silence.value / 5000 - 1) < 0.13); // 4 standard errors
	}
	assert_true(pairs <= 8); // 1 in 50 expected
}

// Gaps that the end cut short: with the exponential law the mean is all the time by the number of
// complete gaps.
static void open_gaps_count(void **state)
{
	const struct tally_value gaps[] = {{.value = 10, .count = 3}, {.value = 20, .count = 2}};
	const struct tally_value open[] = {{.value = 50, .count = 1}};
	struct gap_sample sample = {gaps, 2, open, 1};
	struct gap_fit fit;

	(void)state;
	assert_int_equal(gap_mixture_fit(&sample, 0.99, &fit, NULL), TR_OK);
	assert_true(fit.single);
	assert_near(fit.silence.value, 120 / 5.0, 1e-12);
}

static double log_likelihood(const struct gap_sample *sample, double s, double d, double q)
{
	double sum = 0;

	for (size_t i = 0; i < sample->count; i++)
		sum += sample->gaps[i].count * log(q / s * exp(-sample->gaps[i].value / s) +
						   (1 - q) / d * exp(-sample->gaps[i].value / d));
	for (size_t i = 0; i < sample->open_count; i++)
		sum += sample->open[i].count * log(q * exp(-sample->open[i].value / s) +
						   (1 - q) * exp(-sample->open[i].value / d));
	return sum;
}

// Second algorithm: no step in any direction from the answer is more likely, by the density as it
// is written down; and along each parameter the curvature is not above what the interval says.
static void answer_is_the_maximum(void **state)
{
	struct draw_tables tables;
	struct tr_random random;

	(void)state;
	draw_tables_make(&tables);
	tr_random_open(&random, 5, "gaps");
	for (int trial = 0; trial < 20; trial++) {
		double s = 1e6, d = 1e6 / pow(10, 0.6 + 0.2 * trial), q = 0.02 + 0.04 * trial;
		struct tally_value open[] = {{.value = 2e6, .count = 2},
					     {.value = 2e3, .count = 1}};
		struct gap_sample sample = {values, N, open, 2};
		struct gap_fit fit;

		for (int i = 0; i < N; i++) {
			double mean = tr_random_unit(&random) < q ? s : d;

			values[i] = (struct tally_value){
				.value = mean * draw_exponential(&tables, &random) + 1, .count = 1};
		}
		assert_int_equal(gap_mixture_fit(&sample, 0.99, &fit, NULL), TR_OK);
		assert_false(fit.single);
		double top = log_likelihood(&sample, fit.silence.value, fit.inter_pulse.value,
					    1 / fit.pulses.value);

		assert_near(fit.log_likelihood, top, 1e-9);
		for (int k = 0; k < 26; k++) {
			int a = k % 3 - 1, b = k / 3 % 3 - 1, c = k / 9 - 1;
			double step = 1e-3;

			if (a == 0 && b == 0 && c == 0)
				continue;
			assert_true(log_likelihood(&sample, fit.silence.value * (1 + a * step),
						   fit.inter_pulse.value * (1 + b * step),
						   (1 + c * step) / fit.pulses.value) < top + 1e-4);
		}
	}
}

static void zero_gaps_are_no_trap(void **state)
{
	const struct tally_value gaps[] = {{.value = 0, .count = 500},
					   {.value = 1000, .count = 100}};
	struct gap_sample sample = {gaps, 2, NULL, 0};
	struct gap_fit fit;

	(void)state;
	assert_int_equal(gap_mixture_fit(&sample, 0.99, &fit, NULL), TR_OK);
	assert_true(isfinite(fit.silence.value) && fit.silence.value > 100);
	assert_true(fit.inter_pulse.value >= 0);
}

static void nothing_is_refused(void **state)
{
	struct gap_sample sample = {NULL, 0, NULL, 0};
	struct gap_fit fit;

	(void)state;
	assert_int_equal(gap_mixture_fit(&sample, 0.99, &fit, NULL), TR_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(far_apart_is_counting),
		cmocka_unit_test(exponential_gaps_are_single),
		cmocka_unit_test(open_gaps_count),
		cmocka_unit_test(answer_is_the_maximum),
		cmocka_unit_test(zero_gaps_are_no_trap),
		cmocka_unit_test(nothing_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
