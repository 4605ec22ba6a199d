// SPDX-License-Identifier: GPL-3.0-or-later
// The noise that counting adds to a rate: given the rate, counts of a Poisson process are independent with variance equal to mean,
// so their spectrum is that of the rate and mean / 2 pi (Cox and Lewis, The Statistical Analysis of Series of Events, 1966, chapter
// 7), and the mean squared detail of a wavelet is that of the rate and the mean, at every octave.
#ifndef STAT_SHOT_NOISE_H
#define STAT_SHOT_NOISE_H

#include <stddef.h>

#include "stat/estimator.h"
#include "trace/status.h"

// The mean of a series of counts. TR_ERROR where options say that these are bytes, or one is negative or not whole, or all are 0.
enum tr_status shot_noise_mean(const struct series_parts *series, const struct estimate_options *options, double *mean,
			       struct tr_error *err);

#endif
