// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/spectra/surrogate_series.h"

#define DRAWS 40000

// Six standard errors: that of the variance is sqrt((2 + 1 / mean) / n) times the mean.
static void mean_and_variance_are_those_asked_for(void **state)
{
	static const double means[] = {0.02, 1, 11.5, 4000, 3e6};
	static double counts[DRAWS];

	(void)state;
	for (size_t m = 0; m < sizeof(means) / sizeof(*means); m++) {
		struct tr_random random;
		double sum = 0, squares = 0;

		tr_random_open(&random, m, "poisson draw");
		poisson_draw(means[m], &random, counts, DRAWS);
		for (size_t i = 0; i < DRAWS; i++) {
			assert_true(counts[i] >= 0 && counts[i] == floor(counts[i]));
			sum += counts[i] - means[m];
			squares += pow(counts[i] - means[m], 2);
		}
		assert_true(fabs(sum / DRAWS) < 6 * sqrt(means[m] / DRAWS));
		assert_true(fabs(squares / DRAWS / means[m] - 1) <
			    6 * sqrt((2 + 1 / means[m]) / DRAWS));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_and_variance_are_those_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
