// SPDX-License-Identifier: GPL-3.0-or-later
// A power law that short dependence bends, above noise: f(l) = G l^(-2d) exp(b l^2) + noise.
#ifndef STAT_NOISY_POWER_LAW_H
#define STAT_NOISY_POWER_LAW_H

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

#endif
