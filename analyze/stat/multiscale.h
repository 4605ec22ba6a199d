// SPDX-License-Identifier: GPL-3.0-or-later
// Multiscale diagram: how moments of all orders of the wavelet's details grow with the scale.
#ifndef STAT_MULTISCALE_H
#define STAT_MULTISCALE_H

#include <stddef.h>

#include "trace/status.h"

#define MULTISCALE_ORDERS 8

// The mean of |detail|^q grows as 2^(j (zeta - q / 2)) over octaves j1 to j2. A series that is self-similar with one H has
// zeta = q H; where h = zeta / q falls with q, it is multifractal over these scales.
struct multiscale_order {
	double q;
	double zeta, zeta_se; // the latter for details that do not depend on one another
	double h, lo, hi;     // zeta / q and its interval
};

struct multiscale {
	size_t j1, j2;
	struct multiscale_order orders[MULTISCALE_ORDERS]; // q = 0.5, 1, 1.5, 2, 2.5, 3, 4, 5
};

struct multiscale_options {
	size_t j1, j2;	    // 0: the fourth octave (the fifth from 2^18 points on, the sixth from 2^22), and the last
			    // with 32 details
	unsigned vanishing; // moments of Daubechies' wavelet; 0: 3
	double level;	    // of the intervals
};

// From the series x[n] of increments; work[2 n]. TR_ERROR below three octaves, or for a constant series.
enum tr_status multiscale_make(const double *x, size_t n, const struct multiscale_options *options, double *work,
			       struct multiscale *out, struct tr_error *err);

#endif
