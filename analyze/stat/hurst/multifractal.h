// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling exponents of all orders, which distinguish one H from many: the multiscale diagram and
// wavelet leaders.
#ifndef STAT_MULTIFRACTAL_H
#define STAT_MULTIFRACTAL_H

#include <stddef.h>

#include "stat/intervals/interval.h"
#include "value/status.h"

// ---- Multiscale diagram: how moments of all orders of the wavelet's details grow with the scale
// (Abry, Flandrin, Taqqu and Veitch 2000).

#define MULTISCALE_ORDERS 8

// The mean of |detail|^q grows as 2^(j (zeta - q / 2)) over octaves j1 to j2. A series that is
// self-similar with one H has zeta = q H; if h = zeta / q falls with q, it is multifractal over
// these scales.
struct multiscale_order {
	double q;
	double zeta, zeta_se; // zeta_se: for independent details
	double h, lo, hi;     // zeta / q and its interval
};

struct multiscale {
	size_t j1, j2;
	struct multiscale_order orders[MULTISCALE_ORDERS]; // q = 0.5, 1, 1.5, 2, 2.5, 3, 4, 5
};

struct multiscale_options {
	size_t j1, j2; // 0: the fourth octave (the fifth from 2^18 points on, the sixth from 2^22),
		       // and the last with 32 details
	unsigned vanishing; // moments of Daubechies' wavelet; 0: 3
	double level;	    // of the intervals
};

// From the series x[n] of increments; work[2 n]. TR_ERROR below three octaves, or for a constant
// series.
enum tr_status multiscale_make(const double *x, size_t n, const struct multiscale_options *options,
			       double *work, struct multiscale *out, struct tr_error *err);

// ---- Wavelet leaders: scaling exponents of all orders, negative ones included, and the
// log-cumulants that distinguish one H from many (Jaffard, Lashermes and Abry 2006; Wendt, Abry and
// Jaffard 2007).

#define LEADERS_ORDERS 8

// The mean of leader^q grows as 2^(j zeta) over octaves j1 to j2, in the convention of struct
// multiscale_order: zeta = q H for one H.
struct leaders_order {
	double q;
	double zeta;
	struct interval interval; // of zeta
};

// zeta(q) = c1 q + c2 q^2 / 2 + ... near q = 0: c1 is the most frequent exponent of the series, c2
// < 0 the spread of the exponents. With one H, c1 = H and c2 = 0.
struct leaders {
	size_t j1, j2;
	double zeros; // share of the leaders of these octaves that are 0, where nothing changes,
		      // and are left out
	struct leaders_order orders[LEADERS_ORDERS]; // q = -2, -1, 0.5, 1, 1.5, 2, 3, 4
	double c1, c2;
	struct interval c1_interval, c2_interval;
};

struct leaders_options {
	size_t j1; // 0: the fifth octave (the sixth from 2^18 points on, the seventh from 2^22)
	unsigned vanishing; // moments of Daubechies' wavelet; 0: 3
	double level;	    // of the intervals
};

// From the series x[n] of increments; work[2 n]. TR_ERROR below three octaves with 64 leaders.
enum tr_status leaders_make(const double *x, size_t n, const struct leaders_options *options,
			    double *work, struct leaders *out, struct tr_error *err);

#endif
