// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by the slope of the periodogram.
#ifndef STAT_PERIODOGRAM_H
#define STAT_PERIODOGRAM_H

#include "stat/estimator.h"

// The periodogram falls as l^(1 - 2H) towards frequency 0; H = (1 - slope) / 2 of log power on log
// frequency. Own choice: the lowest tenth of the n Fourier frequencies, periods of 10 points and
// more. Dependence over short times bends it.
extern const struct estimator periodogram;

#endif
