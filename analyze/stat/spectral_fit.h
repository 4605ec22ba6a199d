// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood of a spectrum with a few parameters, of which the first is the memory d, and the interval for d.
#ifndef STAT_SPECTRAL_FIT_H
#define STAT_SPECTRAL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/estimator.h"
#include "stat/spectral_cells.h"

#define SPECTRAL_PARAMETERS_MAX 10
#define SPECTRAL_STARTS_MAX 4

// A family of densities. theta[0] is d; all are kept between their bounds.
struct spectral_model {
	size_t parameters;
	double low[SPECTRAL_PARAMETERS_MAX], high[SPECTRAL_PARAMETERS_MAX];
	// Where the search begins at each d, beside what fitted at the d before it.
	size_t starts;
	double start[SPECTRAL_STARTS_MAX][SPECTRAL_PARAMETERS_MAX];
	// Fills log_density[count], and slopes[k * count + i], the derivative of log_density[i] by theta[k].
	void (*evaluate)(const void *context, const struct spectral_cells *cells, const double *theta, double *log_density,
			 double *slopes);
	const void *context;
};

// Doubles of workspace.
#define SPECTRAL_FIT_WORKSPACE (2 * SPECTRAL_CELLS_MAX * (SPECTRAL_PARAMETERS_MAX + 1))
size_t spectral_fit_workspace(size_t n); // the same for any n

struct spectral_fit {
	double theta[SPECTRAL_PARAMETERS_MAX]; // of the maximum
	double lo, hi;			       // the values of d with a likelihood within reach of the maximum
	double misfit;			       // minus the logarithm of the likelihood at the maximum
	double fit;			       // as spectral_cells_fit
};

// Minus the logarithm of the likelihood, up to a constant, made least from theta on by Fisher's scoring; theta[0] stays where
// fixed.
double spectral_fit_from(const struct spectral_model *model, const struct spectral_cells *cells, bool fixed, double *theta,
			 double *workspace);

// The maximum over all starts and all d, and the interval for d by the profile of the likelihood: where its logarithm is
// within reach of the maximum. It holds also where d is not known at all because nothing has memory.
void spectral_fit_make(const struct spectral_model *model, const struct spectral_cells *cells, double reach, double *workspace,
		       struct spectral_fit *out);

// For an interval of the level: half the quantile of chi-square with one degree of freedom.
double spectral_fit_reach(double level);

// Sets h, its interval, slope and fit of an estimate. Where the series can be without memory and d is as good as unknown,
// h_corrected is .5, with a warning.
void spectral_fit_tell(const struct spectral_fit *fit, struct estimate *out);

#endif
