// SPDX-License-Identifier: GPL-3.0-or-later
// Fisher's g compared with his table and closed forms, the tails of the incomplete beta function,
// the effect of whitening on smooth spectra, and what seasonal adjustment must leave unchanged.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stat/intervals/beta_gamma.h"
#include "stat/spectra/periods.h"
#include "stat/spectra/spectral_lines.h"
#include "value/random.h"

#define POINTS 4000

static double series[POINTS], adjusted[POINTS], work[8 * POINTS];

static void assert_near(double value, double expected, double error)
{
	if (!(fabs(value - expected) <= error))
		fail_msg("%.12g is not within %g of %.12g", value, error, expected);
}

// Fisher 1929, table 1: the 5 % points; they have five digits.
static void g_is_that_of_the_table(void **state)
{
	static const struct {
		size_t q;
		double g;
	} rows[] = {{5, .68377},  {10, .44495}, {15, .33462}, {20, .27040},
		    {30, .19784}, {40, .15738}, {50, .13135}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_near(fisher_g_p(rows[i].g, rows[i].q), 0.05, 1e-4);
}

// Of two ordinates the share of the larger is uniform over 1/2 to 1; of three P(g > x) = 3 (1 -
// x)^2 from 1/2 on. Of many the largest is as Gumbel has it.
static void g_has_its_closed_forms(void **state)
{
	(void)state;
	assert_near(fisher_g_p(0.75, 2), 0.5, 1e-12);
	assert_near(fisher_g_p(0.6, 3), 3 * 0.4 * 0.4, 1e-12);
	assert_near(fisher_g_p(1, 7), 0, 1e-12);
	assert_near(fisher_g_p(0, 7), 1, 1e-12);
	assert_near(fisher_g_p(20e-6, 1000000), 1 - exp(-1e6 * exp(-20)), 1e-5);
	assert_near(fisher_g_p(8e-6, 1000000), 1, 1e-8);
}

static void lines_are_taken_one_by_one(void **state)
{
	double ordinates[100];
	struct fisher_g test;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		ordinates[i] = 1 + (double)(i % 7) / 10;
	ordinates[13] = 80;
	ordinates[61] = 40;
	test = fisher_g_test(ordinates, 100, 0.05, 8);
	assert_int_equal(test.lines, 2);
	assert_int_equal(test.largest, 13);
	assert_true(test.p < 1e-6);
}

static void logarithms_go_on_where_the_beta_function_ends(void **state)
{
	(void)state;
	assert_near(log_incomplete_beta(3, 4, 0.2, 0.8), log(incomplete_beta(3, 4, 0.2, 0.8)),
		    1e-12);
	assert_near(log_incomplete_beta(3, 4, 0.9, 0.1), log(incomplete_beta(3, 4, 0.9, 0.1)),
		    1e-12);
	assert_near(log_incomplete_beta(1000, 1, 1e-5, 1 - 1e-5), 1000 * log(1e-5), 1e-6);
}

// A power law comes out flat, and a line in it as high as it is above the law.
static void a_power_law_is_whitened(void **state)
{
	static double power[2001], ratio[2001], level[2001], logs[2001];

	(void)state;
	for (int bend = -2; bend <= 2; bend++) {
		for (size_t j = 1; j <= 2000; j++)
			power[j] = pow((double)j, bend);
		power[300] *= 1000;
		spectral_level_ratio(power, 2000, ratio, level, logs);
		for (size_t j = 30; j <= 2000; j++)
			assert_near(ratio[j] / (j == 300 ? 1000 : 1), 1, 0.1);
	}
}

static double noise(struct tr_random *random)
{
	return sqrt(-2 * log(tr_random_unit(random))) * cos(2 * M_PI * tr_random_unit(random));
}

static void fill_noise(const char *name)
{
	struct tr_random random;

	tr_random_open(&random, 1, name);
	for (size_t i = 0; i < POINTS; i++)
		series[i] = noise(&random);
}

// Two pulses d points apart have the spectrum 2 + 2 cos(2 pi j d / n): ordinates n / d apart are
// alike.
static void bursts_bind_ordinates(void **state)
{
	struct ordinate_correlation correlation;
	struct tr_error err;

	(void)state;
	fill_noise("even");
	assert_int_equal(ordinate_correlation_make(&correlation, series, POINTS, &err), TR_OK);
	assert_true(ordinate_inflation(&correlation, 100) < 1.5);
	memset(series, 0, sizeof(series));
	series[1000] = series[1500] = 1;
	assert_int_equal(ordinate_correlation_make(&correlation, series, POINTS, &err), TR_OK);
	assert_near(ordinate_correlation_at(&correlation, 4), 0, 0.01);
	assert_near(ordinate_correlation_at(&correlation, 8), 1, 0.05);
	assert_true(ordinate_inflation(&correlation, 64) > 20);
}

static void add_wave(double period, double amplitude)
{
	for (size_t i = 0; i < POINTS; i++)
		series[i] += amplitude * cos(2 * M_PI * (double)i / period + 1);
}

static struct periods find(void)
{
	struct periods periods;
	struct tr_error err;

	assert_true(periods_series_workspace(POINTS) <= sizeof(work) / sizeof(*work));
	assert_int_equal(periods_find_in_series(series, POINTS, 0.95, work, &periods, &err), TR_OK);
	return periods;
}

// A sine of amplitude 1 in noise of variance 1 holds a third of the variance.
static void waves_are_found(void **state)
{
	struct periods periods;

	(void)state;
	fill_noise("waves");
	assert_int_equal(find().count, 0);
	add_wave(37.3, 1);
	add_wave(9.61, 0.7);
	periods = find();
	assert_int_equal(periods.count, 2);
	assert_true(periods.found[0].lo < 37.3 && 37.3 < periods.found[0].hi);
	// Less than from one Fourier frequency to the next.
	assert_true(periods.found[0].hi - periods.found[0].lo < 37.3 * 37.3 / POINTS);
	assert_true(periods.found[1].lo < 9.61 && 9.61 < periods.found[1].hi);
	assert_near(periods.found[0].share, 0.5 / 1.745, 0.03);
	assert_near(periods.share, 0.745 / 1.745, 0.04);
}

// Bins fold the harmonics of a clock that lie beyond their highest frequency back: those are no
// periods of their own.
static void folded_harmonics_are_no_periods(void **state)
{
	static const double clocks[] = {40.61, 11.17, 6.43};

	(void)state;
	for (size_t c = 0; c < sizeof(clocks) / sizeof(*clocks); c++) {
		struct periods periods;

		fill_noise("folded");
		for (size_t i = 0; i < POINTS; i++)
			series[i] *= 0.1;
		for (double t = 0; t < POINTS; t += clocks[c])
			series[(size_t)t]++;
		periods = find();
		assert_int_equal(periods.count, 1);
		assert_near(periods.found[0].points, clocks[c], 1e-3 * clocks[c]);
	}
}

static void few_points_and_no_change_have_none(void **state)
{
	struct periods periods;
	struct tr_error err;

	(void)state;
	memset(series, 0, sizeof(series));
	assert_int_equal(periods_find_in_series(series, POINTS, 0.95, work, &periods, &err),
			 TR_ERROR);
	for (size_t i = 0; i < POINTS; i++)
		series[i] = (double)(i % 10 == 0);
	periods = find();
	assert_int_equal(periods.count, 1);
	assert_near(periods.found[0].points, 10, 1e-6);
	assert_near(periods.found[0].share, 1, 0.001);
	for (size_t i = 0; i < PERIODS_POINTS_MIN; i++)
		series[i] = sin((double)(i * i));
	assert_int_equal(
		periods_find_in_series(series, PERIODS_POINTS_MIN, 0.95, work, &periods, &err),
		TR_OK);
}

// Power at ordinate j of x.
static double power_at(const double *x, size_t j)
{
	double real = 0, imaginary = 0;

	for (size_t i = 0; i < POINTS; i++) {
		const double angle = 2 * M_PI * (double)(i * j % POINTS) / POINTS;

		real += x[i] * cos(angle);
		imaginary += x[i] * sin(angle);
	}
	return (real * real + imaginary * imaginary) / POINTS;
}

static void adjustment_takes_the_line_and_nothing_else(void **state)
{
	struct periods periods;
	struct tr_error err;
	double mean = 0;

	(void)state;
	fill_noise("adjusted");
	add_wave(40, 1);
	periods = find();
	assert_int_equal(periods.count, 1);
	assert_true(seasonal_workspace(POINTS) <= sizeof(work) / sizeof(*work));
	assert_int_equal(seasonal_take_out(series, POINTS, &periods, work, adjusted, &err), TR_OK);
	assert_true(power_at(series, 100) > 500);
	assert_true(power_at(adjusted, 100) < 3);
	for (size_t j = 0; j <= 60; j++)
		assert_near(power_at(adjusted, j), power_at(series, j),
			    1e-6 * (1 + power_at(series, j)));
	for (size_t i = 0; i < POINTS; i++)
		mean += (adjusted[i] - series[i]) / POINTS;
	assert_near(mean, 0, 1e-9);
	memcpy(series, adjusted, sizeof(series));
	assert_int_equal(find().count, 0);
}

#define ARRIVALS 500

static double times[ARRIVALS], arrivals_work[8 * 8192 + 64];

static struct periods find_in_arrivals(double *bin)
{
	struct periods periods;

	assert_true(arrival_periods_workspace(ARRIVALS) <=
		    sizeof(arrivals_work) / sizeof(*arrivals_work));
	arrival_periods_find(times, ARRIVALS, 0.95, arrivals_work, &periods, bin);
	return periods;
}

// All phases are the same at the period, and evenly spread at a tenth more.
static void z2_is_that_of_its_phases(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRIVALS; i++)
		times[i] = 0.25 * (double)i;
	assert_near(rayleigh_z2(times, ARRIVALS, 4, 1), 2 * ARRIVALS, 1e-6);
	assert_near(rayleigh_z2(times, ARRIVALS, 4, 3), 6 * ARRIVALS, 1e-6);
	assert_near(rayleigh_z2(times, ARRIVALS, 0.4, 1), 0, 1e-6);
}

// A clock whose ticks come a tenth of a period too soon or too late: far finer than the bins.
static void a_clock_is_found_in_arrivals(void **state)
{
	const double period = 0.01234567;
	struct tr_random random;
	struct periods periods;
	double bin;

	(void)state;
	tr_random_open(&random, 1, "clock");
	for (size_t i = 0; i < ARRIVALS; i++)
		times[i] = period * ((double)i + 0.1 * noise(&random));
	periods = find_in_arrivals(&bin);
	assert_int_equal(periods.count, 1);
	assert_near(periods.found[0].points * bin, period, 1e-4 * period);
	assert_true(periods.found[0].lo * bin < period && period < periods.found[0].hi * bin);
}

static void poisson_arrivals_have_no_period(void **state)
{
	struct tr_random random;
	int found = 0;

	(void)state;
	tr_random_open(&random, 1, "poisson");
	for (int i = 0; i < 60; i++) {
		double now = 0, bin;

		for (size_t k = 0; k < ARRIVALS; k++)
			times[k] = now -= log(tr_random_unit(&random));
		found += find_in_arrivals(&bin).count > 0;
	}
	// 5 % and 3 standard errors.
	assert_true(found <= 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(g_is_that_of_the_table),
		cmocka_unit_test(g_has_its_closed_forms),
		cmocka_unit_test(lines_are_taken_one_by_one),
		cmocka_unit_test(logarithms_go_on_where_the_beta_function_ends),
		cmocka_unit_test(a_power_law_is_whitened),
		cmocka_unit_test(bursts_bind_ordinates),
		cmocka_unit_test(waves_are_found),
		cmocka_unit_test(folded_harmonics_are_no_periods),
		cmocka_unit_test(few_points_and_no_change_have_none),
		cmocka_unit_test(z2_is_that_of_its_phases),
		cmocka_unit_test(a_clock_is_found_in_arrivals),
		cmocka_unit_test(poisson_arrivals_have_no_period),
		cmocka_unit_test(adjustment_takes_the_line_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
