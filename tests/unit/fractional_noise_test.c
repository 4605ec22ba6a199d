// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/fractional_noise.h"

#define POINTS 512
#define SERIES 4000

// 1 + 2 (r(1) + .. + r(n)) = (n + 1)^2H - n^2H: a digit lost at far lags would show.
static void covariances_add_up(void **state)
{
	(void)state;
	for (double h = 0.1; h < 0.95; h += 0.1) {
		double sum = 1, n = 1000000;

		for (double k = 1; k <= n; k++)
			sum += 2 * fractional_gaussian_covariance(h, k);
		const double known = pow(n, 2 * h) * expm1(2 * h * log1p(1 / n));

		assert_true(fabs(sum - known) < 1e-9 * fmax(1, known));
	}
}

static double known_covariance(enum fractional_law law, double h, double k)
{
	const double d = h - 0.5;

	if (law == FRACTIONAL_GAUSSIAN)
		return 0.5 * (pow(k + 1, 2 * h) - 2 * pow(k, 2 * h) + pow(fabs(k - 1), 2 * h));
	return k == 0 ? 1 : exp(lgamma(k + d) - lgamma(k + 1 - d) + lgamma(1 - d) - lgamma(d));
}

// Over many series, six standard errors (at most sqrt(2 n sum of r^2 / n) ~ 1.5 / sqrt(POINTS)
// each, more for strong memory).
static void check_series(enum fractional_law law, double h, const struct draw_tables *tables)
{
	double x[POINTS], sum[5] = {0}, squares[5] = {0};
	struct tr_random random;

	tr_random_open(&random, 1, "noise");
	for (int s = 0; s < SERIES; s++) {
		assert_int_equal(fractional_noise(x, POINTS, law, h, tables, &random, NULL), TR_OK);
		for (size_t k = 0; k < 5; k++) {
			double mean = 0;

			for (size_t i = 0; i + 4 < POINTS; i++)
				mean += x[i] * x[i + k] / (POINTS - 4);
			sum[k] += mean / SERIES;
			squares[k] += mean * mean / SERIES;
		}
	}
	for (size_t k = 0; k < 5; k++) {
		const double error = sqrt((squares[k] - sum[k] * sum[k]) / SERIES);

		if (fabs(sum[k] - known_covariance(law, h, (double)k)) > 6 * error)
			fail_msg("law %d, H %g, lag %zu: %g, known %g +- %g", (int)law, h, k,
				 sum[k], known_covariance(law, h, (double)k), error);
	}
}

static void series_have_their_covariances(void **state)
{
	struct draw_tables tables;

	(void)state;
	draw_tables_make(&tables);
	check_series(FRACTIONAL_GAUSSIAN, 0.3, &tables);
	check_series(FRACTIONAL_GAUSSIAN, 0.5, &tables);
	check_series(FRACTIONAL_GAUSSIAN, 0.85, &tables);
	check_series(FRACTIONAL_FARIMA, 0.7, &tables);
	check_series(FRACTIONAL_FARIMA, 0.9, &tables);
}

static void one_point_is_a_series(void **state)
{
	struct draw_tables tables;
	struct tr_random random;
	double x = NAN;

	(void)state;
	draw_tables_make(&tables);
	tr_random_open(&random, 1, "one");
	assert_int_equal(fractional_noise(&x, 1, FRACTIONAL_GAUSSIAN, 0.7, &tables, &random, NULL),
			 TR_OK);
	assert_true(isfinite(x));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(covariances_add_up),
		cmocka_unit_test(series_have_their_covariances),
		cmocka_unit_test(one_point_is_a_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
