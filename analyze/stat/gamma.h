// SPDX-License-Identifier: GPL-3.0-or-later
// The gamma law's quantile where GSL 2.7 has none: gsl_cdf_gamma_Pinv gives NaN for most p from a = 10^6 on and for p < 0.5
// at a = 0.05, and is off by 4e-6 at a = 10^7; intervals of a count of packets have such a.
#ifndef STAT_GAMMA_H
#define STAT_GAMMA_H

// The x of which a gamma variable of shape a > 0 is below with probability p, 0 < p < 1; relative error about 1e-12. Half the
// quantile of the chi-square law of 2 a degrees of freedom.
double gamma_quantile(double a, double p);

#endif
