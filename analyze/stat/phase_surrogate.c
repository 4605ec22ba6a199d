// SPDX-License-Identifier: GPL-3.0-or-later
// Theiler, Eubank, Longtin, Galdrikian and Farmer, Testing for nonlinearity in time series: the method of surrogate
// data, Physica D 58 (1992) 77-94, section 2.4.1.
#include "stat/phase_surrogate.h"

#include <fftw3.h>
#include <math.h>
#include <string.h>

size_t phase_surrogate_workspace(size_t n)
{
	return 2 * (n / 2 + 1);
}

static void turn(fftw_complex pair, double angle)
{
	const double real = pair[0], imaginary = pair[1];

	pair[0] = real * cos(angle) - imaginary * sin(angle);
	pair[1] = real * sin(angle) + imaginary * cos(angle);
}

enum tr_status phase_surrogate(const double *x, size_t n, struct tr_random *random, double *workspace, double *y,
			       struct tr_error *err)
{
	fftw_complex *pairs = (fftw_complex *)(void *)workspace;
	fftw_plan forward = fftw_plan_dft_r2c_1d((int)n, workspace, pairs, FFTW_ESTIMATE);
	fftw_plan backward = fftw_plan_dft_c2r_1d((int)n, pairs, workspace, FFTW_ESTIMATE);
	enum tr_status status = TR_OK;

	if (!forward || !backward) {
		status = tr_fail(err, "no Fourier transform of %zu points", n);
	} else {
		memcpy(workspace, x, n * sizeof *x);
		fftw_execute(forward);
		for (size_t j = 1; j <= (n - 1) / 2; j++)
			turn(pairs[j], 2 * M_PI * tr_random_unit(random));
		fftw_execute(backward);
		for (size_t i = 0; i < n; i++)
			y[i] = workspace[i] / (double)n;
	}
	if (forward)
		fftw_destroy_plan(forward);
	if (backward)
		fftw_destroy_plan(backward);
	return status;
}
