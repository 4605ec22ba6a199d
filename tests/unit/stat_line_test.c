// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/intervals/line.h"

static void near(double found, double expected, double relative)
{
	if (!(fabs(found - expected) <= relative * fabs(expected)))
		fail_msg("%.17g, expected %.17g", found, expected);
}

// NIST Statistical Reference Datasets, Norris: slope 1.00211681802045 (sd 0.429796848199937E-03),
// intercept -0.262323073774029.
static void nist_norris(void **state)
{
	static const double y[] = {0.1,	  338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1,
				   778.9, 559.2, 0.3,	0.1,   778.1, 668.8, 339.3, 448.9, 10.8,
				   557.7, 228.3, 998.0, 888.8, 119.6, 0.3,   0.6,   557.6, 339.3,
				   888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
	static const double x[] = {0.2,	  337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6,
				   777.0, 558.2, 0.4,	0.6,   775.5, 666.9, 338.0, 447.5, 11.6,
				   556.0, 228.1, 995.8, 887.6, 120.2, 0.3,   0.3,   556.8, 339.1,
				   887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
	const struct line line = line_fit(x, y, 36);

	(void)state;
	near(line.slope, 1.00211681802045, 1e-13);
	near(line.intercept, -0.262323073774029, 1e-11);
	near(line.slope_se, 0.429796848199937e-3, 1e-11);
}

static void no_line_through_one_point(void **state)
{
	const double x[] = {1, 1, 1}, y[] = {1, 2, 3};

	(void)state;
	assert_true(isnan(line_fit(x, y, 1).slope));
	assert_true(isnan(line_fit(x, y, 0).slope));
	assert_true(isnan(line_fit(x, y, 3).slope));
	assert_true(isnan(line_fit(y, y, 2).slope_se));
	assert_true(line_fit(y, y, 2).slope == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nist_norris),
		cmocka_unit_test(no_line_through_one_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
