// SPDX-License-Identifier: GPL-3.0-or-later
// The rate of DCQCN by hand: cuts, the decay of alpha, and the three kinds of increases.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "program/dcqcn.h"

#define G UINT64_C(1000000000)
#define US 1000

// In ns. Bytes are counted to 10 MB.
static const struct dcqcn_params params = {.on = true,
					   .gain = DCQCN_ONE / 256,
					   .alpha_ticks = 55 * US,
					   .increase_ticks = 55 * US,
					   .increase_bytes = 10000000,
					   .step_bps = 40000000,
					   .fast_step_bps = 400000000,
					   .least_bps = 10000000,
					   .notice_ticks = 50 * US};

// From 40 Gb/s the first notice halves, as alpha is 1; then half of what is left to the target is
// made good four times, and from the fifth increase on the target rises by a step, to the line.
static void fast_recovery_then_steps(void **state)
{
	const uint64_t expected[] = {30 * G, 35 * G, 37500000000, 38750000000, 39375000000};
	struct dcqcn rate;

	(void)state;
	dcqcn_start(&rate, 40 * G);
	dcqcn_until(&rate, &params, 1000 * US); // nothing before a notice
	assert_false(dcqcn_limits(&rate));
	assert_true(rate.alpha == DCQCN_ONE);
	dcqcn_cut(&rate, &params, 1000 * US);
	assert_int_equal(rate.rate_bps, 20 * G);
	assert_int_equal(rate.target_bps, 40 * G);
	for (int i = 0; i < 5; i++) {
		dcqcn_until(&rate, &params, 1000 * US + (i + 1) * 55 * US - 1);
		assert_int_equal(rate.rate_bps, i > 0 ? expected[i - 1] : 20 * G);
		dcqcn_until(&rate, &params, 1000 * US + (i + 1) * 55 * US);
		assert_int_equal(rate.rate_bps, expected[i]);
	}
	dcqcn_until(&rate, &params, INT64_MAX / 2);
	assert_false(dcqcn_limits(&rate));
	assert_true(rate.alpha < 256);
}

// Two notices at once: 40, 20, 10 Gb/s with a target of 20. The fifth increase raises it to 20.04.
static void additive_increase(void **state)
{
	struct dcqcn rate;

	(void)state;
	dcqcn_start(&rate, 40 * G);
	dcqcn_cut(&rate, &params, 0);
	dcqcn_cut(&rate, &params, 0);
	assert_int_equal(rate.rate_bps, 10 * G);
	dcqcn_until(&rate, &params, 4 * 55 * US);
	assert_int_equal(rate.rate_bps, 19375000000); // 20 - 10 / 16
	assert_int_equal(rate.target_bps, 20 * G);
	dcqcn_until(&rate, &params, 5 * 55 * US);
	assert_int_equal(rate.target_bps, 20040000000);
	assert_int_equal(rate.rate_bps, 19707500000);
}

// Where the timer and the bytes both are behind five increases, the target rises by a fast step for
// each that both are.
static void hyper_increase(void **state)
{
	struct dcqcn rate;

	(void)state;
	dcqcn_start(&rate, 40 * G);
	for (int i = 0; i < 3; i++)
		dcqcn_cut(&rate, &params, 0);
	assert_int_equal(rate.rate_bps, 5 * G);
	dcqcn_until(&rate, &params, 6 * 55 * US); // the fifth and sixth add a step
	assert_int_equal(rate.target_bps, 10080000000);
	for (int i = 0; i < 5; i++) // so do these
		dcqcn_sent(&rate, &params, 10000000);
	assert_int_equal(rate.target_bps, 10280000000);
	dcqcn_sent(&rate, &params, 9999999);
	assert_int_equal(rate.target_bps, 10280000000);
	dcqcn_sent(&rate, &params, 1);
	assert_int_equal(rate.target_bps, 10680000000);
	dcqcn_until(&rate, &params, 7 * 55 * US); // the bytes are not behind a seventh
	assert_int_equal(rate.target_bps, 11080000000);
	dcqcn_sent(&rate, &params, 10000000); // now both are: two fast steps
	assert_int_equal(rate.target_bps, 11880000000);
}

// A packet of three times the bytes is three increases: 40, 20, 30, 35, 37.5 Gb/s; what is left
// counts.
static void bytes_of_several_increases(void **state)
{
	struct dcqcn rate;

	(void)state;
	dcqcn_start(&rate, 40 * G);
	dcqcn_cut(&rate, &params, 0);
	dcqcn_sent(&rate, &params, 35000000);
	assert_int_equal(rate.rate_bps, 37500000000);
	dcqcn_sent(&rate, &params, 4999999);
	assert_int_equal(rate.rate_bps, 37500000000);
	dcqcn_sent(&rate, &params, 1);
	assert_int_equal(rate.rate_bps, 38750000000);
}

// Alpha decays by g in each interval without a notice, and a notice cuts by half of it: from 40
// Gb/s after two intervals (255 / 256)^2 = 65025 / 65536, so 40 * (1 - 65025 / 131072).
static void alpha_decays(void **state)
{
	struct dcqcn rate;

	(void)state;
	dcqcn_start(&rate, 40 * G);
	dcqcn_cut(&rate, &params, 0);
	dcqcn_until(&rate, &params, 2 * 55 * US);
	assert_true(rate.alpha == UINT64_C(65025) << 16);
	assert_int_equal(rate.rate_bps, 35 * G);
	dcqcn_cut(&rate, &params, 2 * 55 * US);
	assert_int_equal(rate.rate_bps, 35 * G - 35 * G * 65025 / 65536 / 2);
	assert_true(rate.alpha == (UINT64_C(65025) << 16) - (UINT64_C(65025) << 8) + (1u << 24));
	for (int i = 0; i < 40; i++)
		dcqcn_cut(&rate, &params, 3 * 55 * US);
	assert_int_equal(rate.rate_bps, params.least_bps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fast_recovery_then_steps), cmocka_unit_test(additive_increase),
		cmocka_unit_test(hyper_increase), cmocka_unit_test(bytes_of_several_increases),
		cmocka_unit_test(alpha_decays)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
