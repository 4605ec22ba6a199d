// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_min.h>
#include <math.h>

#include "stat/spectra/minimum.h"
#include "stat/spectra/wavelet.h"

static double parabola(const void *context, double x)
{
	const double *least = context;

	return (x - *least) * (x - *least);
}

static void finds_the_least(void **state)
{
	const double inside = 0.3, below = -2, above = 7;

	(void)state;
	assert_true(gsl_min_fminimizer_brent->size <= MINIMUM_STATE_DOUBLES * sizeof(double));
	assert_true(fabs(minimum_find(parabola, &inside, -1, 5, 1e-6) - 0.3) < 1e-6);
	assert_true(fabs(minimum_find(parabola, &below, -1, 5, 1e-6) + 1) < 1e-5);
	assert_true(fabs(minimum_find(parabola, &above, -1, 5, 1e-6) - 5) < 1e-5);
}

// Daubechies, Ten lectures on wavelets (1992), equation 6.1.2: taps sum to sqrt 2, their squares to
// 1; the high-pass ones and their moments sum to 0.
static void wavelets_have_their_moments(void **state)
{
	(void)state;
	for (unsigned vanishing = 1; vanishing <= WAVELET_VANISHING_MAX; vanishing++) {
		double low = 0, squares = 0, moment = 0;
		struct wavelet wavelet;

		assert_int_equal(wavelet_make(&wavelet, vanishing, NULL), TR_OK);
		assert_int_equal(wavelet.taps, 2 * vanishing);
		for (size_t i = 0; i < wavelet.taps; i++) {
			low += wavelet.low[i];
			squares += wavelet.low[i] * wavelet.low[i];
			moment += wavelet.high[i] *
				  pow((double)i / (double)wavelet.taps, vanishing - 1);
		}
		assert_true(fabs(low - M_SQRT2) < 1e-9);
		assert_true(fabs(squares - 1) < 1e-9);
		assert_true(fabs(moment) < 1e-7);
	}
}

static void no_other_wavelet(void **state)
{
	struct tr_error err = {""};
	struct wavelet wavelet;

	(void)state;
	assert_int_equal(wavelet_make(&wavelet, 0, &err), TR_ERROR);
	assert_int_equal(wavelet_make(&wavelet, WAVELET_VANISHING_MAX + 1, &err), TR_ERROR);
	assert_false(err.breakdown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_least),
		cmocka_unit_test(wavelets_have_their_moments),
		cmocka_unit_test(no_other_wavelet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
