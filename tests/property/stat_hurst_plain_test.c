// SPDX-License-Identifier: GPL-3.0-or-later
// The optimised estimators compared with those of plain_estimators.h, on noise of many kinds; their
// approximations compared with full sums; equal results on one thread and on several. Long series
// of every second kind, if FLIT_LONG is set of all.
#include <complex.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fgn.h"
#include "plain_estimators.h"
#include "stat/hurst/detrended.h"
#include "stat/hurst/estimation.h"
#include "stat/spectra/condensed.h"

#define POINTS_MAX 40000
#define TOLERANCE 1e-6 // of H: what the minimum is found to

static double series[POINTS_MAX];

// Kinds of series: noise with H .3, .5, .8; its sums and its differences; with a trend on a high
// level; counts with silences; far autoregressive.
enum { ROUGH, WHITE, SMOOTH, SUMS, DIFFERENCES, TREND, COUNTS, NEAR_UNIT_ROOT, KINDS };

static void draw(int kind, size_t n)
{
	struct fgn *fgn = fgn_open(n, kind == ROUGH		       ? 0.3
				      : kind == SMOOTH || kind == SUMS ? 0.8
								       : 0.5);
	struct tr_random random;
	double before = 0;

	tr_random_open(&random, 21, "plain");
	fgn_draw(fgn, &random, series);
	fgn_close(fgn);
	for (size_t i = 0; i < n; i++) {
		const double own = series[i];

		if (kind == SUMS)
			series[i] = before + own;
		else if (kind == NEAR_UNIT_ROOT)
			series[i] = 0.95 * before + own;
		else if (kind == DIFFERENCES)
			series[i] = own - before;
		else if (kind == TREND)
			series[i] = 1e5 + 0.01 * (double)i + own;
		else if (kind == COUNTS)
			series[i] = (i / 500) % 3 == 1 ? 0 : floor(fmax(0, 2 + 2 * own));
		before = kind == DIFFERENCES ? own : series[i];
	}
}

static const size_t lengths[] = {512, 1000, 4096, 10007, 40000};

#define LENGTHS (sizeof(lengths) / sizeof(*lengths))

static struct estimate estimate_by(const char *name, size_t n)
{
	const struct estimate_options options = {.level = 0.95};
	struct estimate estimate;

	assert_int_equal(
		estimation_make(estimator_find(name), series, n, &options, &estimate, NULL), TR_OK);
	return estimate;
}

static void check(const char *name, int kind, size_t n, double found, double plain,
		  double tolerance)
{
	if (!(fabs(found - plain) <= tolerance))
		fail_msg("%s, kind %d, %zu points: %.12g, the plain one %.12g", name, kind, n,
			 found, plain);
}

static bool is_tried(int kind, size_t n)
{
	return n <= 1000 || kind % 2 == (n == 10007) || getenv("FLIT_LONG");
}

static void likelihoods_are_the_plain_ones(void **state)
{
	(void)state;
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t k = 0; k < LENGTHS - 1; k++) {
			const size_t n = lengths[k];
			double fit, se, h;

			if (!is_tried(kind, n))
				continue;
			draw(kind, n);
			check("elw", kind, n, estimate_by("elw", n).h,
			      plain_exact_local_whittle(series, n), TOLERANCE);
			check("whittle-farima", kind, n, estimate_by("whittle-farima", n).h,
			      plain_whittle_farima(series, n), TOLERANCE);
			h = plain_whittle_fgn(series, n, &fit, &se);
			check("whittle", kind, n, estimate_by("whittle", n).h, h, TOLERANCE);
			check("whittle, fit", kind, n, estimate_by("whittle", n).fit, fit, 1e-5);
			check("whittle, se", kind, n, estimate_by("whittle", n).se, se, 1e-6 * se);
		}
}

// At every scale; the trend of 1e5 leaves its rounding.
static void blocks_are_the_plain_ones(void **state)
{
	static const char *const names[] = {"residuals", "dfa1", "dfa2", "dfa3", "rs"};

	(void)state;
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t k = 0; k < LENGTHS; k++)
			for (unsigned method = 0; method < 5; method++) {
				const size_t n = lengths[k];
				struct estimate estimate;

				if (!is_tried(kind, n))
					continue;
				draw(kind, n);
				estimate = estimate_by(names[method], n);
				for (size_t i = 0; i < estimate.point_count; i += 7) {
					const size_t m = (size_t)estimate.points[i].scale;

					check(names[method], kind, n, estimate.points[i].y,
					      method == 0 ? plain_median_residual(series, n, m)
					      : method == 4
						      ? plain_rescaled_range(series, n, m)
						      : plain_fluctuation(series, n, m, method),
					      1e-7);
				}
			}
}

// Every place of a block in the pieces, and lengths around those where the way changes.
static void residuals_do_not_depend_on_the_place(void **state)
{
	static const size_t sizes[] = {4, 5, 16, 63, 100, 511, 512, 513, 640, 1000, 4096, 9999};
	struct detrended *detrended;
	double sum = 0;

	(void)state;
	draw(SMOOTH, POINTS_MAX);
	for (size_t i = 0; i < POINTS_MAX; i++)
		series[i] = sum += series[i];
	detrended = detrended_open(series, POINTS_MAX, NULL);
	assert_non_null(detrended);
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
		for (unsigned order = 1; order <= DETRENDED_ORDER_MAX; order++)
			for (size_t begin = 0; begin + sizes[s] <= POINTS_MAX;
			     begin += POINTS_MAX / 23) {
				const double plain = plain_residual(series + begin, sizes[s],
								    order);
				const double found = detrended_residual(detrended, begin, sizes[s],
									order);

				if (order + 1 < sizes[s] && !(fabs(found - plain) <= 1e-9 * plain))
					fail_msg("%zu points from %zu, order %u: %.12g, not %.12g",
						 sizes[s], begin, order, found, plain);
			}
	detrended_close(detrended);
}

// Powers, an exponential and a geometric sum's factor, against all terms.
static double smooth(int which, double j, size_t last)
{
	const double l = M_PI * j / (double)last;

	switch (which) {
	case 0: return pow(l, -1.9);
	case 1: return pow(2 * sin(l / 2), 2.6);
	case 2: return log(l);
	case 3: return exp(-0.01 * j);
	default: return 1 / (1 + exp(-2e-4) - 2 * exp(-1e-4) * cos(l));
	}
}

static void condensed_sums_are_those_of_all_terms(void **state)
{
	static const size_t bands[][2] = {{1, 3},     {1, 63},	  {1, 64},    {5, 70},	   {64, 77},
					  {100, 101}, {33, 1000}, {1, 39999}, {700, 24576}};
	static double weights[CONDENSED_MAX];
	struct condensed_places places;

	(void)state;
	draw(COUNTS, POINTS_MAX);
	for (size_t b = 0; b < sizeof(bands) / sizeof(*bands); b++)
		for (int which = 0; which < 5; which++) {
			const size_t first = bands[b][0], last = bands[b][1];
			// From the end to the beginning, and squared where which is odd.
			const struct condensed_values values = {.base = series + last - first,
								.stride = -1,
								.level = 0.5,
								.squared = which % 2 == 1};
			double sum = 0, all = 0, of_places = 0;

			condensed_places_make(&places, first, last);
			condensed_weights(&places, &values, weights);
			for (size_t j = first; j <= last; j++) {
				const double value = series[last - j] - 0.5;
				const double term = (values.squared ? value * value : value) *
						    smooth(which, (double)j, last);

				sum += term;
				all += fabs(term);
			}
			for (size_t q = 0; q < places.count; q++)
				of_places += weights[q] * smooth(which, places.at[q], last);
			if (!(fabs(of_places - sum) <= 1e-11 * all))
				fail_msg("%zu to %zu, function %d: %.15g, not %.15g", first, last,
					 which, of_places, sum);
		}
}

// Bit by bit, but for what fills the structs up.
static void check_same(const struct estimate *a, const struct estimate *b)
{
	assert_memory_equal(a, b, offsetof(struct estimate, points));
	for (size_t i = 0; i < a->point_count; i++) {
		assert_memory_equal(&a->points[i], &b->points[i],
				    offsetof(struct estimate_point, fitted));
		assert_int_equal(a->points[i].fitted, b->points[i].fitted);
	}
	assert_int_equal(a->warning_count, b->warning_count);
	assert_memory_equal(a->warnings, b->warnings, a->warning_count * sizeof(*a->warnings));
}

static void threads_do_not_show(void **state)
{
	static struct estimation alone[64], together[64];
	const struct estimate_options options = {.level = 0.95};
	cpu_set_t before, one;
	size_t count = 0, first = 0;

	(void)state;
	draw(SMOOTH, 10007);
	for (; estimators[count]; count++)
		alone[count].estimator = together[count].estimator = estimators[count];
	assert_int_equal(
		estimations_make(series, 10007, NULL, &options, together, count, NULL, NULL, NULL),
		TR_OK);
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	while (!CPU_ISSET(first, &before))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(
		estimations_make(series, 10007, NULL, &options, alone, count, NULL, NULL, NULL),
		TR_OK);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	for (size_t e = 0; e < count; e++) {
		struct estimate single;

		assert_int_equal(alone[e].made, together[e].made);
		if (!alone[e].made) { // of counts only
			assert_true(estimators[e]->counts_only);
			continue;
		}
		check_same(&alone[e].estimate, &together[e].estimate);
		assert_int_equal(
			estimation_make(estimators[e], series, 10007, &options, &single, NULL),
			TR_OK);
		check_same(&alone[e].estimate, &single);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(condensed_sums_are_those_of_all_terms),
		cmocka_unit_test(residuals_do_not_depend_on_the_place),
		cmocka_unit_test(likelihoods_are_the_plain_ones),
		cmocka_unit_test(blocks_are_the_plain_ones),
		cmocka_unit_test(threads_do_not_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
