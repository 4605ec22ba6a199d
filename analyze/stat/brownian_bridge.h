// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of what a Brownian bridge on 0 .. 1 does.
#ifndef STAT_BROWNIAN_BRIDGE_H
#define STAT_BROWNIAN_BRIDGE_H

// Probability that its square integrates to at most x (Cramer and von Mises).
double bridge_square_cdf(double x);

// Probability that its range is at most x (Kuiper).
double bridge_range_cdf(double x);

// Probability that the integral of its squared distance from its own mean is at most x (Watson).
double bridge_variance_cdf(double x);

#endif
