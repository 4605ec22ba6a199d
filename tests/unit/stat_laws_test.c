// SPDX-License-Identifier: GPL-3.0-or-later
// GSL quantiles used for intervals, at published values, and our beta and gamma functions compared
// with GSL's or, if it lacks them, with closed forms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "stat/intervals/beta_gamma.h"
#include "stat/intervals/numeric_errors.h"

static void near(double found, double expected, double relative)
{
	if (!(fabs(found - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", found, expected);
}

// Wichura 1988 prints the check values of AS 241.
static void published_normal_quantiles(void **state)
{
	(void)state;
	near(gsl_cdf_ugaussian_Pinv(0.25), -0.6744897501960817, 1e-15);
	near(gsl_cdf_ugaussian_Pinv(0.001), -3.090232306167814, 1e-15);
	near(gsl_cdf_ugaussian_Pinv(1e-20), -9.262340089798408, 1e-15);
	near(gsl_cdf_ugaussian_Pinv(0.975), 1.959963984540054, 1e-15);
}

// Published to 15 digits (the values of R's manual reference implementation of qt).
static void published_student_quantiles(void **state)
{
	static const struct {
		double p, freedom, t;
	} row[] = {
		{.975, 5, 2.570581835636314},  {.975, 10, 2.228138851964939},
		{.975, 30, 2.042272456301238}, {.995, 9, 3.249835541592142},
		{.95, 9, 1.833112932653217},   {.995, 10, 3.169272672616806},
		{.975, 1, 12.70620473617471},  {.975, 100, 1.983971518523551},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		near(gsl_cdf_tdist_Pinv(row[i].p, row[i].freedom), row[i].t, 1e-10);
		near(gsl_cdf_tdist_Pinv(1 - row[i].p, row[i].freedom), -row[i].t, 1e-10);
	}
	near(gsl_cdf_tdist_Pinv(0.975, 1e12), gsl_cdf_ugaussian_Pinv(0.975), 1e-11);
	for (int i = 1; i < 1000; i++) { // one and two degrees of freedom have closed forms
		const double p = 0.5 + i / 2000.0;

		near(gsl_cdf_tdist_Pinv(p, 1), tan(M_PI * (p - 0.5)), 1e-11);
		near(gsl_cdf_tdist_Pinv(p, 2), (2 * p - 1) / sqrt(2 * p * (1 - p)), 1e-11);
	}
}

// From one degree of freedom on, which all callers have; below it GSL's search does not always
// converge.
static void quantiles_undo_probabilities(void **state)
{
	static const double freedoms[] = {1, 1.5, 3, 7, 29, 30, 99, 1000.5, 1e5, 1e7};
	static const double levels[] = {1e-8, 0.005, 0.025, 0.05, 0.3, 0.49, 0.6, 0.95, 0.995};

	(void)state;
	for (size_t i = 0; i < sizeof(freedoms) / sizeof(freedoms[0]); i++)
		for (size_t j = 0; j < sizeof(levels) / sizeof(levels[0]); j++)
			near(gsl_cdf_tdist_P(gsl_cdf_tdist_Pinv(levels[j], freedoms[i]),
					     freedoms[i]),
			     levels[j], 1e-8);
}

// What has no value is NaN and ends nothing.
static void outside_the_range(void **state)
{
	(void)state;
	assert_true(isnan(gsl_cdf_ugaussian_Pinv(1.1)) && isnan(gsl_cdf_ugaussian_Pinv(NAN)));
	assert_true(isinf(gsl_cdf_ugaussian_Pinv(1)));
	assert_true(!isfinite(gsl_cdf_tdist_Pinv(0.5, 0)) || gsl_cdf_tdist_Pinv(0.5, 0) == 0);
	assert_true(isnan(gsl_cdf_tdist_Pinv(-0.1, 3)) && isnan(gsl_cdf_tdist_P(NAN, 3)));
	assert_true(gsl_cdf_tdist_P(INFINITY, 3) == 1 && gsl_cdf_tdist_P(-INFINITY, 3) == 0);
	assert_true(gsl_cdf_tdist_Pinv(0.5, 3) == 0);
	assert_true(isnan(incomplete_beta(-1, 2, 0.5, 0.5)));
}

static void incomplete_beta_identities(void **state)
{
	(void)state;
	for (double x = 0.05; x < 1; x += 0.05) {
		near(incomplete_beta(3.5, 1, x, 1 - x), pow(x, 3.5), 1e-13);
		near(incomplete_beta(1, 40, x, 1 - x), 1 - pow(1 - x, 40), 1e-13);
		near(incomplete_beta(20, 0.5, x, 1 - x) + incomplete_beta(0.5, 20, 1 - x, x), 1,
		     1e-13);
		near(incomplete_beta(300, 7, x, 1 - x), gsl_cdf_beta_P(x, 300, 7), 1e-10);
	}
	near(incomplete_beta(700, 700, 0.5, 0.5), 0.5, 1e-12);
	near(incomplete_beta(1e7, 1e7, 0.5, 0.5), 0.5, 1e-7); // of which GSL has no value
}

// Quantiles of the chi-square law (Abramowitz and Stegun, table 26.8), GSL's probability of the
// quantile, and the median's series a - 1/3 + ... where GSL has no quantile.
static void gamma_quantiles(void **state)
{
	(void)state;
	near(2 * gamma_quantile(0.5, 0.95), 3.84146, 2e-6);
	near(2 * gamma_quantile(5, 0.99), 23.2093, 3e-6);
	near(2 * gamma_quantile(15, 0.005), 13.7867, 5e-6);
	near(2 * gamma_quantile(50, 0.975), 129.561, 5e-6);
	for (double a = 0.05; a < 1e5; a *= 3.1)
		for (double p = 0.0005; p < 1; p += 0.0999)
			near(gsl_cdf_gamma_P(gamma_quantile(a, p), a, 1), p, 1e-8);
	near(gamma_quantile(1e7, 0.5), 1e7 - 1.0 / 3, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_normal_quantiles),
		cmocka_unit_test(published_student_quantiles),
		cmocka_unit_test(quantiles_undo_probabilities),
		cmocka_unit_test(outside_the_range),
		cmocka_unit_test(incomplete_beta_identities),
		cmocka_unit_test(gamma_quantiles),
	};

	numeric_errors_give_nan();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
