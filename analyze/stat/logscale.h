// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by the wavelets' logscale diagram (Abry and Veitch).
#ifndef STAT_LOGSCALE_H
#define STAT_LOGSCALE_H

#include "stat/estimator.h"

// The mean squared detail of octave j grows as 2^(j alpha), alpha = 2H - 1; a weighted line through
// its logarithm, freed of bias, from octave j1 to j2, and the probability of a worse fit. Own choice:
// j2 is the last octave with 8 details; j1 the first, of those that leave 5 octaves, from which on
// that probability is above .01 (else the one where it is highest, with a warning). scale_min and
// scale_max are in points, and rounded to octaves.
//
// Haar's wavelet has no bias on fractional Gaussian noise at any octave, but sees a linear trend; the
// details of octave 1 depend on one another too much for the interval, so j1 is at least 2. Daubechies'
// with 3 vanishing moments (or options->vanishing) does not see a trend of degree 2, but what a
// series is between its points disturbs the lower octaves: j1 is at least 4, from 2^18 points on 5,
// from 2^22 on 6.
#define LOGSCALE_HAAR_FIRST 2

extern const struct estimator logscale_haar;
extern const struct estimator logscale_daubechies;

// The same of energies that are known: energy[j - 1] is the mean of details[j - 1] squared details of
// octave j, of a series of n points; j1 is at least first_min.
enum tr_status logscale_fit(const double *energy, const size_t *details, size_t octaves, size_t n, size_t first_min,
			    const struct estimate_options *options, struct estimate *out, struct tr_error *err);

struct octave_line {
	double slope;
	double intercept;
	double slope_se;
	double intercept_se;
	double covariance;  // of slope and intercept
	double probability; // of a worse fit; NaN below three octaves
};

// The weighted line through points first to last.
struct octave_line logscale_line(const struct estimate_point *points, size_t first, size_t last);

// The steps of logscale_fit. First, points without the bias of the logarithm, with the standard errors of independent Gaussian
// details; *octaves becomes the number of those below the first without energy. TR_ERROR for a constant series.
enum tr_status logscale_points(const double *energy, const size_t *details, size_t *octaves, struct estimate *out,
			       struct tr_error *err);

// The octaves to fit, counted from 0: from least on, or those that options give. TR_ERROR where there are too few.
enum tr_status logscale_range(const size_t *details, size_t octaves, const struct estimate_options *options, size_t least,
			      size_t *first, size_t *last, struct tr_error *err);

// Sets the estimate to the line through octaves first to last, counted from 0; how: the interval's name.
struct octave_line logscale_set(struct estimate *out, size_t n, size_t first, size_t last, double level, const char *how);

#endif
