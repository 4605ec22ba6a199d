// SPDX-License-Identifier: GPL-3.0-or-later
// What a wavelet makes of a power law.
#ifndef STAT_WAVELET_CONSTANT_H
#define STAT_WAVELET_CONSTANT_H

#include "stat/wavelet.h"

// The integral over all frequencies u of |u|^-alpha |psi(u)|^2, psi the transform of the wavelet: the mean squared detail of
// octave j of a series of the density c |nu|^-alpha, nu in cycles per point, is c times it times 2^(j alpha). -1 < alpha < 2,
// relative error about 1e-4. *slope is the derivative of its binary logarithm by alpha.
double wavelet_constant(const struct wavelet *wavelet, double alpha, double *slope);

#endif
