// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood of a spectrum with a few parameters, from a pooled periodogram.
#ifndef STAT_SPECTRAL_FIT_H
#define STAT_SPECTRAL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/hurst/estimator.h"
#include "stat/spectra/spectrum.h"

// ---- A periodogram, pooled for likelihoods of smooth spectra (Robinson 1995).

#define SPECTRAL_CELLS_MAX 2048

// Independent sums: sum[i] is nearly gamma distributed with mean shape[i] times the density at
// x[i]. For a periodogram x is the frequency in radians per point and shape the number of
// frequencies summed; for wavelet details x is the octave and shape half their number.
struct spectral_cells {
	size_t count;
	double pool; // a test of the fit pools cells whose x are within this ratio
	double x[SPECTRAL_CELLS_MAX];
	double shape[SPECTRAL_CELLS_MAX];
	double sum[SPECTRAL_CELLS_MAX];
};

// Fills cells from the frequencies of a band: one by one up to the 256th, then in groups 1/128 of
// their frequency wide, over which the logarithm of a smooth spectrum is a line; the longest series
// fits. Leaves out each j with skip[j] unless skip is NULL.
void spectral_cells_make(struct spectral_cells *cells, const struct spectrum *spectrum,
			 struct band band, const bool *skip);

// Sets an estimate from the cells of a series of n points; level: of the interval.
typedef void spectral_cells_fitter(const struct spectral_cells *cells, size_t n, double level,
				   double *work, struct estimate *out);

// An estimator that fits cells of all frequencies: its run.
enum tr_status spectral_cells_estimate(const struct series_parts *series,
				       const struct estimate_options *options,
				       spectral_cells_fitter *fit, double *work,
				       struct estimate *out, struct tr_error *err);

// Probability of a worse fit, for the log_density[count] of a model with that many free parameters:
// the deviance of the sums over cells pooled further, to about four an octave, against chi-square.
// NaN if there are no more pools than parameters.
double spectral_cells_fit(const struct spectral_cells *cells, const double *log_density,
			  size_t parameters);

// ---- Whittle's likelihood (Whittle 1953) of a spectrum whose first parameter is the memory d, and
// the interval for d.

#define SPECTRAL_PARAMETERS_MAX 10
#define SPECTRAL_STARTS_MAX 4

// A family of densities. theta[0] is d; all parameters are kept within their bounds.
struct spectral_model {
	size_t parameters;
	double low[SPECTRAL_PARAMETERS_MAX], high[SPECTRAL_PARAMETERS_MAX];
	// Starting points at each d, besides the fit at the previous d.
	size_t starts;
	double start[SPECTRAL_STARTS_MAX][SPECTRAL_PARAMETERS_MAX];
	// Fills log_density[count], and slopes[k * count + i], the derivative of log_density[i] by
	// theta[k].
	void (*evaluate)(const void *context, const struct spectral_cells *cells,
			 const double *theta, double *log_density, double *slopes);
	const void *context;
};

// Doubles of workspace.
#define SPECTRAL_FIT_WORKSPACE (2 * SPECTRAL_CELLS_MAX * (SPECTRAL_PARAMETERS_MAX + 2))
size_t spectral_fit_workspace(size_t n); // the same for any n

struct spectral_fit {
	double theta[SPECTRAL_PARAMETERS_MAX]; // of the maximum
	double lo, hi; // range of d with a likelihood within reach of the maximum
	double misfit; // minus the logarithm of the likelihood at the maximum
	double fit;    // as spectral_cells_fit
};

// Minimises minus the log-likelihood, up to a constant, from theta on by Fisher's scoring; theta[0]
// stays if fixed.
double spectral_fit_from(const struct spectral_model *model, const struct spectral_cells *cells,
			 bool fixed, double *theta, double *workspace);

// The maximum over all starts and all d, and the interval for d by the profile likelihood: where
// its logarithm is within reach of the maximum. Valid even if d cannot be identified because
// nothing has memory.
void spectral_fit_make(const struct spectral_model *model, const struct spectral_cells *cells,
		       double reach, double *workspace, struct spectral_fit *out);

// Widens the lo and hi of a fit by those that spectral_fit_make finds for another model of the same
// cells; takes less time, since it looks for no edge within them.
void spectral_fit_widen(const struct spectral_model *model, const struct spectral_cells *cells,
			double reach, double *workspace, struct spectral_fit *fit);

// For an interval of the level: half the quantile of chi-square with one degree of freedom.
double spectral_fit_reach(double level);

// Sets h, its interval, slope and fit of an estimate. If the series may have no memory and d is
// practically unknown, h_corrected is .5, with a warning.
void spectral_fit_tell(const struct spectral_fit *fit, struct estimate *out);

#endif
