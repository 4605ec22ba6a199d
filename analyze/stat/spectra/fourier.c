// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/fourier.h"

#include <string.h>

size_t fourier_workspace(size_t n)
{
	return 2 * (n / 2 + 1);
}

// Runs a plan of n points, and frees it.
static enum tr_status fourier_run(fftw_plan plan, size_t n, struct tr_error *err)
{
	if (!plan)
		return tr_fail(err, "no Fourier transform of %zu points", n);
	fftw_execute(plan);
	fftw_destroy_plan(plan);
	return TR_OK;
}

enum tr_status fourier_transform(double *x, size_t n, struct tr_error *err)
{
	return fourier_run(
		fftw_plan_dft_r2c_1d((int)n, x, (fftw_complex *)(void *)x, FFTW_ESTIMATE), n, err);
}

enum tr_status fourier_filter(const double *x, size_t n, fourier_change *change, void *context,
			      double *workspace, double *y, struct tr_error *err)
{
	fftw_complex *pairs = (fftw_complex *)(void *)workspace;

	memcpy(workspace, x, n * sizeof(*x));
	if (fourier_transform(workspace, n, err) != TR_OK)
		return TR_ERROR;
	change(pairs, n, context);
	if (fourier_run(fftw_plan_dft_c2r_1d((int)n, pairs, workspace, FFTW_ESTIMATE), n, err) !=
	    TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < n; i++)
		y[i] = workspace[i] / (double)n;
	return TR_OK;
}
