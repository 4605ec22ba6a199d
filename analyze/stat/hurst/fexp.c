// SPDX-License-Identifier: GPL-3.0-or-later
// Moulines and Soulier, Broadband log-periodogram regression of time series with long-range
// dependence, Annals of Statistics 27 (1999) 1415-1439: log f(l) = -2 d log|1 - e^il| + sum of
// theta_k cos kl, k = 0..p; Beran, Fitting long-memory models by generalized linear regression,
// Biometrika 80 (1993) 817-822. Sums over k neighbouring frequencies have a logarithm of mean
// digamma(k) and variance trigamma(k).
#include "stat/hurst/estimators.h"

#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <string.h>

#include "stat/spectra/cholesky.h"
#include "stat/spectra/spectral_fit.h"

#define ORDER_MAX 12
// Terms beyond the order chosen by the criterion, so that the terms left out bias d by less than
// its error; more for longer series, as the error falls.
#define MORE 4 // for MORE_POINTS points
#define MORE_POINTS 8192.0
#define MORE_MAX 36
#define REGRESSORS (ORDER_MAX + MORE_MAX + 2) // d, and cosines of 0 to the highest order

struct regression {
	double y, squares; // sums over cells, by weight
	double moments[REGRESSORS];
	double matrix[REGRESSORS][REGRESSORS];
};

struct solution {
	double theta[REGRESSORS];
	double variance; // of theta[0]
	double residual;
};

static double regressor(double x, size_t k)
{
	return k == 0 ? -2 * log(2 * sin(x / 2)) : cos((double)(k - 1) * x);
}

static void add_cell(struct regression *sums, double x, double shape, double sum)
{
	const double weight = 1 / gsl_sf_psi_1(shape), y = log(sum) - gsl_sf_psi(shape);
	double row[REGRESSORS];

	for (size_t k = 0; k < REGRESSORS; k++)
		row[k] = regressor(x, k);
	sums->squares += weight * y * y;
	for (size_t k = 0; k < REGRESSORS; k++) {
		sums->moments[k] += weight * y * row[k];
		for (size_t l = 0; l <= k; l++)
			sums->matrix[k][l] += weight * row[k] * row[l];
	}
}

// Least squares by the first count regressors.
static void fexp_solve(const struct regression *sums, size_t count, struct solution *out)
{
	double factor[REGRESSORS][REGRESSORS], unit[REGRESSORS] = {1};

	memcpy(factor, sums->matrix, sizeof(factor));
	memset(out->theta, 0, sizeof(out->theta));
	memcpy(out->theta, sums->moments, count * sizeof(*out->theta));
	cholesky_factor(factor[0], REGRESSORS, count, 1e-300);
	cholesky_forward(factor[0], REGRESSORS, count, out->theta);
	cholesky_forward(factor[0], REGRESSORS, count, unit);
	out->residual = sums->squares;
	out->variance = 0;
	for (size_t k = 0; k < count; k++) {
		out->residual -= out->theta[k] * out->theta[k];
		out->variance += unit[k] * unit[k];
	}
	cholesky_back(factor[0], REGRESSORS, count, out->theta);
}

// Returns the order that minimises the residuals plus 2 for each parameter.
static size_t choose_order(const struct regression *sums, struct solution *out)
{
	double best = INFINITY;
	size_t chosen = 0;

	for (size_t order = 0; order <= ORDER_MAX; order++) {
		double criterion;

		fexp_solve(sums, order + 2, out);
		criterion = out->residual + 2 * (double)(order + 2);
		if (criterion < best) {
			best = criterion;
			chosen = order;
		}
	}
	return chosen;
}

static size_t fexp_workspace(size_t n)
{
	(void)n;
	return SPECTRAL_CELLS_MAX;
}

static void fexp_fit_cells(const struct spectral_cells *cells, size_t n, double level,
			   double *log_density, struct estimate *out)
{
	struct regression sums = {0};
	struct solution solution;
	size_t order;

	for (size_t i = 0; i < cells->count; i++)
		if (cells->sum[i] > 0)
			add_cell(&sums, cells->x[i], cells->shape[i], cells->sum[i]);
	order = choose_order(&sums, &solution) +
		(size_t)fmin(MORE_MAX, MORE * pow((double)n / MORE_POINTS, 0.25));
	fexp_solve(&sums, order + 2, &solution);
	for (size_t i = 0; i < cells->count; i++) {
		log_density[i] = 0;
		for (size_t k = 0; k < order + 2; k++)
			log_density[i] += solution.theta[k] * regressor(cells->x[i], k);
	}
	out->h = 0.5 + solution.theta[0];
	out->slope = -2 * solution.theta[0];
	out->fit = spectral_cells_fit(cells, log_density, order + 2);
	for (size_t k = 1; k < order + 2; k++)
		out->intercept = (k == 1 ? 0 : out->intercept) + solution.theta[k] / M_LN10;
	estimate_normal_interval(out, sqrt(solution.variance), level,
				 "asymptotic, of the regression with the order chosen");
}

static enum tr_status run_fexp(const struct series_parts *series,
			       const struct estimate_options *options, double *work,
			       struct estimate *out, struct tr_error *err)
{
	return spectral_cells_estimate(series, options, fexp_fit_cells, work, out, err);
}

const struct estimator fexp = {
	.name = "fexp",
	.title = "fractional exponential model",
	.paper = "Moulines, Soulier 1999",
	SPECTRUM_ESTIMATOR,
	.n_min = 1024,
	.workspace = fexp_workspace,
	.run = run_fexp,
};
