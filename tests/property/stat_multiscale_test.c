// SPDX-License-Identifier: GPL-3.0-or-later
// Multiscale diagrams of noise with one H, and of a binomial cascade with known exponents.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fgn.h"
#include "stat/hurst/multifractal.h"

#define LOG2_POINTS 16
#define POINTS (1 << LOG2_POINTS)

static double series[POINTS], work[2 * POINTS];

static const struct multiscale_options options = {.level = 0.95};

static void noise_has_one_h(void **state)
{
	const int rounds = getenv("FLIT_LONG") ? 400 : 20;

	(void)state;
	for (double h = 0.55; h < 0.95; h += 0.15) {
		struct fgn *fgn = fgn_open(POINTS, h);
		double mean[MULTISCALE_ORDERS] = {0}, held = 0;
		struct tr_random random;

		tr_random_open(&random, 1, "multiscale");
		for (int r = 0; r < rounds; r++) {
			struct multiscale diagram;

			fgn_draw(fgn, &random, series);
			assert_int_equal(
				multiscale_make(series, POINTS, &options, work, &diagram, NULL),
				TR_OK);
			for (size_t i = 0; i < MULTISCALE_ORDERS; i++)
				mean[i] += diagram.orders[i].h / rounds;
			held += diagram.orders[3].lo <= h && h <= diagram.orders[3].hi;
		}
		fgn_close(fgn);
		for (size_t i = 0; i < MULTISCALE_ORDERS; i++)
			if (fabs(mean[i] - h) > 0.01 + 0.05 / sqrt(rounds))
				fail_msg("H %g, order %zu: %g", h, i, mean[i]);
		assert_true(held / rounds > 0.95 - 0.03 - 3.5 * sqrt(0.05 / rounds));
	}
}

// Mass p goes to one half and 1 - p to the other, in random order, over and over: the mean of
// mass^q over cells of 2^j points grows as 2^(j zeta), zeta = -log2((p^q + (1 - p)^q) / 2).
static void a_cascade_has_its_exponents(void **state)
{
	const double p = 0.7;
	const int rounds = getenv("FLIT_LONG") ? 200 : 20;
	double mean[MULTISCALE_ORDERS] = {0}, q[MULTISCALE_ORDERS];
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 2, "cascade");
	for (int r = 0; r < rounds; r++) {
		struct multiscale diagram;

		series[0] = 1;
		for (size_t n = 1; n < POINTS; n *= 2)
			for (size_t i = n; i-- > 0;) {
				const double left = tr_random_unit(&random) < 0.5 ? p : 1 - p,
					     whole = series[i];

				series[2 * i] = 2 * left * whole;
				series[2 * i + 1] = 2 * (1 - left) * whole;
			}
		assert_int_equal(
			multiscale_make(series, POINTS,
					&(struct multiscale_options){.j1 = 3, .level = 0.95}, work,
					&diagram, NULL),
			TR_OK);
		for (size_t i = 0; i < MULTISCALE_ORDERS; i++) {
			mean[i] += diagram.orders[i].zeta / rounds;
			q[i] = diagram.orders[i].q;
		}
	}
	for (size_t i = 1; i < MULTISCALE_ORDERS - 2; i++) {
		const double known = -log2((pow(p, q[i]) + pow(1 - p, q[i])) / 2);

		if (fabs(mean[i] - known) > 0.04 * q[i])
			fail_msg("order %g: zeta %g, known %g", q[i], mean[i], known);
	}
}

static void too_few_points_are_refused(void **state)
{
	struct multiscale diagram;
	struct tr_error err = {""};

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		series[i] = 7;
	assert_int_equal(multiscale_make(series, 200, &options, work, &diagram, &err), TR_ERROR);
	assert_int_equal(multiscale_make(series, 1000, &options, work, &diagram, &err), TR_ERROR);
	assert_true(err.text[0] != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_has_one_h),
		cmocka_unit_test(a_cascade_has_its_exponents),
		cmocka_unit_test(too_few_points_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
