// SPDX-License-Identifier: GPL-3.0-or-later
// Wavelet leaders of noise with one H, and of a multifractal random walk and a log-normal cascade
// with known log-cumulants; compared with leaders by definition.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "fgn.h"
#include "stat/hurst/multifractal.h"
#include "stat/spectra/wavelet.h"
#include "traffic_kinds.h"

#define LOG2_POINTS 16
#define POINTS (1 << LOG2_POINTS)

static double series[POINTS], work[2 * POINTS];

static const struct leaders_options options = {.level = 0.95};

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 400 : 20;
}

struct found {
	double c1, c2, c1_held, c2_held, zeta[LEADERS_ORDERS], held[LEADERS_ORDERS];
};

// Adds the estimates of the series, whose true values are zeta(q) = c1 q + c2 q^2 / 2.
static void add(struct found *found, double c1, double c2)
{
	const double share = 1.0 / rounds();
	struct leaders leaders;

	assert_int_equal(leaders_make(series, POINTS, &options, work, &leaders, NULL), TR_OK);
	found->c1 += leaders.c1 * share;
	found->c2 += leaders.c2 * share;
	found->c1_held += (leaders.c1_interval.lo <= c1 && c1 <= leaders.c1_interval.hi) * share;
	found->c2_held += (leaders.c2_interval.lo <= c2 && c2 <= leaders.c2_interval.hi) * share;
	for (size_t i = 0; i < LEADERS_ORDERS; i++) {
		const struct leaders_order *order = &leaders.orders[i];
		const double zeta = c1 * order->q + c2 * order->q * order->q / 2;

		found->zeta[i] += order->zeta * share;
		found->held[i] += (order->interval.lo <= zeta && zeta <= order->interval.hi) *
				  share;
	}
}

// Bias, and how often the intervals at 95 % hold the truth: .90 in the long run.
static void check(const char *what, double c1, double c2, const struct found *found)
{
	const double least = 0.9 - 3.5 * sqrt(0.09 / rounds());

	if (getenv("FLIT_LONG"))
		print_message("%s: c1 %g: %.4f held %.3f; c2 %g: %.4f held %.3f; zeta(-2) %.3f "
			      "%.3f, zeta(2) %.3f %.3f, zeta(4) %.3f %.3f\n",
			      what, c1, found->c1, found->c1_held, c2, found->c2, found->c2_held,
			      found->zeta[0], found->held[0], found->zeta[5], found->held[5],
			      found->zeta[7], found->held[7]);
	if (fabs(found->c1 - c1) > 0.013 + 0.06 / sqrt(rounds()) || found->c1_held < least)
		fail_msg("%s: c1 %g: %g, held %g", what, c1, found->c1, found->c1_held);
	if (fabs(found->c2 - c2) > 0.002 + 0.06 * fabs(c2) + 0.03 / sqrt(rounds()) ||
	    found->c2_held < least)
		fail_msg("%s: c2 %g: %g, held %g", what, c2, found->c2, found->c2_held);
	for (size_t i = 0; i < 6;
	     i++) { // up to 2: of higher orders the largest leaders alone decide
		const double q = (const double[]){-2, -1, 0.5, 1, 1.5, 2}[i],
			     zeta = c1 * q + c2 * q * q / 2;

		if (fabs(found->zeta[i] - zeta) > fabs(q) * (0.015 + 0.06 / sqrt(rounds())) ||
		    found->held[i] < least - 0.05)
			fail_msg("%s: zeta(%g) %g: %g, held %g", what, q, zeta, found->zeta[i],
				 found->held[i]);
	}
}

static void noise_has_one_h(void **state)
{
	(void)state;
	for (double h = 0.5; h < 0.95; h += 0.1) {
		struct fgn *fgn = fgn_open(POINTS, h);
		struct found found = {0};
		struct tr_random random;

		tr_random_open(&random, 1, "leaders");
		for (unsigned r = 0; r < rounds(); r++) {
			fgn_draw(fgn, &random, series);
			add(&found, h, 0);
		}
		fgn_close(fgn);
		check("fgn", h, 0, &found);
	}
}

// Bacry, Delour and Muzy, Multifractal random walk, Physical Review E 64 (2001) 026103: independent
// normal steps times exp of a Gaussian series with covariance l^2 ln(n / (1 + lag)).
static double walk_covariance(double l_squared, double lag)
{
	return l_squared * fmax(0, log(POINTS / (1 + lag)));
}

static void a_random_walk_has_its_cumulants(void **state)
{
	(void)state;
	for (double l_squared = 0.02; l_squared < 0.1; l_squared *= 2) {
		const double c1 = 0.5 + l_squared, c2 = -l_squared;
		struct fgn *fgn = fgn_open_by(POINTS, walk_covariance, l_squared);
		struct found found = {0};
		struct tr_random random;

		tr_random_open(&random, 2, "walk");
		for (unsigned r = 0; r < rounds(); r++) {
			fgn_draw(fgn, &random, series);
			for (size_t i = 0; i < POINTS; i++)
				series[i] = exp(series[i]) *
					    gsl_cdf_ugaussian_Pinv(tr_random_unit(&random));
			add(&found, c1, c2);
		}
		fgn_close(fgn);
		check("walk", c1, c2, &found);
	}
}

// Mandelbrot's cascade: each half of a cell has its mass times exp(s N - s^2 / 2).
static void a_cascade_has_its_cumulants(void **state)
{
	(void)state;
	for (double s_squared = 0.02; s_squared < 0.1; s_squared *= 2) {
		const double c1 = 1 + s_squared / (2 * M_LN2), c2 = -s_squared / M_LN2;
		struct found found = {0};
		struct tr_random random;

		tr_random_open(&random, 3, "cascade");
		for (unsigned r = 0; r < rounds(); r++) {
			series[0] = 1;
			for (size_t n = 1; n < POINTS; n *= 2)
				for (size_t i = n; i-- > 0;) {
					const double whole = series[i];

					for (size_t half = 0; half < 2; half++)
						series[2 * i + half] =
							whole *
							exp(sqrt(s_squared) *
								    gsl_cdf_ugaussian_Pinv(
									    tr_random_unit(
										    &random)) -
							    s_squared / 2);
				}
			add(&found, c1, c2);
		}
		check("cascade", c1, c2, &found);
	}
}

// Packets without memory and noise with long memory are not taken for multifractal.
static void counts_with_one_exponent(void **state)
{
	static const char *const kinds[] = {"poisson .5", "poisson 5", "poisson 500", "fgn .8",
					    "farima .3"};

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		double below = 0, c1 = 0;
		struct traffic_maker *maker;
		size_t kind = 0;

		while (strcmp(traffic_kinds[kind].name, kinds[i]) != 0)
			kind++;
		maker = traffic_maker_open(kind, POINTS);
		for (unsigned r = 0; r < rounds(); r++) {
			struct leaders leaders;

			traffic_draw(maker, r, series);
			assert_int_equal(
				leaders_make(series, POINTS, &options, work, &leaders, NULL),
				TR_OK);
			assert_true(leaders.zeros == 0);
			c1 += leaders.c1 / rounds();
			below += (leaders.c2_interval.hi < 0) / (double)rounds();
		}
		traffic_maker_close(maker);
		if (below > 0.05 + 3.5 * sqrt(0.05 / rounds()) ||
		    fabs(c1 - fmax(0.5, traffic_kinds[kind].h)) > 0.03)
			fail_msg("%s: c2 below 0 in %g, c1 %g", kinds[i], below, c1);
	}
}

#define FEW 2048
#define OCTAVES 12

// Leaders as they are defined, from the coefficients of all octaves.
static void leaders_equal_their_definition(void **state)
{
	static double details[OCTAVES][FEW], room[FEW];
	size_t count[OCTAVES], n = FEW, used = 0;
	double s0 = 0, s1 = 0, s2 = 0, y0 = 0, y1 = 0;
	struct tr_random random;
	struct leaders leaders;
	struct wavelet wavelet;

	(void)state;
	tr_random_open(&random, 4, "definition");
	for (size_t i = 0; i < FEW; i++)
		room[i] = series[i] = gsl_cdf_ugaussian_Pinv(tr_random_unit(&random));
	assert_int_equal(wavelet_make(&wavelet, 2, NULL), TR_OK);
	for (size_t j = 0; j < OCTAVES && n >= wavelet.taps; j++)
		n = count[j] = wavelet_step(&wavelet, room, n, details[j]);
	for (size_t j = 1; count[j] - 2 >= 64; j++) {
		double sum = 0;

		for (size_t k = 1; k + 1 < count[j]; k++) {
			double largest = 0;

			// The intervals of octave i below k - 1 .. k + 1: with four taps 2 k + 1
			// and 2 k + 2 are those of k.
			for (size_t i = j + 1, lo = k - 1, hi = k + 1; i-- > 0;
			     lo = 2 * lo + 1, hi = 2 * hi + 2)
				for (size_t at = lo; at <= hi; at++)
					largest = fmax(largest, fabs(details[i][at]) *
									exp2((double)(i + 1) / 2));
			sum += log(largest) / M_LN2;
		}
		n = count[j] - 2;
		s0 += (double)n;
		s1 += (double)n * (double)(j + 1);
		s2 += (double)n * (double)((j + 1) * (j + 1));
		y0 += sum;
		y1 += sum * (double)(j + 1);
		used = j + 1;
	}
	assert_int_equal(
		leaders_make(series, FEW,
			     &(struct leaders_options){.j1 = 2, .vanishing = 2, .level = 0.95},
			     work, &leaders, NULL),
		TR_OK);
	assert_int_equal(leaders.j2, used);
	assert_true(fabs(leaders.c1 - (s0 * y1 - s1 * y0) / (s0 * s2 - s1 * s1)) < 1e-9);
}

static void silence_is_left_out_or_refused(void **state)
{
	struct leaders leaders;
	struct tr_error err = {""};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 5, "silence");
	for (size_t i = 0; i < POINTS; i++) // silent from a quarter to a half of each sixteenth
		series[i] = i % (POINTS / 16) / (POINTS / 64) == 1 ? 1e6 / 3
								   : tr_random_unit(&random);
	assert_int_equal(leaders_make(series, POINTS, &options, work, &leaders, &err), TR_OK);
	assert_true(leaders.zeros > 0.1 && leaders.zeros < 0.25);
	for (size_t i = POINTS / 2; i < POINTS; i++)
		series[i] = 0;
	assert_int_equal(leaders_make(series, POINTS, &options, work, &leaders, &err), TR_ERROR);
	assert_string_equal(err.text, "wavelet leaders need 3 octaves with 64 nonzero leaders, "
				      "some in each sixteenth of the series");
	assert_int_equal(leaders_make(series, 100, &options, work, &leaders, &err), TR_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_has_one_h),
		cmocka_unit_test(a_random_walk_has_its_cumulants),
		cmocka_unit_test(a_cascade_has_its_cumulants),
		cmocka_unit_test(counts_with_one_exponent),
		cmocka_unit_test(leaders_equal_their_definition),
		cmocka_unit_test(silence_is_left_out_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
