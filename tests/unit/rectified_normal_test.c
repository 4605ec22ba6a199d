// SPDX-License-Identifier: GPL-3.0-or-later
// The law with a given rectified mean and deviation: the standard normal's known values, laws
// without a cut, and numerical integration for laws mostly below 0.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "gen/families/noise_counts/noise_counts.h"

static void the_standard_normal_comes_back(void **state)
{
	const double mean = 1 / sqrt(2 * M_PI);
	const struct rectified_normal law = rectified_normal_of(mean, sqrt(0.5 - mean * mean));

	(void)state;
	assert_true(fabs(law.mean) < 1e-12);
	assert_true(fabs(law.deviation - 1) < 1e-12);
	assert_true(fabs(law.zero - 0.5) < 1e-12);
}

static void a_law_above_zero_stays(void **state)
{
	const struct rectified_normal far = rectified_normal_of(40, 3),
				      none = rectified_normal_of(5, 0);
	const struct rectified_normal near = rectified_normal_of(40, 40 / 8.9);

	(void)state;
	assert_true(far.mean == 40 && far.deviation == 3 && far.zero == 0);
	assert_true(none.mean == 5 && none.deviation == 0);
	assert_true(fabs(near.mean - 40) < 1e-9 && fabs(near.deviation - 40 / 8.9) < 1e-9);
}

// Midpoints of a hundred thousand cells from 0 to where nothing is left.
static void what_is_left_is_as_asked_for(void **state)
{
	static const double shares[] = {0.2, 0.5, 1, 2, 5, 20, 100};

	(void)state;
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		const struct rectified_normal law = rectified_normal_of(3, 3 * shares[i]);
		const double width = (fmax(law.mean, 0) + 10 * law.deviation) / 1e5;
		double mean = 0, square = 0;

		for (int cell = 0; cell < 100000; cell++) {
			const double x = (cell + 0.5) * width, z = (x - law.mean) / law.deviation;
			const double share = width * exp(-0.5 * z * z) / sqrt(2 * M_PI) /
					     law.deviation;

			mean += x * share;
			square += x * x * share;
		}
		assert_true(fabs(mean / 3 - 1) < 1e-6);
		assert_true(fabs(sqrt(square - mean * mean) / (3 * shares[i]) - 1) < 1e-6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_standard_normal_comes_back),
		cmocka_unit_test(a_law_above_zero_stays),
		cmocka_unit_test(what_is_left_is_as_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
