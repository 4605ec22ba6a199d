// SPDX-License-Identifier: GPL-3.0-or-later
// Circulant embedding: Davies and Harte, Tests for Hurst effect, Biometrika 74 (1987) 95-101;
// exact, and never negative for fractional Gaussian noise (Craigmile 2003).
#include "fgn.h"

#include <fftw3.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

struct fgn {
	size_t n, m;  // m = 2n points on the circle
	double *root; // of the eigenvalues over m, n + 1 of them
	fftw_complex *spectrum;
	double *circle;
	fftw_plan plan;
};

double fgn_covariance(double h, double k)
{
	return 0.5 * (pow(fabs(k + 1), 2 * h) - 2 * pow(fabs(k), 2 * h) + pow(fabs(k - 1), 2 * h));
}

static void find_roots(struct fgn *fgn, double (*covariance)(double parameter, double k),
		       double parameter)
{
	fftw_plan forward = fftw_plan_dft_r2c_1d((int)fgn->m, fgn->circle, fgn->spectrum,
						 FFTW_ESTIMATE);

	for (size_t k = 0; k <= fgn->n; k++) {
		fgn->circle[k] = covariance(parameter, (double)k);
		if (k > 0)
			fgn->circle[fgn->m - k] = fgn->circle[k];
	}
	fftw_execute(forward);
	fftw_destroy_plan(forward);
	for (size_t k = 0; k <= fgn->n; k++)
		fgn->root[k] = sqrt(fmax(0, fgn->spectrum[k][0]) / (double)fgn->m);
}

struct fgn *fgn_open(size_t n, double h)
{
	return fgn_open_by(n, fgn_covariance, h);
}

struct fgn *fgn_open_by(size_t n, double (*covariance)(double parameter, double k),
			double parameter)
{
	struct fgn *fgn = calloc(1, sizeof(*fgn));

	if (!fgn)
		abort();
	fgn->n = n;
	fgn->m = 2 * n;
	fgn->root = malloc((n + 1) * sizeof(*fgn->root));
	fgn->spectrum = fftw_alloc_complex(n + 1);
	fgn->circle = fftw_alloc_real(fgn->m);
	if (!fgn->root || !fgn->spectrum || !fgn->circle)
		abort();
	find_roots(fgn, covariance, parameter);
	fgn->plan = fftw_plan_dft_c2r_1d((int)fgn->m, fgn->spectrum, fgn->circle, FFTW_ESTIMATE);
	return fgn;
}

void fgn_draw(struct fgn *fgn, struct tr_random *random, double *x)
{
	for (size_t k = 0; k <= fgn->n; k++) {
		const double scale = k == 0 || k == fgn->n ? fgn->root[k]
							   : fgn->root[k] * M_SQRT1_2;

		fgn->spectrum[k][0] = scale * gsl_cdf_ugaussian_Pinv(tr_random_unit(random));
		fgn->spectrum[k][1] = scale * gsl_cdf_ugaussian_Pinv(tr_random_unit(random));
	}
	fgn->spectrum[0][1] = fgn->spectrum[fgn->n][1] = 0;
	fftw_execute(fgn->plan);
	for (size_t i = 0; i < fgn->n; i++)
		x[i] = fgn->circle[i];
}

void fgn_close(struct fgn *fgn)
{
	fftw_destroy_plan(fgn->plan);
	fftw_free(fgn->spectrum);
	fftw_free(fgn->circle);
	free(fgn->root);
	free(fgn);
}
