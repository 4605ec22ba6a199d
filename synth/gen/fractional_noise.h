// SPDX-License-Identifier: GPL-3.0-or-later
// Exact Gaussian series with long-range dependence: fractional Gaussian noise and FARIMA(0, d, 0),
// of mean 0 and variance 1, by circulant embedding (Davies and Harte, Tests for Hurst effect,
// Biometrika 74 (1987) 95-101; Craigmile, Simulating a class of stationary Gaussian processes using
// the Davies-Harte algorithm, Journal of Time Series Analysis 24 (2003) 505-511: never negative for
// both).
#ifndef GEN_FRACTIONAL_NOISE_H
#define GEN_FRACTIONAL_NOISE_H

#include <stddef.h>

#include "gen/draw.h"
#include "value/random.h"
#include "value/status.h"

#define FRACTIONAL_NOISE_MAX ((size_t)1 << 28)

enum fractional_law {
	FRACTIONAL_GAUSSIAN, // 0 < h < 1
	FRACTIONAL_FARIMA,   // d = h - 1/2; 1/2 <= h < 1
};

// Fills x[n], 0 < n <= FRACTIONAL_NOISE_MAX; takes up to 48 bytes a point meanwhile. A longer
// series starts with different points. TR_ERROR if out of memory.
enum tr_status fractional_noise(double *x, size_t n, enum fractional_law law, double h,
				const struct draw_tables *tables, struct tr_random *random,
				struct tr_error *err);

// Autocovariance of fractional Gaussian noise at a whole lag k >= 0, to 12 digits at any lag.
double fractional_gaussian_covariance(double h, double k);

#endif
