// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "stat/beta.h"
#include "stat/normal.h"
#include "stat/student.h"

static void near(double found, double expected, double relative)
{
	if (!(fabs(found - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", found, expected);
}

// Wichura 1988 prints the check values of AS 241.
static void published_normal_quantiles(void **state)
{
	(void)state;
	near(normal_quantile(0.25), -0.6744897501960817, 1e-15);
	near(normal_quantile(0.001), -3.090232306167814, 1e-15);
	near(normal_quantile(1e-20), -9.262340089798408, 1e-15);
	near(normal_quantile(0.975), 1.959963984540054, 1e-15);
	near(normal_quantile(0.995), 2.575829303548901, 1e-15);
	assert_true(normal_quantile(0.5) == 0);
	assert_true(isnan(normal_quantile(1.1)));
	assert_true(isnan(normal_quantile(NAN)));
	assert_true(isinf(normal_quantile(1)));
}

// One and two degrees of freedom have closed forms.
static void closed_forms(void **state)
{
	(void)state;
	for (int i = 1; i < 1000; i++) {
		const double p = 0.5 + i / 2000.0;

		near(student_quantile(p, 1), tan(M_PI * (p - 0.5)), 1e-11);
		near(student_quantile(p, 2), (2 * p - 1) / sqrt(2 * p * (1 - p)), 1e-11);
	}
	near(student_quantile(1 - 1e-10, 1), 1 / tan(M_PI * (1 - (1 - 1e-10))), 1e-10);
}

// Published to 15 digits (the values of R's manual reference implementation of qt).
static void published_quantiles(void **state)
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
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		near(student_quantile(row[i].p, row[i].freedom), row[i].t, 1e-10);
		near(student_quantile(1 - row[i].p, row[i].freedom), -row[i].t, 1e-10);
	}
}

static void against_gsl(void **state)
{
	static const double freedoms[] = {0.7, 1, 1.5, 3, 7, 29, 30, 99, 1000.5, 1e5, 1e7};
	static const double levels[] = {1e-8, 0.005, 0.025, 0.05, 0.3, 0.49, 0.6, 0.95, 0.995};

	(void)state;
	for (size_t i = 0; i < sizeof freedoms / sizeof freedoms[0]; i++)
		for (size_t j = 0; j < sizeof levels / sizeof levels[0]; j++) {
			const double t = student_quantile(levels[j], freedoms[i]);

			near(student_cdf(t, freedoms[i]), levels[j], 1e-11);
			near(gsl_cdf_tdist_P(t, freedoms[i]), levels[j], 1e-8);
		}
}

static void many_degrees_of_freedom_are_normal(void **state)
{
	(void)state;
	near(student_quantile(0.975, 1e12), normal_quantile(0.975), 1e-11);
	near(student_quantile(0.975, 10001), student_quantile(0.975, 9999), 3e-8);
	near(student_cdf(-2, 1e300), normal_cdf(-2), 1e-12);
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
	near(exp(log_beta(20, 30)), 1.0 / (20 * 28277527346376.0), 1e-12); // 20 C(49, 20)
	near(log_beta(0.5, 1e8), 0.5 * log(M_PI) - 0.5 * log(1e8), 1e-9);
	assert_true(isnan(incomplete_beta(-1, 2, 0.5, 0.5)));
}

static void outside_the_range(void **state)
{
	(void)state;
	assert_true(isnan(student_quantile(0.5, 0)));
	assert_true(isnan(student_quantile(-0.1, 3)));
	assert_true(isnan(student_cdf(NAN, 3)));
	assert_true(student_cdf(INFINITY, 3) == 1);
	assert_true(student_cdf(-INFINITY, 3) == 0);
	assert_true(student_quantile(0.5, 3) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_normal_quantiles),
		cmocka_unit_test(closed_forms),
		cmocka_unit_test(published_quantiles),
		cmocka_unit_test(against_gsl),
		cmocka_unit_test(many_degrees_of_freedom_are_normal),
		cmocka_unit_test(incomplete_beta_identities),
		cmocka_unit_test(outside_the_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
