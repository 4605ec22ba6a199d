// SPDX-License-Identifier: GPL-3.0-or-later
// How well the mean of a stationary series is known, whatever its dependence: short, long, or
// longer than the series.
//
// The mean is the frequency 0 of the series, and its variance is what the spectrum tends to there.
// So it is read off the lowest frequencies: the squared cosine transforms at k = 1, 2, ... half
// periods of the series, independent of each other and of the mean (Mueller and Watson, Measuring
// uncertainty about long-run predictions, Review of Economic Studies 83 (2016) 1711-1740;
// Heidelberger and Welch 1981 for flat spectra). Below some k the spectrum is taken for flat, for
// that of an AR(1) process, for a power of the frequency as in fractional Gaussian noise (Beran
// 1994, chapter 8), or for these over a floor; above it for anything, half an octave at a time.
// How far down, which power, which floor: all are weighed by their likelihood, and Student's
// interval of each enters with this weight. Spectra that grow too fast for a mean to exist enter
// too: where they take more than half of what the level allows there is no interval.
// flitline-intervals(7) has the weights and the coverage.
#ifndef STAT_MEAN_ERROR_H
#define STAT_MEAN_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/intervals/compare.h"

#define MEAN_ERROR_VALUES 1024u // most values

struct mean_error {
	bool known;	 // false: there is no interval; se and freedom are NaN
	double se;	 // standard error of the mean, with
	double freedom;	 // degrees of freedom, so that Student's interval at the level is the one
			 // found
	double skewness; // of the mean about the true one, between 0 and 1: the upper end is
			 // stretched by it
	double h; // the error falls as n^(h - 1): .5, or between .5 and 1 where longer memory is
		  // likelier
	double longer; // not known: at least so many times as long should the series be
};

// From count values in order, each a sum or a mean over the same number of samples: at most
// MEAN_ERROR_VALUES. Below two there is no interval. level in (0, 1).
struct mean_error mean_error_find(const double *values, size_t count, double level);

// The interval at level of a mean of values not below floor (-INFINITY: none). Student's; above a
// floor its ends are those of interval_above, but for the upper one, floor + m exp(s) with s = r (1
// + 3/4 skewness), or floor + m e s where s > 1. NaN bounds if the error is not known.
struct interval mean_error_interval(double mean, const struct mean_error *error, double level,
				    double floor);

// Independent values that know the mean as well as n dependent ones do: freedom + 1 of them, with a
// deviation that gives se.
struct sample mean_error_sample(double mean, const struct mean_error *error);

// How many samples of the series the mean needs to be known to percent % (> 0) at level, now n: n
// (half / wanted)^(1/(1 - h)). Not known: longer n.
double mean_error_needed(double mean, const struct mean_error *error, double level, double percent,
			 double n);

#endif
