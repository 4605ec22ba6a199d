// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of fractional Gaussian noise (Sinai 1976; Beran 1994).
#ifndef STAT_FGN_SPECTRUM_H
#define STAT_FGN_SPECTRUM_H

#include <stddef.h>

#define FGN_SPECTRUM_TERMS 14

// For one H. f(l) = (1 - cos l) (l^(-2H-1) + B(l)) up to a factor, where B(l), the sum of
// |l + 2 pi k|^(-2H-1) over all whole k but 0, is even and smooth on [-pi, pi]: a series of
// Chebyshev polynomials in 2 (l / pi)^2 - 1, exact to 1e-14 (the next singularity is at
// 2 pi, so each term is 14 times smaller than the one before).
struct fgn_spectrum {
	double h;
	double terms[FGN_SPECTRUM_TERMS];
};

// 0 < h < 1.
void fgn_spectrum_make(struct fgn_spectrum *spectrum, double h);

// B(l) + l^(-2H-1) for 0 < l <= pi, with log_l = log l: the spectrum over 1 - cos l.
double fgn_spectrum_tail(const struct fgn_spectrum *spectrum, double l, double log_l);

#endif
