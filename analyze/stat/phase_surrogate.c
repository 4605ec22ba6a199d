// SPDX-License-Identifier: GPL-3.0-or-later
// Theiler, Eubank, Longtin, Galdrikian and Farmer, Testing for nonlinearity in time series: the method of surrogate
// data, Physica D 58 (1992) 77-94, section 2.4.1.
#include "stat/phase_surrogate.h"

#include <math.h>

#include "stat/fourier.h"

size_t phase_surrogate_workspace(size_t n)
{
	return fourier_workspace(n);
}

static void turn(fftw_complex pair, double angle)
{
	const double real = pair[0], imaginary = pair[1];

	pair[0] = real * cos(angle) - imaginary * sin(angle);
	pair[1] = real * sin(angle) + imaginary * cos(angle);
}

static void turn_all(fftw_complex *pairs, size_t n, void *random)
{
	for (size_t j = 1; j <= (n - 1) / 2; j++)
		turn(pairs[j], 2 * M_PI * tr_random_unit(random));
}

enum tr_status phase_surrogate(const double *x, size_t n, struct tr_random *random, double *workspace, double *y,
			       struct tr_error *err)
{
	return fourier_filter(x, n, turn_all, random, workspace, y, err);
}
