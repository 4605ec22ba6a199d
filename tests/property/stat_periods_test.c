// SPDX-License-Identifier: GPL-3.0-or-later
// How often aperiodic series are called periodic, and how well the period of a parallel program is
// found: 60 series per kind of 4,096 points; if FLIT_LONG is set 200 of 8,192 and 100 of 65,536.
// FLIT_TABLE=1 prints the rates.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fgn.h"
#include "period_series.h"
#include "stat/hurst/estimation.h"
#include "stat/intervals/verdict.h"
#include "stat/spectra/periods.h"

#define POINTS_MAX 65536

static double series[POINTS_MAX], work[9 * POINTS_MAX];

static const struct program_kind programs[] = {
	{"no jitter", 50.37, 0, .1, 15, 0, .5},
	{"1 %", 50.37, .01, .1, 15, 0, .5},
	{"5 %", 50.37, .05, .1, 15, 0, .5},
	{"10 %", 50.37, .1, .1, 15, 0, .5},
	{"1 % on Poisson", 50.37, .01, .1, 15, 1, .5},
	{"5 % on Poisson", 50.37, .05, .1, 15, 1, .5},
	{"10 % on Poisson", 50.37, .1, .1, 15, 1, .5},
	{"1 % on H .8", 50.37, .01, .1, 15, 1, .8},
	{"5 % on H .8", 50.37, .05, .1, 15, 1, .8},
	{"10 % on H .8", 50.37, .1, .1, 15, 1, .8},
};
#define PROGRAMS (sizeof(programs) / sizeof(*programs))

static struct periods find(size_t n)
{
	struct periods periods;
	struct tr_error err;

	assert_true(periods_series_workspace(n) <= sizeof(work) / sizeof(*work));
	assert_int_equal(periods_find_in_series(series, n, 0.95, work, &periods, &err), TR_OK);
	return periods;
}

// The largest count that level allows, with 3 standard errors.
static double allowed(int count, double level)
{
	return level * count + 3 * sqrt(count * level * (1 - level)) + 1;
}

static void check_false_rates(size_t n, int count)
{
	int all = 0, kinds = 0;

	for (size_t kind = 0; aperiodic_names[kind]; kind++, kinds++) {
		int found = 0;

		for (int i = 0; i < count; i++) {
			aperiodic_draw(kind, (uint64_t)i, series, n);
			found += find(n).count > 0;
		}
		if (getenv("FLIT_TABLE"))
			print_message("%-16s %6zu points: periodic %3d of %d\n",
				      aperiodic_names[kind], n, found, count);
		if (found > allowed(count, VERDICT_LEVEL))
			fail_msg("%s: %d of %d are called periodic", aperiodic_names[kind], found,
				 count);
		all += found;
	}
	assert_true(all <= allowed(count * kinds, VERDICT_LEVEL));
}

static void what_does_not_repeat_is_not_periodic(void **state)
{
	(void)state;
	if (!getenv("FLIT_LONG")) {
		check_false_rates(4096, 60);
		return;
	}
	check_false_rates(8192, 200);
	check_false_rates(POINTS_MAX, 100);
}

struct tally {
	int found, right, held;
	double jitter;
};

static struct tally tally_of(const struct program_kind *kind, size_t n, int count)
{
	struct tally tally = {0};

	for (int i = 0; i < count; i++) {
		struct periods periods;

		program_draw(kind, (uint64_t)i, series, n);
		periods = find(n);
		tally.found += periods.count > 0;
		if (periods.count == 0 ||
		    !(fabs(periods.found[0].points / kind->period - 1) < 0.05))
			continue;
		tally.right++;
		tally.held += periods.found[0].lo <= kind->period &&
			      kind->period <= periods.found[0].hi;
		tally.jitter += periods.found[0].jitter;
	}
	if (getenv("FLIT_TABLE"))
		print_message(
			"%-16s %6zu points: found %3d, right %3d, held %3d of %d, jitter %.4f\n",
			kind->name, n, tally.found, tally.right, tally.held, count,
			tally.jitter / tally.right);
	return tally;
}

// Of 300 cycles and more.
static void periods_are_found_in_spite_of_jitter(void **state)
{
	const bool is_long = getenv("FLIT_LONG");
	const int count = is_long ? 100 : 20;
	const size_t n = is_long ? POINTS_MAX : POINTS_MAX / 4;

	(void)state;
	for (size_t k = 0; k < PROGRAMS; k++) {
		const struct tally tally = tally_of(&programs[k], n, count);

		assert_true(tally.found >= 0.95 * count);
		assert_true(tally.right >= 0.95 * count);
		assert_true(tally.held >= 0.85 * tally.right - 1);
		assert_true(fabs(tally.jitter / tally.right - programs[k].jitter) <
			    0.004 + 0.15 * programs[k].jitter);
	}
}

// Noise by a generator of its own, and an AR(1) process of it.
static double lehmer_unit(uint64_t *state)
{
	*state = *state * 48271 % 2147483647;
	return (double)*state / 2147483647;
}

static void draw_noise(uint64_t *state, double phi, double *x, size_t n)
{
	double value = 0;

	for (size_t i = 0; i < 100 + n; i++) {
		const double radius = sqrt(-2 * log(lehmer_unit(state)));

		value = phi * value + radius * cos(2 * M_PI * lehmer_unit(state));
		if (i >= 100)
			x[i - 100] = value;
	}
}

// The share of series in which a sine of any frequency between two ordinates is found. share: of
// the variance that it adds.
static double found_sines(size_t n, double phi, double share, int count, double from, double to)
{
	uint64_t state = 12345;
	int found = 0;

	for (int i = 0; i < count; i++) {
		const double frequency = from + (to - from) * lehmer_unit(&state),
			     phase = 2 * M_PI * lehmer_unit(&state);
		const double amplitude = sqrt(2 * share / (1 - share) / (1 - phi * phi));

		draw_noise(&state, phi, series, n);
		for (size_t t = 0; t < n; t++)
			series[t] += amplitude *
				     cos(2 * M_PI * frequency * (double)t / (double)n + phase);
		found += find(n).count > 0;
	}
	return (double)found / count;
}

// A sine as strong as what "no period" rules out is found in nine of ten series in white noise, at
// any frequency; in an AR(1) process at the lowest, where it hides best, in nine or more, as the
// greatest value of an estimated background lies above it.
static void sines_are_found_as_often_as_said(void **state)
{
	static const struct {
		size_t n;
		double phi, from, to;
	} rows[] = {{1024, 0, 20, 490}, {8192, 0, 20, 4000}, {8192, 0.6, 20, 200}};
	const int count = getenv("FLIT_LONG") ? 1000 : 300;

	(void)state;
	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
		uint64_t seed = 4711;
		struct period_least least;
		double rate, share = 0;

		for (int i = 0; i < 20; i++) {
			struct periods periods;

			draw_noise(&seed, rows[r].phi, series, rows[r].n);
			periods = find(rows[r].n);
			least = period_least(&periods);
			share += (rows[r].phi > 0 ? least.most : least.usual) / 20;
		}
		rate = found_sines(rows[r].n, rows[r].phi, share, count, rows[r].from, rows[r].to);
		if (getenv("FLIT_TABLE"))
			print_message("%5zu points, AR %.1f: a sine of %.4f of the variance is "
				      "found in %.3f\n",
				      rows[r].n, rows[r].phi, share, rate);
		assert_true(rate - PERIOD_POWER > -0.04 - 3 * sqrt(0.09 / count));
		assert_true(rate - PERIOD_POWER <
			    (rows[r].phi > 0 ? 0.09 : 0.04 + 3 * sqrt(0.09 / count)));
	}
}

// H that these methods give; NaN where one gives none.
static const char *const methods[] = {"lw", "dfa1", "wavelet", "periodogram"};
#define METHODS (sizeof(methods) / sizeof(*methods))

static void add_estimates(size_t n, double sums[METHODS])
{
	static const struct estimate_options options = {.level = 0.95};

	for (size_t m = 0; m < METHODS; m++) {
		struct estimate estimate;
		struct tr_error err;

		assert_int_equal(estimation_make(estimator_find(methods[m]), series, n, &options,
						 &estimate, &err),
				 TR_OK);
		sums[m] += isnan(estimate.h_corrected) ? estimate.h : estimate.h_corrected;
	}
}

// Fractional noise of H .8, with a train of pulses of 15 standard deviations a cycle on top:
// estimates without the period are those of the noise.
static void estimates_without_the_period_are_those_of_the_noise(void **state)
{
	const size_t n = 16384;
	const int count = getenv("FLIT_LONG") ? 50 : 8;
	double before[METHODS] = {0}, with[METHODS] = {0}, without[METHODS] = {0};
	struct fgn *noise = fgn_open(n, 0.8);

	(void)state;
	for (int i = 0; i < count; i++) {
		struct tr_random random;
		struct periods periods;
		struct tr_error err;

		tr_random_open(&random, (uint64_t)i, "noise and pulses");
		fgn_draw(noise, &random, series);
		add_estimates(n, before);
		for (double t = 3; t < (double)n; t += 50.37)
			for (size_t k = 0; k < 5 && (size_t)t + k < n; k++)
				series[(size_t)t + k] += 3;
		add_estimates(n, with);
		periods = find(n);
		assert_true(periods.count > 0);
		assert_int_equal(seasonal_take_out(series, n, &periods, work, series, &err), TR_OK);
		add_estimates(n, without);
	}
	fgn_close(noise);
	for (size_t m = 0; m < METHODS; m++) {
		if (getenv("FLIT_TABLE"))
			print_message("%-12s noise %.3f, with the period %.3f, without %.3f\n",
				      methods[m], before[m] / count, with[m] / count,
				      without[m] / count);
		assert_true(fabs(without[m] - before[m]) / count < 0.02);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_repeat_is_not_periodic),
		cmocka_unit_test(periods_are_found_in_spite_of_jitter),
		cmocka_unit_test(sines_are_found_as_often_as_said),
		cmocka_unit_test(estimates_without_the_period_are_those_of_the_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
