// SPDX-License-Identifier: GPL-3.0-or-later
// Shuffles and surrogates: what they must preserve, and what they must destroy.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/intervals/ranks.h"
#include "stat/spectra/spectrum.h"
#include "stat/spectra/surrogate_series.h"
#include "stat/tests/shuffled_control.h"

#define POINTS 4099
#define BLOCK 64

static double series[POINTS], shuffled[POINTS], work[8 * POINTS];

// Point i has the value i, so that a shuffle tells where each came from.
static void count_up(void)
{
	for (size_t i = 0; i < POINTS; i++)
		series[i] = (double)i;
}

static void assert_same_points(void)
{
	memcpy(work, shuffled, sizeof(shuffled));
	rising_sort(work, POINTS);
	assert_memory_equal(work, series, sizeof(series));
	assert_memory_not_equal(shuffled, series, sizeof(series));
}

static void external_shuffles_keep_blocks(void **state)
{
	struct tr_random random;
	size_t moved = 0;

	(void)state;
	count_up();
	tr_random_open(&random, 1, "external");
	shuffle_external(series, POINTS, BLOCK, &random, shuffled);
	assert_same_points();
	for (size_t i = 0; i < POINTS; i++) {
		const size_t begin = i / BLOCK * BLOCK;

		assert_true((uint64_t)shuffled[begin] % BLOCK == 0);
		assert_true(shuffled[i] == shuffled[begin] + (double)(i - begin));
		moved += shuffled[i] != series[i];
	}
	assert_true(moved > POINTS / 2);
	// 3 points are left over.
	assert_memory_equal(shuffled + POINTS - 3, series + POINTS - 3, 3 * sizeof(*series));
}

static void internal_shuffles_keep_the_order_of_blocks(void **state)
{
	struct tr_random random;

	(void)state;
	count_up();
	tr_random_open(&random, 1, "internal");
	shuffle_internal(series, POINTS, BLOCK, &random, shuffled);
	assert_same_points();
	for (size_t i = 0; i < POINTS; i++)
		assert_int_equal((size_t)shuffled[i] / BLOCK, i / BLOCK);
}

// Each of the 6 orders of 3 points as often: within 4 standard errors.
static void orders_are_as_likely(void **state)
{
	struct tr_random random;
	int seen[27] = {0};

	(void)state;
	count_up();
	tr_random_open(&random, 1, "orders");
	for (int r = 0; r < 6000; r++) {
		shuffle_all(series, 3, &random, shuffled);
		seen[(int)(9 * shuffled[0] + 3 * shuffled[1] + shuffled[2])]++;
	}
	for (int i = 0; i < 27; i++)
		if (i / 9 != i / 3 % 3 && i / 9 != i % 3 && i / 3 % 3 != i % 3)
			assert_true(abs(seen[i] - 1000) < 4 * 29);
		else
			assert_int_equal(seen[i], 0);
}

static void surrogates_keep_the_spectrum(void **state)
{
	static double power[POINTS];
	struct spectrum spectrum;
	struct tr_random random;
	double mean = 0, shuffled_mean = 0, same = 0;

	(void)state;
	tr_random_open(&random, 1, "phase");
	for (size_t i = 0; i < POINTS; i++)
		series[i] = 5 + (i > 0 ? 0.8 * (series[i - 1] - 5) : 0) -
			    log(tr_random_unit(&random));
	assert_int_equal(phase_surrogate(series, POINTS, &random, work, shuffled, NULL), TR_OK);
	assert_int_equal(spectrum_make(series, POINTS, work, &spectrum, NULL), TR_OK);
	memcpy(power, spectrum.power, (spectrum.count + 1) * sizeof(*power));
	assert_int_equal(spectrum_make(shuffled, POINTS, work, &spectrum, NULL), TR_OK);
	for (size_t j = 1; j <= spectrum.count; j++)
		assert_true(fabs(spectrum.power[j] - power[j]) < 1e-9 * (1 + power[j]));
	for (size_t i = 0; i < POINTS; i++) {
		mean += series[i] / POINTS;
		shuffled_mean += shuffled[i] / POINTS;
		same += fabs(series[i] - shuffled[i]) < 1e-6;
	}
	assert_true(fabs(mean - shuffled_mean) < 1e-9 && same < 10);
}

// A level that moves every 200 points depends across blocks; noise that is the mean of 8 neighbours
// inside them only.
static void controls_tell_inside_from_across(void **state)
{
	const struct shuffled_options options = {.block = BLOCK, .seed = 3};
	struct shuffled_control out, again;
	struct tr_random random;
	double level = 0;

	(void)state;
	tr_random_open(&random, 1, "control");
	for (size_t i = 0; i < POINTS; i++) {
		if (i % 500 == 0)
			level = 3 * tr_random_unit(&random);
		shuffled[i] = tr_random_unit(&random);
		series[i] = level + tr_random_unit(&random);
	}
	assert_int_equal(shuffled_control_test(series, POINTS, &options, work, &out, NULL), TR_OK);
	assert_int_equal(out.answer, VERDICT_YES);
	assert_int_equal(shuffled_control_test(series, POINTS, &options, work, &again, NULL),
			 TR_OK);
	assert_memory_equal(&out, &again, sizeof(out));
	for (size_t i = 0; i < POINTS; i++) {
		series[i] = 0;
		for (size_t k = 0; k < 8; k++)
			series[i] += shuffled[(i + k) % POINTS];
	}
	assert_int_equal(shuffled_control_test(series, POINTS, &options, work, &out, NULL), TR_OK);
	assert_int_equal(out.inside.verdict, VERDICT_YES);
	assert_true(out.across.p > 0.05);
	assert_int_equal(out.across.verdict,
			 out.h_upper < SHUFFLED_H_LEAST ? VERDICT_NO : VERDICT_UNKNOWN);
	assert_true(out.inside.p <= 1.0 / 50);
	assert_true(fabs(out.by_kind[SHUFFLED_FULL][0].mean - 0.5) < 0.03);
	assert_true(fabs(out.by_kind[SHUFFLED_EXTERNAL][0].mean - out.h[0]) < 0.1);
}

// A period is found inside blocks and across them, also where its length divides what a block was
// asked to be near.
static void a_period_is_found(void **state)
{
	static const size_t periods[] = {2, 8, 10, 61, 300};
	const struct shuffled_options options = {.seed = 3};
	struct shuffled_control out;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "period");
	for (size_t p = 0; p < sizeof(periods) / sizeof(*periods); p++) {
		for (size_t i = 0; i < POINTS; i++)
			series[i] = (i % periods[p] == 0 ? 4 : 0) + tr_random_unit(&random);
		assert_int_equal(shuffled_control_test(series, POINTS, &options, work, &out, NULL),
				 TR_OK);
		assert_int_equal(out.block, 61);
		if (periods[p] < 61)
			assert_int_equal(out.inside.verdict, VERDICT_YES);
		if (periods[p] != 61)
			assert_int_equal(out.answer, VERDICT_YES);
		if (periods[p] > 2 && periods[p] < 300)
			assert_true(fabs(out.period / (double)periods[p] - 1) < 0.02);
	}
}

static void series_that_say_nothing(void **state)
{
	const struct shuffled_options options = {.seed = 1};
	struct shuffled_control out;
	struct tr_error err;

	(void)state;
	for (size_t i = 0; i < POINTS; i++)
		series[i] = 0.1;
	assert_int_equal(shuffled_control_test(series, 1000, &options, work, &out, &err), TR_OK);
	assert_int_equal(out.answer, VERDICT_UNKNOWN);
	assert_int_equal(shuffled_control_test(series, POINTS, &options, work, &out, &err),
			 TR_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(external_shuffles_keep_blocks),
		cmocka_unit_test(internal_shuffles_keep_the_order_of_blocks),
		cmocka_unit_test(orders_are_as_likely),
		cmocka_unit_test(surrogates_keep_the_spectrum),
		cmocka_unit_test(controls_tell_inside_from_across),
		cmocka_unit_test(a_period_is_found),
		cmocka_unit_test(series_that_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
