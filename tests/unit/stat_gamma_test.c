// SPDX-License-Identifier: GPL-3.0-or-later
// The gamma function's kin against known values and their own equations.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "stat/gamma.h"

static void expect_near(double found, double known, double relative)
{
	if (!(fabs(found - known) <= relative * fabs(known)))
		fail_msg("%.17g is not %.17g", found, known);
}

// Q(1, x) = e^-x, Q(1/2, x) = erfc(sqrt x), Q(n, x) = e^-x sum of x^k / k!.
static void closed_forms(void **state)
{
	(void)state;
	for (double x = 1e-3; x < 200; x *= 1.7) {
		double term = 1, sum = 0;

		expect_near(incomplete_gamma_above(1, x), exp(-x), 1e-12);
		expect_near(incomplete_gamma_above(0.5, x), erfc(sqrt(x)), 1e-12);
		for (int k = 0; k < 25; k++, term *= x / k)
			sum += term;
		expect_near(incomplete_gamma_above(25, x), exp(-x) * sum, 1e-11);
	}
	assert_true(incomplete_gamma_above(3, 0) == 1);
	assert_true(isnan(incomplete_gamma_above(0, 1)) && isnan(incomplete_gamma_above(1, -1)));
}

// Published quantiles of the chi-square law (Abramowitz and Stegun, table 26.8), and the inverse of the inverse.
static void quantiles(void **state)
{
	(void)state;
	expect_near(2 * gamma_quantile(0.5, 0.95), 3.84146, 2e-6);
	expect_near(2 * gamma_quantile(5, 0.99), 23.2093, 3e-6);
	expect_near(2 * gamma_quantile(15, 0.005), 13.7867, 5e-6);
	expect_near(2 * gamma_quantile(50, 0.975), 129.561, 5e-6);
	for (double a = 0.05; a < 1e6; a *= 3.1)
		for (double p = 0.0005; p < 1; p += 0.0999)
			expect_near(1 - incomplete_gamma_above(a, gamma_quantile(a, p)), p, 1e-8);
}

// At 1 and 1/2 (Abramowitz and Stegun 6.3.2, 6.3.3, 6.4.2, 6.4.4), and the recurrences.
static void derivatives(void **state)
{
	const double euler = 0.57721566490153286061;

	(void)state;
	expect_near(digamma(1), -euler, 1e-13);
	expect_near(digamma(0.5), -euler - 2 * M_LN2, 1e-13);
	expect_near(trigamma(1), M_PI * M_PI / 6, 1e-13);
	expect_near(trigamma(0.5), M_PI * M_PI / 2, 1e-13);
	for (double x = 0.01; x < 1000; x *= 1.9) {
		assert_true(fabs(digamma(x + 1) - digamma(x) - 1 / x) < 1e-12 * (1 + 1 / x));
		assert_true(fabs(trigamma(x) - trigamma(x + 1) - 1 / (x * x)) < 1e-12 * (1 + 1 / (x * x)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_forms),
		cmocka_unit_test(quantiles),
		cmocka_unit_test(derivatives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
