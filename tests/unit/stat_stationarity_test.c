// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of stationarity and memory compared with published quantiles and independent computations
// (NumPy, SciPy; R's tseries for KPSS).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/hurst/estimation.h"
#include "stat/hurst/estimators.h"
#include "stat/intervals/ranks.h"
#include "stat/intervals/verdict.h"
#include "stat/tests/constancy.h"
#include "stat/tests/level_shift.h"
#include "stat/tests/long_memory.h"
#include "stat/tests/partial_sums.h"
#include "stat/tests/stationarity.h"

#define POINTS 1024
#define MANY 8192

static double series[MANY], work[12 * MANY];

static void assert_near(double is, double expected, double relative)
{
	if (!(fabs(is - expected) <= relative * fabs(expected)))
		fail_msg("%.10g, expected %.10g", is, expected);
}

// An autoregression (.5) of uniform values by the congruence of the C standard's rand.
static void fill_regression(size_t n, uint64_t state)
{
	double last = 0;

	for (size_t i = 0; i < n; i++) {
		state = (1103515245 * state + 12345) % (UINT64_C(1) << 31);
		last = 0.5 * last + ((double)state + 0.5) / 2147483648.0 - 0.5;
		series[i] = last;
	}
}

// The same with a shift of .15 at point 600.
static void fill(void)
{
	fill_regression(POINTS, 7);
	for (size_t i = 600; i < POINTS; i++)
		series[i] += 0.15;
}

// Flow of the Nile at Aswan, 1871 to 1970 (10^8 m^3): R's Nile.
static const double nile[100] = {
	1120, 1160, 963, 1210, 1160, 1160, 813,	 1230, 1370, 1140, 995,	 935,  1110, 994,  1020,
	960,  1180, 799, 958,  1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774,  840,
	874,  694,  940, 833,  701,  916,  692,	 1020, 1050, 969,  831,	 726,  456,  824,  702,
	1120, 1100, 832, 764,  821,  768,  845,	 864,  862,  698,  845,	 744,  796,  1040, 759,
	781,  865,  845, 944,  984,  897,  822,	 1010, 771,  676,  649,	 846,  812,  742,  801,
	1040, 860,  874, 848,  890,  744,  749,	 838,  1050, 918,  986,	 797,  923,  975,  815,
	1020, 906,  901, 1170, 912,  746,  919,	 718,  714,  740,
};

static void kpss(void **state)
{
	(void)state;
	assert_near(kpss_test(nile, 100, 4).statistic, 0.96543491, 1e-7);
	fill();
	assert_int_equal(kpss_test(series, POINTS, 0).lags, 21);
	assert_near(kpss_test(series, POINTS, 0).statistic, 1.311506286, 1e-9);
}

static void the_law_of_kpss(void **state)
{
	(void)state;
	assert_near(bridge_square_cdf(0.34730), 0.90, 1e-5);
	assert_near(bridge_square_cdf(0.46136), 0.95, 1e-5);
	assert_near(bridge_square_cdf(0.74346), 0.99, 1e-5);
	assert_near(bridge_square_cdf(0.11888), 0.50, 1e-4);
	assert_true(bridge_square_cdf(0) == 0);
	assert_true(bridge_square_cdf(0.005) < 1e-6);
	assert_near(bridge_square_cdf(20), 1, 1e-9);
}

// Against the sum over lags that the windows stand for.
static void the_long_run_variance(void **state)
{
	double mean = 0;

	(void)state;
	fill();
	for (size_t i = 0; i < POINTS; i++)
		mean += series[i] / POINTS;
	for (size_t lags = 0; lags <= 40; lags += 8) {
		double sum = 0;

		for (size_t lag = 0; lag <= lags; lag++)
			for (size_t i = lag; i < POINTS; i++)
				sum += (lag > 0 ? 2 : 1) * (1 - (double)lag / (double)(lags + 1)) *
				       (series[i] - mean) * (series[i - lag] - mean) / POINTS;
		assert_near(long_run_variance(series, POINTS, lags), sum, 1e-10);
	}
}

static void lo(void **state)
{
	struct lo_rescaled_range out;

	(void)state;
	fill();
	out = lo_rescaled_range_test(series, POINTS, 0);
	assert_int_equal(out.lags, 14);
	assert_near(out.statistic, 2.184522457, 1e-9);
	assert_near(out.rescaled_variance, 0.3866035183, 1e-9);
	assert_true(out.p < 0.05 && out.p_variance < 0.05);
	assert_int_equal(long_run_lags_fourth_root(100, 4), 4);
}

static void the_laws_of_lo(void **state)
{
	(void)state;
	assert_true(fabs(bridge_range_cdf(0.809) - 0.025) < 5e-4);
	assert_true(fabs(bridge_range_cdf(1.747) - 0.95) < 5e-4);
	assert_true(fabs(bridge_range_cdf(1.862) - 0.975) < 5e-4);
	assert_true(fabs(bridge_variance_cdf(0.152) - 0.90) < 5e-4);
	assert_true(fabs(bridge_variance_cdf(0.1869) - 0.95) < 5e-4);
	assert_true(fabs(bridge_variance_cdf(0.2685) - 0.99) < 5e-4);
	assert_true(bridge_range_cdf(0.1) == 0 && bridge_variance_cdf(0) == 0);
	assert_near(bridge_range_cdf(9), 1, 1e-12);
}

static void qu(void **state)
{
	struct spurious_memory out;

	(void)state;
	fill();
	assert_int_equal(spurious_memory_test(series, POINTS, 0, work, &out, NULL), TR_OK);
	assert_int_equal(out.frequencies, 127);
	assert_near(out.h - 0.5, 0.20925417, 1e-6);
	assert_near(out.statistic, 0.361149387, 1e-6);
	assert_near(out.threshold, 1.252, 1e-12);
	assert_true(out.p > 0.9);
	assert_int_equal(spurious_memory_test(nile, 100, 0, work, &out, NULL), TR_OK);
	assert_near(out.threshold, 1.155, 1e-12);
}

static void scale_and_what_it_serves(void **state)
{
	struct memory_scale scale;
	struct level_shift shift;

	(void)state;
	fill();
	assert_int_equal(memory_scale_make(series, POINTS, 0, work, &scale, NULL), TR_OK);
	assert_int_equal(scale.first, 32);
	assert_int_equal(scale.last, 256);
	assert_near(scale.h, 0.878965457, 1e-6);
	assert_near(scale.deviation, 0.418018585, 1e-6);
	shift = level_shift_test(series, POINTS, &scale);
	assert_int_equal(shift.at, 581);
	assert_near(shift.statistic, 0.240105948, 1e-5);
	assert_near(segment_means_test(series, POINTS, 2, &scale).statistic, 0.784010712, 1e-5);
	assert_near(segment_means_test(series, POINTS, 3, &scale).statistic, 1.08025322, 1e-5);
}

static void white_noise_gives_the_usual_tests(void **state)
{
	const struct memory_scale white = {.h = 0.5, .deviation = 2};
	double difference = 0;

	(void)state;
	fill();
	for (size_t i = 0; i < 1000; i++)
		difference += (i < 500 ? 1 : -1) * series[i] / 500;
	assert_near(segment_means_test(series, 1000, 2, &white).statistic,
		    difference * difference / (2 * 4 / 500.0), 1e-9);
	// Kolmogorov's 5 %.
	for (size_t i = 0; i < 100; i++)
		series[i] = i < 50 ? 1 : -1;
	assert_near(level_shift_test(series, 100,
				     &(struct memory_scale){.h = 0.5, .deviation = 5 / 1.3581})
			    .p,
		    0.05, 1e-3);
	assert_int_equal(level_shift_test(series, 100, &white).at, 50);
	assert_near(level_shift_test(series, 100, &white).before, 1, 1e-12);
	assert_near(level_shift_test(series, 100, &white).after, -1, 1e-12);
}

static void short_memory(void **state)
{
	struct short_memory found;
	struct memory_scale low;

	(void)state;
	fill_regression(MANY, 11);
	assert_int_equal(short_memory_fit(series, MANY, 0.1, work, &found, NULL), TR_OK);
	assert_near(found.ar, 0.4467023, 1e-3);
	assert_true(found.ma == 0);
	assert_true(fabs(found.d - 0.033353741) < 1e-3);
	assert_int_equal(memory_scale_low(series, MANY, 0, work, &low, NULL), TR_OK);
	assert_int_equal(low.first, 1);
	assert_int_equal(low.last, 349);
	assert_near(low.h, 0.502621779, 1e-7);
	assert_near(low.deviation, 0.544357595, 1e-7);
	// The power at the middle stays where h is another.
	assert_near(memory_scale_at(&low, 0.5).deviation, sqrt(2 * M_PI * exp(low.level)), 1e-12);
	short_memory_remove(&(struct short_memory){0.5, -0.25, 0}, series, MANY, work);
	// (1 - .25 B) y = (1 - .5 B) (x - mean), from the second point on.
	assert_near(work[700] - 0.25 * work[699] - (work[3] - 0.25 * work[2]),
		    series[700] - 0.5 * series[699] - (series[3] - 0.5 * series[2]), 1e-9);
}

// Two blocks: the square of their difference over its variance, each as the logscale diagram alone
// has it.
static void constancy(void **state)
{
	struct estimate_options options = {.level = 0.95};
	struct estimate first, second;
	struct constancy out;
	struct method_result said;

	(void)state;
	fill_regression(MANY, 3);
	assert_int_equal(constancy_test(series, MANY, 2, work, &out, NULL), TR_OK);
	assert_int_equal(out.length, MANY / 2);
	options.scale_min = out.scale_min;
	options.scale_max = out.scale_max;
	assert_int_equal(
		estimation_make(&logscale_daubechies, series, MANY / 2, &options, &first, NULL),
		TR_OK);
	assert_int_equal(estimation_make(&logscale_daubechies, series + MANY / 2, MANY / 2,
					 &options, &second, NULL),
			 TR_OK);
	assert_near(out.statistic,
		    (first.h - second.h) * (first.h - second.h) /
			    (first.se * first.se + second.se * second.se),
		    1e-9);
	assert_near(out.p, erfc(sqrt(out.statistic / 2)), 1e-9);
	said = constancy_decide(&out, MANY, NULL);
	assert_int_equal(said.verdict, out.p < 0.05	 ? VERDICT_NO
				       : out.power < 0.5 ? VERDICT_UNKNOWN
							 : VERDICT_YES);
	assert_int_equal(constancy_decide(&out, MANY, "why").verdict, VERDICT_UNKNOWN);
	assert_int_equal(constancy_test(series, MANY, 64, work, &out, &(struct tr_error){0}),
			 TR_ERROR);
	assert_int_equal(constancy_test(series, MANY, 0, work, &out, NULL), TR_OK);
	assert_true(out.blocks >= 2 && out.blocks <= 4);
}

// The noncentrality is that of two H half of .2 from their mean.
static void power_of_constancy(void **state)
{
	struct constancy out;
	double ncp;

	(void)state;
	fill_regression(MANY, 3);
	assert_int_equal(constancy_test(series, MANY, 2, work, &out, NULL), TR_OK);
	ncp = 2 * 0.01 / (out.se[0] * out.se[0]);
	// One degree: the chance that |z + sqrt(ncp)| exceeds 1.96.
	assert_near(out.power,
		    0.5 * erfc((1.959963985 - sqrt(ncp)) * M_SQRT1_2) +
			    0.5 * erfc((1.959963985 + sqrt(ncp)) * M_SQRT1_2),
		    1e-6);
}

// R: p.adjust(c(.01, .04, NA, .03, .005), "holm").
static void joint_probabilities(void **state)
{
	const double p[] = {0.01, 0.04, NAN, 0.03, 0.005};
	double joint[5];
	char words[VERDICT_SENTENCE] = "so";

	(void)state;
	holm_adjust(p, 5, joint);
	assert_near(joint[0], 0.03, 1e-12);
	assert_near(joint[1], 0.06, 1e-12);
	assert_true(isnan(joint[2]));
	assert_near(joint[3], 0.06, 1e-12);
	assert_near(joint[4], 0.02, 1e-12);
	assert_int_equal(holm_verdict(VERDICT_NO, p[0], joint[0], words), VERDICT_NO);
	assert_string_equal(words, "so");
	assert_int_equal(holm_verdict(VERDICT_NO, p[1], joint[1], words), VERDICT_UNKNOWN);
	assert_string_equal(
		words, "no by itself (p 0.04), but not jointly with the other tests (p 0.06): so");
	assert_int_equal(holm_verdict(VERDICT_YES, 0.7, 1, words), VERDICT_YES);
}

// Ranks (2.5, 1, 2.5, 4) of 4, less a half: quantiles of .5, .125 and .875.
static void scores_of_ranks(void **state)
{
	const double x[] = {3, -7, 3, 1e300};
	double y[4];

	(void)state;
	normal_scores(x, 4, work, y);
	assert_true(fabs(y[0]) < 1e-12 && fabs(y[2]) < 1e-12);
	assert_near(y[1], -1.1503493803760079, 1e-9);
	assert_near(y[3], 1.1503493803760079, 1e-9);
	for (size_t i = 0; i < 100; i++)
		series[i] = i % 2 ? 1 : -1;
	assert_near(kurtosis(series, 100), 1, 1e-12);
	assert_true(scores_if_heavy(series, 100, work) == series);
	series[7] = 1000;
	assert_true(scores_if_heavy(series, 100, work) == work);
}

// Three changes of a level with noise that cannot hide them, where they are; none without.
static void changes_of_the_level(void **state)
{
	const struct memory_scale white = {
		.h = 0.5, .se = 0, .deviation = 0.3, .level = log(0.09 / (2 * M_PI))};
	struct change_points out;

	(void)state;
	fill_regression(MANY, 9);
	for (size_t i = 1; i < MANY; i++)
		work[i] = series[i] - 0.5 * series[i - 1];
	work[0] = 0;
	change_points_find(work, work, MANY, &white, &out);
	assert_int_equal(out.count, 0);
	assert_true(out.p > 0.05);
	for (size_t i = 1000; i < MANY; i++)
		work[i] += i < 1500 ? 1 : i < 5000 ? 0 : 2;
	change_points_find(work, work, MANY, &white, &out);
	assert_int_equal(out.count, 3);
	assert_true(out.points[0].at > 990 && out.points[0].at < 1010);
	assert_true(out.points[1].at > 1490 && out.points[1].at < 1510);
	assert_true(out.points[2].at > 4990 && out.points[2].at < 5010);
	assert_true(fabs(out.points[1].before - 1) < 0.05 && fabs(out.points[2].after - 2) < 0.05);
	change_points_find(work, work, CHANGE_POINTS_MIN - 1, &white, &out);
	assert_true(out.count == 0 && isnan(out.p));
}

// A period, and a bend that short memory leaves, are told from shifts.
static void what_throws_qu_off(void **state)
{
	struct spurious_memory out;

	(void)state;
	fill_regression(MANY, 5);
	for (size_t i = 0; i < MANY; i++)
		series[i] += 0.5 * sin(2 * M_PI * (double)i / 64);
	assert_int_equal(spurious_memory_test(series, MANY, 0, work, &out, NULL), TR_OK);
	assert_near(out.period, 64, 1e-9);
	assert_true(out.p_period < 1e-6);
	fill_regression(MANY, 5);
	for (size_t i = 1; i < MANY; i++)
		series[i] += 0.95 * series[i - 1];
	assert_int_equal(spurious_memory_test(series, MANY, 0, work, &out, NULL), TR_OK);
	assert_true(out.p < 0.05 && !out.excess && out.p_period > 1e-3);
	fill_regression(MANY, 5);
	for (size_t i = MANY / 2; i < MANY; i++)
		series[i] += 0.5;
	assert_int_equal(spurious_memory_test(series, MANY, 0, work, &out, NULL), TR_OK);
	assert_true(out.p < 0.05 && out.excess && out.p_period > 1e-3);
}

static void tabled_probabilities(void **state)
{
	static const double quantiles[TABLED_LAW_LEVELS] = {1, 2, 3, 4, 5, 6, 7, 8};

	(void)state;
	assert_near(tabled_law_p(quantiles, 4), 0.05, 1e-12);
	assert_near(tabled_law_p(quantiles, 3.5), sqrt(0.1 * 0.05), 1e-12);
	assert_near(tabled_law_p(quantiles, 0), 1, 1e-12);
	assert_near(tabled_law_p(quantiles, 1000), 1e-6, 1e-12);
	assert_true(isnan(tabled_law_p(quantiles, NAN)));
}

static void series_that_say_nothing(void **state)
{
	struct stationarity out;
	struct long_memory memory;
	struct tr_error err;

	(void)state;
	for (size_t i = 0; i < POINTS; i++)
		series[i] = 0.1;
	assert_int_equal(stationarity_test(series, 100, 0, work, &out, &err), TR_OK);
	assert_int_equal(out.answer, VERDICT_UNKNOWN);
	assert_int_equal(stationarity_test(series, POINTS, 0, work, &out, &err), TR_ERROR);
	assert_int_equal(long_memory_decide(series, POINTS, 0, work, &memory, NULL), TR_OK);
	assert_int_equal(memory.answer, VERDICT_UNKNOWN);
	assert_int_equal(long_memory_decide(series, 0, 0, work, &memory, NULL), TR_OK);
	assert_int_equal(memory.answer, VERDICT_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kpss),
		cmocka_unit_test(the_law_of_kpss),
		cmocka_unit_test(the_long_run_variance),
		cmocka_unit_test(lo),
		cmocka_unit_test(the_laws_of_lo),
		cmocka_unit_test(qu),
		cmocka_unit_test(scale_and_what_it_serves),
		cmocka_unit_test(white_noise_gives_the_usual_tests),
		cmocka_unit_test(short_memory),
		cmocka_unit_test(constancy),
		cmocka_unit_test(power_of_constancy),
		cmocka_unit_test(joint_probabilities),
		cmocka_unit_test(scores_of_ranks),
		cmocka_unit_test(changes_of_the_level),
		cmocka_unit_test(what_throws_qu_off),
		cmocka_unit_test(tabled_probabilities),
		cmocka_unit_test(series_that_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
