// SPDX-License-Identifier: GPL-3.0-or-later
// A power law bent by short-range dependence, plus noise: f(l) = G l^(-2d) exp(b l^2) + noise,
// after Frederiksen, Nielsen and Nielsen, Local polynomial Whittle estimation of perturbed
// fractional processes, Journal of Econometrics 167 (2012).
#ifndef STAT_LOCAL_WHITTLE_NOISE_H
#define STAT_LOCAL_WHITTLE_NOISE_H

#include <stdbool.h>

#include "stat/spectra/spectral_fit.h"

// theta: d, log G at the top frequency, b times its square, the share of noise, and with a moving
// level the logarithm of its power at the first cell.
struct noisy_power_law {
	double log_top; // logarithm of the highest frequency
	double log_x[SPECTRAL_CELLS_MAX],
		square[SPECTRAL_CELLS_MAX]; // of the cells' frequencies over it: logarithm and
					    // square
	double floor; // the noise if known; 0: a parameter in theta
};

// Fills a model for cells; floor 0: the noise is a parameter too; bend: bound on |theta[2]|, at
// most 8. law and cells must outlive the model.
void noisy_power_law_make(struct noisy_power_law *law, const struct spectral_cells *cells,
			  double floor, double bend, struct spectral_model *model);

// The estimator local_whittle_noise on the frequencies 1 to last, at most its bandwidth, without
// each j with skip[j] unless skip is NULL: fit->theta[0] is H - .5, lo and hi its interval at
// level. b is between -10 and 10 squared points, as the theory bounds it: a bound relative to the
// band would allow the same bend in a long series as in a short one, and a bend that no short
// dependence explains would absorb part of the power law. work: SPECTRAL_FIT_WORKSPACE. False below
// 16 frequencies.
bool local_whittle_noise_fit(const struct spectrum *spectrum, size_t last, const bool *skip,
			     double level, double *work, struct spectral_fit *fit);

// The same with the power of a level that shifts or drifts beside it, c l^-2 (Hou and Perron 2014).
bool local_whittle_moving_fit(const struct spectrum *spectrum, size_t last, const bool *skip,
			      double level, double *work, struct spectral_fit *fit);

#endif
