// SPDX-License-Identifier: GPL-3.0-or-later
// A power law that short dependence bends, above noise: f(l) = G l^(-2d) exp(b l^2) + noise, after Frederiksen, Nielsen and
// Nielsen, Local polynomial Whittle estimation of perturbed fractional processes, Journal of Econometrics 167 (2012).
#ifndef STAT_LOCAL_WHITTLE_NOISE_H
#define STAT_LOCAL_WHITTLE_NOISE_H

#include <stdbool.h>

#include "stat/spectral_fit.h"

// theta: d, log G at the top frequency, b times its square, log noise.
struct noisy_power_law {
	double log_top;						      // logarithm of the highest frequency
	double log_x[SPECTRAL_CELLS_MAX], square[SPECTRAL_CELLS_MAX]; // of the cells' frequencies over it: logarithm and square
	double floor;						      // the noise where it is known; 0 where theta has it
};

// Fills a model for cells; floor 0: the noise is a parameter too; bend: the most that |theta[2]| may be, at most 8. law and cells must live as long as the model.
void noisy_power_law_make(struct noisy_power_law *law, const struct spectral_cells *cells, double floor, double bend,
			  struct spectral_model *model);

// The estimator local_whittle_noise of the frequencies 1 to last, at most to its bandwidth, without those j with skip[j] where skip is not NULL: fit->theta[0]
// is H - .5, lo and hi its interval at that level. Its b is between -10 and 10 squared points,
// as the theory bounds it: relative to the band alone, the bend would be as free in a long series as in a short one, and one that
// no short dependence explains would stand for part of the power law. work: SPECTRAL_FIT_WORKSPACE. False below 16 frequencies.
bool local_whittle_noise_fit(const struct spectrum *spectrum, size_t last, const bool *skip, double level, double *work,
			     struct spectral_fit *fit);

#endif
