// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/fractional_noise.h"

#include <fftw3.h>
#include <math.h>
#include <stdbool.h>

// From here on differences of powers lose digits, and the series is accurate.
#define LAG_FAR 100

double fractional_gaussian_covariance(double h, double k)
{
	const double a = 2 * h;

	if (k < LAG_FAR)
		return 0.5 * (pow(k + 1, a) - 2 * pow(k, a) + pow(fabs(k - 1), a));
	// The sum over j of binomial(a, 2 j) k^(a - 2 j).
	const double square = 1 / (k * k);
	double term = a * (a - 1) / 2 * pow(k, a - 2), sum = 0;

	for (int j = 1; j <= 4; j++) {
		sum += term;
		term *= (a - 2 * j) * (a - 2 * j - 1) / ((2 * j + 1) * (2 * j + 2)) * square;
	}
	return sum;
}

// Covariances at lags 0 .. half on a circle of 2 half points; the other half mirrors them.
static void fill_circle(double *circle, size_t half, enum fractional_law law, double h)
{
	const double d = h - 0.5;

	circle[0] = 1;
	for (size_t k = 1; k <= half; k++) {
		const double lag = (double)k;

		circle[k] = law == FRACTIONAL_GAUSSIAN ? fractional_gaussian_covariance(h, lag)
						       : circle[k - 1] * (lag - 1 + d) / (lag - d);
	}
	for (size_t k = 1; k < half; k++)
		circle[2 * half - k] = circle[k];
}

// Turns the eigenvalues (real parts) into Gaussian amplitudes whose transform is the series.
static void draw_amplitudes(fftw_complex *spectrum, size_t half, const struct draw_tables *tables,
			    struct tr_random *random)
{
	for (size_t k = 0; k <= half; k++) {
		const double share = k == 0 || k == half ? 1 : 0.5;
		const double scale = sqrt(fmax(0, spectrum[k][0]) * share / (2 * (double)half));

		spectrum[k][0] = scale * draw_normal(tables, random);
		spectrum[k][1] = share < 1 ? scale * draw_normal(tables, random) : 0;
	}
}

// The power of 2 at or above n, at least 2.
static size_t half_of(size_t n)
{
	size_t half = 2;

	while (half < n)
		half *= 2;
	return half;
}

enum tr_status fractional_noise(double *x, size_t n, enum fractional_law law, double h,
				const struct draw_tables *tables, struct tr_random *random,
				struct tr_error *err)
{
	const size_t half = half_of(n);
	fftw_complex *spectrum = fftw_alloc_complex(half + 1);
	double *circle = (double *)spectrum;
	fftw_plan there, back;

	if (!spectrum)
		return tr_no_memory(err, "%zu points of fractional noise", n);
	there = fftw_plan_dft_r2c_1d((int)(2 * half), circle, spectrum, FFTW_ESTIMATE);
	back = fftw_plan_dft_c2r_1d((int)(2 * half), spectrum, circle, FFTW_ESTIMATE);
	if (there && back) {
		fill_circle(circle, half, law, h);
		fftw_execute(there);
		draw_amplitudes(spectrum, half, tables, random);
		fftw_execute(back);
		for (size_t i = 0; i < n; i++)
			x[i] = circle[i];
	}
	const bool planned = there && back;

	fftw_destroy_plan(there);
	fftw_destroy_plan(back);
	fftw_free(spectrum);
	return planned ? TR_OK : tr_fail(err, "no plan for a transform of %zu points", 2 * half);
}
