// SPDX-License-Identifier: GPL-3.0-or-later
// A periodogram, pooled for likelihoods of smooth spectra.
#ifndef STAT_SPECTRAL_CELLS_H
#define STAT_SPECTRAL_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/spectrum.h"

#define SPECTRAL_CELLS_MAX 2048

// Independent sums: sum[i] is nearly gamma distributed with shape[i] times the density at x[i] as its mean. Of a
// periodogram x is the frequency in radians per point and shape the number of frequencies that were added up; of
// wavelet details x is the octave and shape half their number.
struct spectral_cells {
	size_t count;
	double pool; // x of cells that a test of the fit takes together lie within this ratio
	double x[SPECTRAL_CELLS_MAX];
	double shape[SPECTRAL_CELLS_MAX];
	double sum[SPECTRAL_CELLS_MAX];
};

// Fills cells from the frequencies of a band: one by one up to the 256th, then in groups 1/128 of their frequency wide, over
// which the logarithm of a smooth spectrum is a line. So many that the longest series fits. Leaves out those j with skip[j],
// where skip is not NULL.
void spectral_cells_make(struct spectral_cells *cells, const struct spectrum *spectrum, struct band band, const bool *skip);

// Sets an estimate from the cells of a series of n points; level: of the interval.
typedef void spectral_cells_fitter(const struct spectral_cells *cells, size_t n, double level, double *work,
				   struct estimate *out);

// An estimator that fits cells of all frequencies: its run.
enum tr_status spectral_cells_estimate(const struct series_parts *series, const struct estimate_options *options,
				       spectral_cells_fitter *fit, double *work, struct estimate *out, struct tr_error *err);

// Probability of a worse fit, log_density[count] being that of a model with so many free parameters: the deviance of the
// sums over cells pooled further, to about four an octave, against chi-square. NaN where there are no more pools than
// parameters.
double spectral_cells_fit(const struct spectral_cells *cells, const double *log_density, size_t parameters);

#endif
